import { maxAccounts } from '@connector-auth/api';
import { startSandbox } from '@connector-auth/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf, sample } from '../../test/google-ads.ts';
import { manualClock } from '../../test/scripted.ts';
import {
  connect,
  createTransport,
  grantsInMemory,
  unlimited,
  type Entity,
  type Transport,
} from '../kind/index.ts';
import { googleAds } from './index.ts';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

interface Setup {
  transport: Transport;
  credentials?: Record<string, string>;
  clock?: ReturnType<typeof manualClock>;
}

async function listWith({ transport, credentials = {}, clock = manualClock() }: Setup) {
  const connection = connect({
    kind: googleAds,
    grants: grantsInMemory({
      method: 'credentials',
      credentials: { refresh_token: 'r', developer_token: 'd', ...credentials },
      state: {},
      // The accounts that were chosen before do not limit the list.
      settings: { customer_id: ['6120459183'] },
    }),
    transport,
    limiter: unlimited,
    clock,
  });
  return googleAds.accounts!.list(await connection.vendorFor({ repeatable: true }));
}

/** Lists the accounts of a user of the sandbox. */
function listInSandbox(title: string) {
  const known = sandbox.control.vendors().find(({ key }) => key === 'google-ads')?.credentials ?? [];
  const credentials = known.find(credential => credential.title === title)?.values ?? {};
  return listWith({ transport: createTransport({ sandboxUrl: sandbox.url }), credentials });
}

/** Responds with the direct accounts, and for each one with the clients or the error of `hierarchyOf`. */
function fakeGoogle(ids: readonly string[], hierarchyOf: (id: string) => ReturnType<typeof sample>) {
  const asked: string[] = [];
  const resourceNames = ids.map(id => `customers/${id}`);
  const transport: Transport = request => {
    if (request.url.startsWith('https://oauth2.')) return Promise.resolve(sample('oauth_token_2_refresh'));
    if (request.url.endsWith('listAccessibleCustomers')) {
      return Promise.resolve(bodyOf(ids.length === 0 ? {} : { resourceNames }));
    }
    const id = /customers\/(\d+)/.exec(request.url)?.[1] ?? '';
    asked.push(id);
    return Promise.resolve(hierarchyOf(id));
  };
  return { transport, asked };
}

const bodyOf = (body: unknown) => ({ status: 200, headers: {}, body });

function clients(...rows: readonly Record<string, unknown>[]) {
  return bodyOf({
    results: rows.map(customerClient => ({ customerClient })),
    fieldMask: 'customerClient.id',
  });
}

const idOf = (index: number) => String(1_000_000_000 + index);
const ids = (count: number) => Array.from({ length: count }, (_, index) => idOf(index));

/** Google's response with this authorization error. */
function forbidden(code: string) {
  const response = sample('error_403_permission');
  const body = JSON.stringify(response.body).replace('USER_PERMISSION_DENIED', code);
  return { ...response, body: JSON.parse(body) as unknown };
}

const managerReason = 'Manager accounts have no campaigns of their own';

describe('the choice of Google Ads accounts', () => {
  test('lists every account with its number, currency and role, also those that cannot be synced', async () => {
    const { accounts, isComplete } = await listInSandbox('Manager account with clients');
    expect(isComplete).toBe(true);
    expect(accounts.map(({ name, detail, reason }) => [name, detail, reason])).toStrictEqual([
      ['555-000-9876', 'USD · Client', null],
      ['Tidewater Düfte GmbH', '666-000-7788 · EUR · Client', null],
      ['Tidewater Soap', '612-045-9183 · EUR · Client', null],
      ['Tidewater 日本', '815-002-3344 · JPY · Client', null],
      ['Tidewater Candles (closed)', '444-000-1112 · EUR · Client', 'This account is canceled'],
      ['Tidewater EMEA', '902-003-1100 · EUR · Manager', managerReason],
      ['Tidewater Gifts', '234-005-6677 · EUR · Client', 'Google has suspended this account'],
      ['Tidewater Group', '733-001-2455 · USD · Manager', managerReason],
    ]);
    expect(accounts.every(({ selectable, reason }) => selectable === (reason === null))).toBe(true);
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(accounts.length);
  });

  test('marks a test account', async () => {
    const { accounts } = await listInSandbox('Single test account');
    expect(accounts).toMatchObject([
      { id: '3210045566', detail: '321-004-5566 · GBP · Client · Test account' },
    ]);
  });

  test('lists the ids that the setting accepts', async () => {
    const { accounts } = await listInSandbox('Manager account with clients');
    const customer_id = accounts.map(({ id }) => id);
    expect(googleAds.settings?.parse({ customer_id }).customer_id).toStrictEqual(customer_id);
  });

  test('is empty for a user without accounts', async () => {
    const { transport } = fakeGoogle([], () => clients());
    expect(await listWith({ transport })).toStrictEqual({ accounts: [], isComplete: true });
  });

  test('lists the rest if some accounts are closed, suspended or forbidden', async () => {
    const codes = new Map([
      [idOf(1), 'CUSTOMER_NOT_ENABLED'],
      [idOf(2), 'ACTION_NOT_PERMITTED_FOR_SUSPENDED_ACCOUNT'],
      [idOf(3), 'USER_PERMISSION_DENIED'],
    ]);
    const { transport } = fakeGoogle(ids(4), id => {
      const code = codes.get(id);
      return code === undefined
        ? clients({ id, descriptiveName: 'Open', status: 'ENABLED' })
        : forbidden(code);
    });
    const { accounts } = await listWith({ transport });
    expect(accounts.map(({ name, selectable, reason }) => [name, selectable, reason])).toStrictEqual([
      ['Open', true, null],
      ['100-000-0001', false, 'This account is canceled or not fully set up'],
      ['100-000-0002', false, 'Google has suspended this account'],
      ['100-000-0003', false, "You don't have access to this account"],
    ]);
  });

  test('describes a closed account that a manager lists', async () => {
    const { transport } = fakeGoogle([idOf(1), idOf(2)], id =>
      id === idOf(1)
        ? forbidden('CUSTOMER_NOT_ENABLED')
        : clients(
            { id, descriptiveName: 'Agency', manager: true, status: 'ENABLED' },
            { id: idOf(1), descriptiveName: 'Shop', currencyCode: 'EUR', status: 'CANCELED' },
          ),
    );
    const { accounts } = await listWith({ transport });
    expect(accounts.map(({ name, reason }) => [name, reason])).toStrictEqual([
      ['Agency', managerReason],
      ['Shop', 'This account is canceled'],
    ]);
  });

  test('reports an error that concerns all accounts', async () => {
    const code = 'DEVELOPER_TOKEN_NOT_APPROVED';
    const { transport } = fakeGoogle(ids(1), () => forbidden(code));
    expect(await errorOf(listWith({ transport }))).toMatchObject({
      vendor: { code: `authorizationError.${code}` },
    });
  });

  test('lists 2,000 accounts with one query for their manager', async () => {
    const { accounts, isComplete } = await listWith({
      transport: fakeGoogle(ids(1), () => clients(...ids(maxAccounts).map(id => ({ id, status: 'ENABLED' }))))
        .transport,
    });
    expect(accounts).toHaveLength(maxAccounts);
    expect(isComplete).toBe(true);
  });

  test('stops reading at 2,000 accounts, and reports that there are more', async () => {
    const managers = Array.from({ length: 12 }, (_, index) => String(2_000_000_000 + index));
    const { transport, asked } = fakeGoogle(managers, () =>
      clients(...ids(maxAccounts + 1).map(id => ({ id, status: 'ENABLED' }))),
    );
    const { accounts, isComplete } = await listWith({ transport });
    expect(asked).toHaveLength(5);
    expect(accounts).toHaveLength(maxAccounts);
    expect(isComplete).toBe(false);
  });

  test('lists the remaining accounts by their number if Google is slow', async () => {
    const clock = manualClock();
    const { transport, asked } = fakeGoogle(ids(40), id => {
      void clock.sleep(1000);
      return clients({ id, descriptiveName: `Shop ${id}`, status: 'ENABLED' });
    });
    const { accounts, isComplete } = await listWith({ transport, clock });
    expect(asked).toHaveLength(15);
    expect(accounts).toHaveLength(40);
    expect(accounts.every(({ selectable }) => selectable)).toBe(true);
    expect(accounts[0]).toMatchObject({ id: idOf(15), name: '100-000-0015', detail: null });
    expect(isComplete).toBe(false);
  });

  test('reads a hierarchy once if the user can also access its accounts directly', async () => {
    const { transport, asked } = fakeGoogle(ids(12), () =>
      clients(...ids(12).map((id, index) => ({ id, manager: index === 0, status: 'ENABLED' }))),
    );
    expect((await listWith({ transport })).accounts).toHaveLength(12);
    expect(asked).toEqual(ids(5));
  });
});

test('the estimated requests of an account cover a sync every hour', async () => {
  const known = sandbox.control.vendors().find(({ key }) => key === 'google-ads')?.credentials ?? [];
  const credentials = known.find(({ works }) => works)?.values ?? {};
  const clock = manualClock(Date.parse('2026-11-20T12:00:00Z'));
  const connection = connect({
    kind: googleAds,
    grants: grantsInMemory({
      method: 'credentials',
      credentials,
      state: {},
      settings: { customer_id: ['6660007788'] },
    }),
    transport: createTransport({ sandboxUrl: sandbox.url }),
    limiter: unlimited,
    clock,
  });
  const vendor = await connection.vendorFor({ repeatable: true });
  sandbox.control.requests.clear();
  for (const { search } of Object.values<Entity>(googleAds.entities)) {
    const pages = search?.sync.run(vendor, { since: '2026-11-19', position: null });
    for await (const page of pages ?? []) void page;
  }
  const perSync = sandbox.control.requests
    .list({ vendor: 'google-ads' })
    .filter(({ path }) => path.includes('6660007788') || path.includes('7330012455')).length;
  const daily = googleAds.accounts?.dailyRequestsPerAccount?.(24) ?? 0;
  expect(perSync * 24).toBeLessThan(daily);
  expect(perSync * 24 * 2).toBeGreaterThan(daily);
});
