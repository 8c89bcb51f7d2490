/** Our own kinds pass the checks that every source passes, on recordings made against the sandbox. */
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtIn, captureFromSandbox, findProblems, recordFromCapture } from './sandbox-recordings.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

test.each([
  ['granola', {}, {}],
  ['gong', {}, {}],
  ['tiktok-marketing', { advertiser_ids: ['7210046633581101057'], start_date: '2026-11-12' }, {}],
  ['google-ads', { customer_id: ['6120459183'], start_date: '2026-11-12' }, {}],
] as const)('%s passes all checks', async (key, settings, params) => {
  const kind = builtIn(key);
  const captured = await captureFromSandbox(sandbox, kind, { settings, params });
  console.log(captured.notes);
  const recording = await recordFromCapture(captured);
  console.log(key, recording.kept, recording.exchanges.length);
  expect(await findProblems(kind, recording)).toEqual([]);
});
