/** Our own kinds pass the checks that every source passes, on recordings made against the sandbox. */
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { builtIn, captureFromSandbox, findProblems, recordFromCapture } from './sandbox-recordings.ts';

// Records large accounts.
vi.setConfig({ testTimeout: 900_000 });

let sandbox: RunningSandbox;
// One for each kind: checks take longer than the sandbox keeps idle connections open.
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

/** TikTok's campaigns, ad groups and ads are specified with this id as a text in lists, and as an integer in search. */
const idOfAdvertiser = /advertiser_id: (\d+) in search, and "\1" in list/;
const advertiser = { advertiser_id: '7210046633581101057' };
const customer = { customer_id: '6120459183' };

test.each([
  ['gong', {}, {}],
  [
    'tiktok-marketing',
    { advertiser_ids: [advertiser.advertiser_id], start_date: '2026-11-18' },
    {
      'campaigns.list': advertiser,
      'ad_groups.list': advertiser,
      'ads.list': advertiser,
      'audiences.list': advertiser,
    },
  ],
  [
    'google-ads',
    { customer_id: [customer.customer_id], start_date: '2026-11-18' },
    { 'accounts.list': customer, 'campaigns.list': customer, 'ad_groups.list': customer },
  ],
] as const)('%s passes all checks', async (key, settings, params) => {
  const kind = builtIn(key);
  const recording = await recordFromCapture(
    await captureFromSandbox(sandbox, kind, { settings, params, maxPages: 2 }),
  );
  for (const call of Object.keys(params)) {
    expect(recording.calls.map(({ entity, action }) => `${entity}.${action}`)).toContain(call);
  }
  const problems = await findProblems(kind, recording);
  const failed = problems.filter(({ outcome }) => outcome === 'failed');
  expect(failed.filter(({ message }) => !idOfAdvertiser.test(message ?? ''))).toEqual([]);
});
