import { maxAccounts } from '@connector-auth/api';
import { startSandbox } from '@connector-auth/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../../test/scripted.ts';
import {
  connect,
  createTransport,
  grantsInMemory,
  unlimited,
  type Grant,
  type OAuthApp,
  type Transport,
} from '../kind/index.ts';
import { tiktokMarketing } from './index.ts';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.control.reset());
afterAll(() => sandbox.close());

const app: OAuthApp = {
  clientId: '7100000000000000002',
  clientSecret: 'tiktok-sandbox-own-secret-91aa7e',
  extras: {},
};

interface Setup {
  transport: Transport;
  token?: string;
  state?: Grant['state'];
  app?: OAuthApp | null;
  clock?: ReturnType<typeof manualClock>;
}

async function listWith({ transport, token = 't', state = {}, clock = manualClock(), ...rest }: Setup) {
  const connection = connect({
    kind: tiktokMarketing,
    grants: grantsInMemory({ method: 'oauth', credentials: { access_token: token }, state, settings: {} }),
    transport,
    limiter: unlimited,
    clock,
    app: rest.app === undefined ? app : rest.app,
  });
  return tiktokMarketing.accounts!.list(await connection.vendorFor({ repeatable: true }));
}

function listInSandbox() {
  const { credentials = [] } = sandbox.control.vendors().find(({ key }) => key === 'tiktok-marketing') ?? {};
  const token = credentials.find(({ works }) => works)?.values['access_token'] ?? '';
  return listWith({ transport: createTransport({ sandboxUrl: sandbox.url }), token });
}

const idOf = (index: number) => String(7_000_000_000_000_000_000n + BigInt(index));
const ids = (count: number) => Array.from({ length: count }, (_, index) => idOf(index));

/** Lists the advertisers, and describes those that are not forbidden. */
function fakeTikTok(
  listed: readonly string[],
  forbidden: readonly string[] = [],
  onCall: () => void = () => {},
) {
  const asked: (readonly string[])[] = [];
  const transport: Transport = ({ url, query }) => {
    if (url.endsWith('/oauth2/advertiser/get/')) {
      const list = listed.map(id => ({ advertiser_id: id, advertiser_name: `Shop ${id}` }));
      return Promise.resolve(replyOf(0, { list }));
    }
    onCall();
    const wanted = JSON.parse(String(query?.['advertiser_ids'])) as string[];
    asked.push(wanted);
    if (wanted.some(id => forbidden.includes(id))) return Promise.resolve(replyOf(40001, {}));
    const list = wanted.map(id => ({ advertiser_id: id, name: `Shop ${id}`, currency: 'EUR' }));
    return Promise.resolve(replyOf(0, { list }));
  };
  return { transport, asked };
}

function replyOf(code: number, data: unknown) {
  return { status: 200, headers: {}, body: { code, message: 'OK', request_id: 'r', data } };
}

describe('the choice of TikTok advertisers', () => {
  test('lists the advertisers that the user shared, also a disabled one', async () => {
    const { accounts, isComplete } = await listInSandbox();
    expect(isComplete).toBe(true);
    expect(accounts).toStrictEqual([
      {
        id: '7461200983377453058',
        name: 'Tidewater CA (not launched)',
        detail: '7461200983377453058 · CAD · TikTok is reviewing it. Data still syncs',
        selectable: true,
        reason: null,
      },
      {
        id: '6998112233445566778',
        name: 'Tidewater EU – Seifen & Düfte',
        detail: '6998112233445566778 · EUR · TikTok restricts its ads. Data still syncs',
        selectable: true,
        reason: null,
      },
      {
        id: '7210046633581101057',
        name: 'Tidewater US',
        detail: '7210046633581101057 · USD',
        selectable: true,
        reason: null,
      },
      {
        id: '7305518842910334977',
        name: 'タイドウォーター石鹸',
        detail: '7305518842910334977 · JPY',
        selectable: true,
        reason: null,
      },
      {
        id: '7391177205588140033',
        name: 'Tidewater Outlet',
        detail: '7391177205588140033 · USD',
        selectable: false,
        reason: 'TikTok has disabled this ad account',
      },
    ]);
  });

  test('lists the ids that the setting accepts', async () => {
    const advertiser_ids = (await listInSandbox()).accounts.map(({ id }) => id);
    expect(tiktokMarketing.settings?.parse({ advertiser_ids })).toStrictEqual({ advertiser_ids });
  });

  test('is empty for a user who shared none, and for a pasted token', async () => {
    const { transport } = fakeTikTok([]);
    expect(await listWith({ transport })).toStrictEqual({ accounts: [], isComplete: true });
    expect(await listWith({ transport, app: null })).toStrictEqual({ accounts: [], isComplete: false });
  });

  test('lists the advertisers of the sign-in if the app is no longer configured', async () => {
    const { transport } = fakeTikTok([]);
    const state = { advertiser_ids: ids(2) };
    const { accounts } = await listWith({ transport, app: null, state });
    expect(accounts.map(({ id }) => id)).toStrictEqual(ids(2));
  });

  test('finds a forbidden advertiser with few calls, and shows it with its name', async () => {
    const { transport, asked } = fakeTikTok(ids(100), [idOf(37)]);
    const { accounts } = await listWith({ transport });
    expect(asked.length).toBeLessThan(16);
    expect(accounts).toHaveLength(100);
    expect(accounts.filter(({ selectable }) => !selectable)).toStrictEqual([
      {
        id: idOf(37),
        name: `Shop ${idOf(37)}`,
        detail: idOf(37),
        selectable: false,
        reason: "You don't have access to this ad account",
      },
    ]);
  });

  test('reports a rejected token', async () => {
    const transport: Transport = () => Promise.resolve(replyOf(40105, {}));
    await expect(listWith({ transport, state: { advertiser_ids: ids(1) } })).rejects.toMatchObject({
      code: 'reauthentication_required',
    });
  });

  test('lists 2,000 advertisers, 100 with each call, and says if there are more', async () => {
    const { transport, asked } = fakeTikTok(ids(maxAccounts + 1));
    const { accounts, isComplete } = await listWith({ transport });
    expect(accounts).toHaveLength(maxAccounts);
    expect(asked).toHaveLength(20);
    expect(isComplete).toBe(false);
  });

  test('lists the remaining advertisers without details if TikTok is slow', async () => {
    const clock = manualClock();
    const { transport, asked } = fakeTikTok(ids(1000), [], () => void clock.sleep(5000));
    const { accounts, isComplete } = await listWith({ transport, clock });
    expect(asked).toHaveLength(3);
    expect(accounts).toHaveLength(1000);
    expect(accounts.at(-1)).toStrictEqual({
      id: idOf(999),
      name: `Shop ${idOf(999)}`,
      detail: idOf(999),
      selectable: true,
      reason: null,
    });
    expect(isComplete).toBe(true);
  });
});
