import { startSandbox } from '@connector-auth/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { manualClock, scriptedTransport } from '../../test/scripted.ts';
import {
  connect,
  createTransport,
  grantsInMemory,
  unlimited,
  type Grant,
  type SyncPage,
  type Transport,
} from '../kind/index.ts';
import { gong } from './index.ts';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.control.reset());
afterAll(() => sandbox.close());

const key: Grant = {
  method: 'access_key',
  credentials: { access_key: 'gong_sandbox_demo', access_key_secret: 'gong_sandbox_demo_secret' },
  state: {},
  settings: {},
};

function vendorWith(transport: Transport, grant: Grant = key) {
  return connect({
    kind: gong,
    grants: grantsInMemory(grant),
    transport,
    limiter: unlimited,
    clock: manualClock(Date.parse('2026-11-21T12:00:00Z')),
  }).vendorFor({ repeatable: true, deadlineMs: Infinity });
}

const inSandbox = () => createTransport({ sandboxUrl: sandbox.url });
const listWith = async (transport: Transport, grant = key) =>
  gong.accounts!.list(await vendorWith(transport, grant));

async function syncOf(workspace_ids: readonly string[] | undefined, position: unknown = null) {
  const settings = workspace_ids === undefined ? {} : { workspace_ids };
  const vendor = await vendorWith(inSandbox(), { ...key, settings });
  const pages: SyncPage[] = [];
  for await (const page of gong.entities.calls.search.sync.run(vendor, { since: null, position })) {
    pages.push(JSON.parse(JSON.stringify(page)) as SyncPage);
  }
  return pages;
}

const workspacesIn = (pages: readonly SyncPage[]) =>
  new Set(pages.flatMap(({ records }) => records.map(({ workspaceId }) => workspaceId)));
const idsIn = (pages: readonly SyncPage[]) => pages.flatMap(({ records }) => records.map(({ id }) => id));

describe('the choice of Gong workspaces', () => {
  test("lists the company's workspaces by name", async () => {
    const { accounts, isComplete } = await listWith(inSandbox());
    expect(isComplete).toBe(true);
    expect(accounts.map(({ name, selectable }) => [name, selectable])).toStrictEqual([
      ['Customer success', true],
      ['Sales', true],
      ['Support – Español', true],
    ]);
  });

  test('is empty if Gong finds no workspaces or the token may not list them', async () => {
    for (const status of [403, 404]) {
      const { transport } = scriptedTransport({ status, body: { errors: ['No'] } });
      expect(await listWith(transport)).toStrictEqual({ accounts: [], isComplete: true });
    }
    const rejected = { status: 401, body: { errors: ['Missing scope'] } };
    const { transport } = scriptedTransport(rejected, { body: { users: [] } }, rejected);
    expect(await listWith(transport)).toStrictEqual({ accounts: [], isComplete: true });
  });

  test('reports a rejected key', async () => {
    const rejected = { status: 401, body: { errors: ['Unauthorized'] } };
    const { transport } = scriptedTransport(rejected, rejected);
    await expect(listWith(transport)).rejects.toMatchObject({ code: 'reauthentication_required' });
  });

  test('renews an expired access token instead of listing nothing', async () => {
    const vendor = sandbox.control.vendor('gong');
    const minted = vendor.act('mint-tokens') as Record<string, string>;
    vendor.act('expire-access-tokens');
    const grant: Grant = {
      method: 'oauth',
      credentials: {
        access_token: minted['access_token'],
        refresh_token: minted['refresh_token'],
        client_id: 'gong_sandbox_client',
        client_secret: 'gong_sandbox_client_secret',
      },
      state: { api_base_url_for_customer: minted['api_base_url_for_customer'] },
      settings: {},
    };
    expect((await listWith(inSandbox(), grant)).accounts).toHaveLength(3);
  });
});

describe('a Gong sync run of chosen workspaces', () => {
  test('reads only their calls', async () => {
    const [success, sales, support] = (await listWith(inSandbox())).accounts.map(({ id }) => id);
    if (!success || !sales || !support) throw new Error('three workspaces are expected');
    const chosen = await syncOf([support, success]);
    expect(workspacesIn(chosen)).toEqual(new Set([support, success]));
    const all = await syncOf(undefined);
    expect(workspacesIn(all)).toEqual(new Set([success, sales, support]));
    const rest = await syncOf([sales]);
    expect(idsIn(chosen).length + idsIn(rest).length).toBe(idsIn(all).length);
  });

  test('filters detailed calls by workspace too', async () => {
    const { transport, requests } = scriptedTransport({ body: { calls: [] } });
    const vendor = await vendorWith(transport, { ...key, settings: { workspace_ids: ['7'] } });
    const { run } = gong.entities.calls_extensive.search.sync;
    for await (const page of run(vendor, { since: null, position: null })) expect(page.records).toEqual([]);
    expect(requests).toMatchObject([{ body: { filter: { workspaceId: '7' } } }]);
  });

  test('resumes after any page', async () => {
    const ids = (await listWith(inSandbox())).accounts.map(({ id }) => id);
    const whole = await syncOf(ids);
    expect(whole.filter(({ since }) => since !== undefined)).toHaveLength(1);
    for (const [index, { position }] of whole.slice(0, -1).entries()) {
      if (index % 5 !== 0 && whole[index + 1]?.position !== null) continue;
      const rest = await syncOf(ids, position);
      expect(idsIn(rest)).toEqual(idsIn(whole.slice(index + 1)));
      expect(rest.at(-1)?.since).toBe(whole.at(-1)?.since);
    }
  });

  test('reads the next workspace if one has no calls', async () => {
    const empty = { status: 404, body: { errors: ['No calls found corresponding to the provided filters'] } };
    const calls = { body: { calls: [{ id: '1', started: '2026-11-02T10:00:00Z' }] } };
    const { transport, requests } = scriptedTransport(empty, calls);
    const vendor = await vendorWith(transport, { ...key, settings: { workspace_ids: ['2', '1', '2'] } });
    const pages: SyncPage[] = [];
    const start = { since: null, position: null };
    for await (const page of gong.entities.calls.search.sync.run(vendor, start)) pages.push(page);
    expect(requests.map(({ query }) => query?.['workspaceId'])).toEqual(['1', '2']);
    expect(idsIn(pages)).toEqual(['1']);
    expect(pages.at(-1)).toMatchObject({ position: null, since: '2026-11-02T10:00:00.000Z' });
  });
});
