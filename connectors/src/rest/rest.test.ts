/** What a kind made with the kit sends, reads and reports, request by request. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { manualClock, scriptedTransport } from '../../test/scripted.ts';
import {
  connect,
  defineKind,
  execute,
  grantsInMemory,
  unlimited,
  type AuthMethod,
  type Grant,
  type Sync,
  type SyncPage,
  type VendorResponse,
} from '../kind/index.ts';
import {
  apiKey,
  basic,
  byCursor,
  checkBy,
  clientCredentials,
  create,
  failures,
  get,
  integer,
  list,
  oauth,
  search,
  syncByCursor,
  syncByTime,
  update,
  type Resource,
} from './index.ts';

const api = { name: 'Things', url: 'https://things.example/v1', headers: { 'api-version': '7' } };
const texts = { description: 'A key', helpUrl: 'https://things.example/help' };
const things = {
  api,
  noun: 'item',
  path: '/lists/{list}/items',
  record: z.object({ id: integer, name: z.string().nullable(), done_at: z.iso.datetime().nullable() }),
  at: 'items',
  paging: byCursor({ param: 'cursor', next: 'next' }),
} satisfies Resource;
const inList = { list: z.string() };

const key = apiKey({ in: { query: 'key' }, ...texts });

function kindWith(method: AuthMethod, sync: Sync = syncByTime(things, { field: 'done_at', param: 'since' })) {
  return defineKind({
    key: 'things',
    name: api.name,
    definitionId: '00000000-0000-4000-8000-000000000001',
    description: 'Things',
    supportLevel: 'community',
    icon: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"/>',
    environmentPrefix: 'OAUTH_THINGS',
    hosts: ['things.example'],
    authMethods: [method],
    rateLimits: [],
    fullSyncCallsPerHour: 0,
    entities: {
      items: {
        description: 'Items',
        actions: {
          list: list(things, { params: { ...inList, tags: z.array(z.string()).optional() } }),
          get: get(things, { params: inList, at: 'item', query: { fields: 'all' } }),
          create: create(things, { params: { ...inList, name: z.string() }, at: 'item' }),
          update: update(things, { params: { ...inList, name: z.string() }, at: 'item', method: 'PUT' }),
        },
        search: search(things, { sync }),
      },
    },
    check: checkBy(api, { entity: 'items', path: '/me', account: 'user.id' }),
    readFailure: failures({
      byStatus: { 402: 'permission', 404: 'not_found' },
      byCode: { paused: 'operator' },
      limit: { remaining: 'x-remaining', reset: 'x-reset', unit: 'epoch' },
    }),
  });
}

const started = Date.parse('2026-03-01T12:00:00Z');

/** Connects to a vendor that sends these responses. */
function open(
  grant: Partial<Grant>,
  method: AuthMethod = key,
  responses: readonly (Partial<VendorResponse> | Error)[] = [],
  sync?: Sync,
) {
  const kind = kindWith(method, sync);
  const { transport, requests, left } = scriptedTransport(...responses);
  const grants = grantsInMemory({ method: method.id, credentials: {}, state: {}, settings: {}, ...grant });
  const app = { clientId: 'app', clientSecret: 'app-secret', extras: {} };
  const clock = manualClock(started);
  const connection = connect({ kind, grants, transport, limiter: unlimited, clock, app });
  const run = (action: string, params: Record<string, unknown>) =>
    execute(connection, { entity: 'items', action, params });
  const read = async (since: string | null, position: unknown = null): Promise<SyncPage[]> => {
    const pages: SyncPage[] = [];
    const vendor = await connection.vendorFor({ repeatable: true });
    for await (const page of kind.entities.items.search.sync.run(vendor, { since, position }))
      pages.push(page);
    return pages;
  };
  const check = async () => kind.check.run(await connection.vendorFor({ repeatable: true }));
  return { run, read, check, requests, left, clock, grants };
}

const withKey = { credentials: { api_key: 'secret-key' } };

describe('actions', () => {
  test('put params into the path, the query and the body', async () => {
    const item = { id: 9_007_199_254_740_993n, extra: 1 };
    const { run, requests } = open(withKey, key, [
      { body: { items: [item], next: 'c2' } },
      { body: { item } },
      { body: { item } },
      { body: { item } },
    ]);
    expect(await run('list', { list: 'a/b', tags: ['x', 'y'], cursor: 'c1' })).toEqual({
      result: [{ id: 9_007_199_254_740_993n, name: null, done_at: null }],
      connector_metadata: { cursor: 'c2', has_more: true },
    });
    await run('get', { list: 'l', id: '?x' });
    await run('create', { list: 'l', name: 'New' });
    await run('update', { list: 'l', id: '7', name: 'Other' });
    const headers = { 'api-version': '7' };
    const url = 'https://things.example/v1/lists';
    const query = { key: 'secret-key' };
    expect(requests).toEqual([
      { method: 'GET', url: `${url}/a%2Fb/items`, query: { tags: 'x,y', cursor: 'c1', ...query }, headers },
      { method: 'GET', url: `${url}/l/items/%3Fx`, query: { fields: 'all', ...query }, headers },
      { method: 'POST', url: `${url}/l/items`, query, headers, body: { name: 'New' } },
      { method: 'PUT', url: `${url}/l/items/7`, query, headers, body: { name: 'Other' } },
    ]);
  });

  test('a change is read afterwards if its response is not the record, and is no error if it cannot be read', async () => {
    const params = { ...inList, name: z.string() };
    const readBy = get(things, { params: inList, at: 'item' });
    const kind = kindWith(key);
    const changes = {
      create: create(things, { params, readBy, idAt: 'post.id' }),
      update: update(things, { params, readBy }),
    };
    const { transport, requests } = scriptedTransport(
      { status: 202, body: { post: { id: 7 } } },
      { body: { item: { id: 7, name: 'As stored' } } },
      { status: 204, body: null },
      { body: { item: { id: 7, name: 'As changed' } } },
      { status: 202, body: { post: { id: 8 } } },
      { status: 404 },
      { status: 202, body: {} },
    );
    const grants = grantsInMemory({ ...withKey, method: key.id, state: {}, settings: {} });
    const connection = connect({ kind, grants, transport, limiter: unlimited, clock: manualClock(started) });
    const vendor = await connection.vendorFor({ repeatable: false });
    const given = { list: 'l', name: 'New' };
    const item = { done_at: null };
    expect((await changes.create.run(given, vendor)).result).toEqual({ ...item, id: 7, name: 'As stored' });
    const changed = await changes.update.run({ ...given, id: '7' }, vendor);
    expect(changed.result).toEqual({ ...item, id: 7, name: 'As changed' });
    expect((await changes.create.run(given, vendor)).result).toEqual({ ...item, id: 8, name: null });
    await expect(changes.create.run(given, vendor)).rejects.toMatchObject({ code: 'vendor_failed' });
    expect(requests.map(({ method, url }) => `${method} ${url.split('/v1')[1]}`)).toEqual([
      'POST /lists/l/items',
      'GET /lists/l/items/7',
      'PATCH /lists/l/items/7',
      'GET /lists/l/items/7',
      'POST /lists/l/items',
      'GET /lists/l/items/8',
      'POST /lists/l/items',
    ]);
    expect(requests[1]?.query).toEqual({ key: 'secret-key' });
  });

  test.each(['.', '..', '', 'a b'])('the id %j belongs to no record, and is not sent', async id => {
    const { run, requests } = open(withKey);
    await expect(run('get', { list: 'l', id })).rejects.toMatchObject({ code: 'record_not_found' });
    expect(requests).toEqual([]);
  });

  test('no param can lead to another path', async () => {
    const { run, requests } = open(withKey);
    const issue = { path: 'params.list', message: 'Cannot be part of an address' };
    await expect(run('list', { list: '..' })).rejects.toMatchObject({
      code: 'invalid_params',
      errors: [issue],
    });
    expect(requests).toEqual([]);
  });

  test('a path needs its params when it is declared', () => {
    expect(() => list(things)).toThrow('The path /lists/{list}/items needs params: list');
  });

  test('search fields follow from the record', () => {
    expect(search(things, { sync: syncByTime(things, { field: 'done_at', param: 'since' }) })).toMatchObject({
      fields: { id: 'integer', name: 'string', done_at: 'string' },
      primaryKey: ['id'],
      indexed: ['done_at'],
      times: ['done_at'],
      text: [],
    });
  });
});

describe('failures', () => {
  const read = failures({
    message: ['errors.0.detail', 'message', 'error.message', 'error'],
    byStatus: { 402: 'permission', 304: null },
    byCode: { paused: 'operator' },
    limit: { remaining: 'X-Remaining', reset: 'X-Reset', unit: 'epoch' },
    isFailure: ({ body }) => body === 'failed',
  });
  const inTenSeconds = { 'x-reset': String(started / 1000 + 10) };
  test.each([
    [{ status: 200 }, null],
    [{ status: 200, body: 'failed' }, { kind: 'request' }],
    [
      { status: 401, body: { error: 'x' } },
      { kind: 'credentials', code: 'x', message: 'x' },
    ],
    [
      { status: 400, body: { error: { code: 7, message: 'No' } } },
      { kind: 'request', code: '7', message: 'No' },
    ],
    [
      { status: 400, body: { errors: [{ detail: 'The first of a list' }, { detail: 'Another' }] } },
      { kind: 'request', message: 'The first of a list' },
    ],
    [
      { status: 400, body: { code: 'paused' } },
      { kind: 'operator', code: 'paused' },
    ],
    [{ status: 402 }, { kind: 'permission' }],
    [{ status: 403, headers: { 'x-remaining': '1' } }, { kind: 'permission' }],
    [
      { status: 403, headers: { 'x-remaining': '0', ...inTenSeconds } },
      { kind: 'rate_limit', retryAfterSeconds: 10 },
    ],
    [
      { status: 429, headers: { 'retry-after': '3', ...inTenSeconds } },
      { kind: 'rate_limit', retryAfterSeconds: 3 },
    ],
    [{ status: 410 }, { kind: 'not_found' }],
    [{ status: 503 }, { kind: 'vendor' }],
  ])('%j is %j', (response, failure) => {
    const found = read({ headers: {}, body: null, ...response }, started);
    expect(found).toEqual(failure === null ? null : expect.objectContaining(failure));
  });
});

describe('auth', () => {
  test('HTTP Basic sends a name and a password, or a key as the name', async () => {
    const sent = async (method: AuthMethod, credentials: Record<string, string>) => {
      const { check, requests } = open({ credentials }, method, [{ body: { user: { id: 5 } } }]);
      expect(await check()).toEqual({ account: '5' });
      return requests[0]?.headers?.['authorization'];
    };
    expect(await sent(basic(texts), { username: 'u', password: 'p' })).toBe(`Basic ${btoa('u:p')}`);
    const nameOnly = basic({ ...texts, username: { title: 'Secret key' }, password: null });
    expect(await sent(nameOnly, { username: 'k' })).toBe(`Basic ${btoa('k:')}`);
    expect(nameOnly.fields.safeParse({ username: 'k' }).success).toBe(true);
    const title = { title: 'Secret key', writeOnly: true };
    expect(z.globalRegistry.get(nameOnly.fields.shape['username'] as z.ZodType)).toMatchObject(title);
    expect(nameOnly.fields.safeParse({ username: 'a:b' }).error?.issues).toMatchObject([
      { message: "The secret key can't contain spaces or special characters" },
    ]);
  });

  test('client credentials get a token once for as long as it is valid, and again if it is rejected', async () => {
    const method = clientCredentials(api, {
      ...texts,
      tokenUrl: 'https://things.example/token',
      scopes: ['read'],
      clientAuthentication: 'basic',
    });
    const token = (access_token: string) => ({ body: { access_token, expires_in: 3600 } });
    const me = { body: { user: { id: 'u' } } };
    const credentials = { client_id: 'id', client_secret: 'secret' };
    const { check, requests, clock } = open({ credentials }, method, [
      token('one'),
      me,
      me,
      { status: 401 },
      token('two'),
      me,
      token('three'),
      me,
    ]);
    await check();
    await check();
    await check();
    await clock.sleep(3_550_000);
    await check();
    expect(requests[0]).toEqual({
      method: 'POST',
      url: 'https://things.example/token',
      form: { grant_type: 'client_credentials', scope: 'read' },
      headers: { authorization: `Basic ${btoa('id:secret')}` },
    });
    const used = requests
      .map(({ headers }) => headers?.['authorization'])
      .filter(value => value?.startsWith('Bearer'));
    expect(used).toEqual(['one', 'one', 'one', 'two', 'three'].map(name => `Bearer ${name}`));
  });

  test('a rejected client or sign-in is reported to whom it concerns', async () => {
    const own = clientCredentials(api, { ...texts, tokenUrl: 'https://things.example/token' });
    const credentials = { client_id: 'id', client_secret: 'own-value' };
    const rejected = { status: 401, body: { error: 'invalid_client' } };
    await expect(open({ credentials }, own, [rejected]).check()).rejects.toMatchObject({
      code: 'reauthentication_required',
      errors: [{ path: 'credentials.client_secret' }],
    });
    const ours = signIn();
    const grant = { credentials: { refresh_token: 'r' } };
    await expect(open(grant, ours, [rejected]).check()).rejects.toMatchObject({
      code: 'vendor_misconfigured',
    });
    const expired = { status: 400, body: { error: 'invalid_grant' } };
    await expect(open(grant, ours, [expired]).check()).rejects.toMatchObject({
      code: 'reauthentication_required',
    });
  });

  const signIn = (options: Partial<Parameters<typeof oauth>[1]> = {}) =>
    oauth(api, {
      ...texts,
      authorizeUrl: 'https://things.example/authorize',
      tokenUrl: 'https://things.example/token',
      scopes: ['a', 'b'],
      ...options,
    });

  test('OAuth keeps a refresh token that is not replaced, and what the vendor says about the account', async () => {
    const method = signIn({ readState: tokens => ({ host: tokens['instance'] }) });
    const response = {
      status: 200,
      headers: {},
      body: { access_token: 'a1', refresh_token: 'r1', instance: 'eu' },
    };
    const tokens = method.consent?.readTokens(response, started);
    expect(tokens).toMatchObject({ credentials: { refresh_token: 'r1' }, state: { host: 'eu' } });
    const { check, requests, grants, clock } = open(tokens ?? {}, method, [
      { body: { access_token: 'a2', instance: 'us' } },
      { body: {} },
    ]);
    await clock.sleep(3_600_000);
    expect(await check()).toEqual({ account: null });
    expect(requests[1]?.headers).toMatchObject({ authorization: 'Bearer a2' });
    expect(await grants.read()).toMatchObject({
      credentials: { refresh_token: 'r1' },
      state: { host: 'us' },
    });
  });

  test('OAuth without a refresh token uses the access token until it is rejected', async () => {
    const method = signIn();
    const response = { status: 200, headers: {}, body: { access_token: 'a1' } };
    const { check, requests } = open(method.consent?.readTokens(response, started) ?? {}, method, [
      { body: {} },
      { status: 401 },
    ]);
    await check();
    expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer a1' });
    await expect(check()).rejects.toMatchObject({ code: 'reauthentication_required' });
    expect(requests).toHaveLength(2);
  });

  test('OAuth reports an error that the vendor sends with status 200', () => {
    const response = { status: 200, headers: {}, body: { error: 'bad_verification_code' } };
    expect(() => signIn().consent?.readTokens(response, started)).toThrow(
      expect.objectContaining({ code: 'vendor_refused_request' }),
    );
  });
});

describe('a sync', () => {
  const page = (next: string | null, ...items: object[]) => ({ body: { items, next } });

  test('by time reads each list, skips one that is gone, and resumes in the list where it was', async () => {
    const sync = syncByTime(things, {
      field: 'done_at',
      param: 'since',
      format: 'seconds',
      within: () => Promise.resolve([{ list: 'b' }, { list: 'a' }, { list: 'c' }]),
      skips: ({ code }) => code === 'record_not_found',
    });
    const early = '2026-02-01T00:00:00.000Z';
    const responses = [
      page('2', { id: 1, done_at: early }),
      page(null, { id: 2, done_at: '2027-01-01T00:00:00Z' }),
      page(null, { id: 3, done_at: '2026-02-03T00:00:00Z' }),
      { status: 404 },
    ];
    const whole = await open(withKey, key, responses, sync).read(null);
    expect(whole.map(({ records }) => records.map(({ id }) => id))).toEqual([[1], [2], [3], []]);
    // Five minutes before the latest change that is not in the future.
    expect(whole.at(-1)).toMatchObject({ position: null, since: '2026-02-02T23:55:00.000Z' });
    const resumed = open(withKey, key, responses.slice(1), sync);
    const rest = await resumed.read(early, whole[0]?.position);
    expect(rest).toEqual(whole.slice(1));
    expect(resumed.requests[0]?.query).toMatchObject({ cursor: '2', since: Date.parse(early) / 1000 });
    expect(resumed.requests.map(({ url }) => url.split('/').at(-2))).toEqual(['a', 'b', 'c']);
  });

  test('by time starts again where the run began, because a page can change after it was read', async () => {
    const sync = syncByTime({ ...things, path: '/items' }, { field: 'done_at', param: 'since' });
    const first = page('2', { id: 1, done_at: null });
    const [before] = await open(withKey, key, [first, page(null)], sync).read(null);
    // An hour later, the run continues, and reads a change that is newer than its beginning.
    const later = open(withKey, key, [page(null, { id: 2, done_at: '2026-03-01T12:30:00Z' })], sync);
    await later.clock.sleep(3_600_000);
    const pages = await later.read(null, before?.position);
    expect(pages.at(-1)?.since).toBe('2026-03-01T11:55:00.000Z');
  });

  test('by cursor continues with the value of the last page, and reads all again if it is no longer accepted', async () => {
    const sync = syncByCursor(
      { ...things, path: '/items' },
      {
        param: 'token',
        next: 'token',
        isDeleted: ({ deleted }) => deleted === true,
      },
    );
    const last = { body: { items: [{ id: 1 }, { id: 2, deleted: true }], next: null, token: 't2' } };
    const first = await open(withKey, key, [last], sync).read(null);
    expect(first).toMatchObject([{ records: [{ id: 1 }], since: 't2' }]);
    expect(first[0]).not.toHaveProperty('deleted');
    const second = open(withKey, key, [last], sync);
    expect(await second.read('t1')).toMatchObject([
      { records: [{ id: 1 }], deleted: [{ id: 2 }], since: 't2' },
    ]);
    expect(second.requests[0]?.query).toMatchObject({ token: 't1' });

    const stale = open(withKey, key, [{ status: 400 }, page('p2', { id: 1 }), last], sync);
    const pages = await stale.read('t0');
    expect(pages.map(({ since }) => since)).toEqual([undefined, 't2']);
    const resumed = open(withKey, key, [last], sync);
    await resumed.read('t0', pages[0]?.position);
    expect([...stale.requests, ...resumed.requests].map(({ query }) => query?.['token'])).toEqual([
      't0',
      undefined,
      undefined,
      undefined,
    ]);
    await expect(open(withKey, key, [page(null)], sync).read(null)).rejects.toMatchObject({
      code: 'vendor_failed',
    });
  });
});
