import type { Clock } from '@connector-auth/api';
import { startSandbox } from '@connector-auth/sandbox';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { gong } from '../src/gong/index.ts';
import {
  connect,
  createLimiter,
  createTransport,
  grantsInMemory,
  unlimited,
  type Grant,
  type Kind,
  type Limiter,
  type VendorRequest,
} from '../src/kind/index.ts';
import { tiktokMarketing } from '../src/tiktok-marketing/index.ts';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;
let sandbox: Sandbox | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await sandbox?.close();
});

const calls = 30;

/** Makes consecutive calls to a vendor that enforces limits, and counts the requests. */
async function callRepeatedly(kind: Kind, entity: string, params: object, limit: (clock: Clock) => Limiter) {
  // Time passes only while the limiter waits, so that the limits do not depend on how fast the requests are sent.
  vi.useFakeTimers({ toFake: ['Date'] });
  sandbox = await startSandbox({ rateLimits: true });
  const { control, url } = sandbox;
  // Waiting advances the vendor's clock, so that no test really waits.
  const clock: Clock = {
    now: () => control.clock.now(),
    sleep: ms => {
      control.clock.advance(ms);
      return Promise.resolve();
    },
  };
  const method = kind.key === 'gong' ? 'access_key' : 'access_token';
  const { credentials = [] } = control.vendors().find(({ key }) => key === kind.key) ?? {};
  const values = credentials.find(({ values, works }) => works && method in values)?.values ?? {};
  const grant: Grant = { method, credentials: values, state: {}, settings: {} };
  const connection = connect({
    kind,
    grants: grantsInMemory(grant),
    transport: createTransport({ sandboxUrl: url }),
    limiter: limit(clock),
    clock,
    random: () => 1,
  });
  const list = kind.entities[entity]?.actions.list;
  for (let call = 0; call < calls; call++) {
    await list?.run(params, await connection.vendorFor({ repeatable: true }));
  }
  return control.requests.list({ vendor: kind.key }).length;
}

const kinds: [Kind, string, object][] = [
  [tiktokMarketing, 'campaigns', { advertiser_id: '7210046633581101057', page_size: 1 }],
  [gong, 'users', {}],
];

describe('vendor rate limits', () => {
  test.each(kinds)(
    'keeps calls to $key within the limits without rejections',
    async (kind, entity, params) => {
      expect(await callRepeatedly(kind, entity, params, createLimiter)).toBe(calls);
    },
  );

  test.each(kinds)('the simulator of $key enforces the limits', async (kind, entity, params) => {
    expect(await callRepeatedly(kind, entity, params, () => unlimited)).toBeGreaterThan(calls);
  });
});

describe('limits that tenants share', () => {
  const subjectsOf = (kind: Kind, credentials: Grant['credentials'], query: VendorRequest['query'] = {}) => {
    const grant: Grant = { method: '', credentials, state: {}, settings: {} };
    const request = { method: 'GET', url: 'https://vendor.example/path', query } as const;
    return kind.rateLimits.map(({ subject }) => subject(grant, request, null));
  };

  test('a TikTok request that names an advertiser uses only the limits of its own token', () => {
    const query = { advertiser_id: '7210046633581101057' };
    const owner = subjectsOf(tiktokMarketing, { access_token: 'owner' }, query);
    const other = subjectsOf(tiktokMarketing, { access_token: 'other' }, query);
    expect(owner.every(subject => subject !== null && !other.includes(subject))).toBe(true);
  });

  test('a Gong access key with a wrong secret does not use the limits of its company', () => {
    const owner = subjectsOf(gong, { access_key: 'key', access_key_secret: 'secret' });
    const other = subjectsOf(gong, { access_key: 'key', access_key_secret: 'guess' });
    expect(owner.every(subject => subject !== null && !other.includes(subject))).toBe(true);
  });
});
