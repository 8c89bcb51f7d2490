import { kinds } from '@connector-auth/connectors';
import { unlimited, type Transport, type VendorRequest } from '@connector-auth/connectors/kind';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeDatabase, type TestDatabase, openTestDatabase } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { firstKind } from '../../../test/second-kind.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';
import { type Database } from '../../platform/database/database.ts';
import { verifyGrant } from './verify.ts';

let place: TestDatabase;
let database: Database;
let service: TestService;
let token: string;
let credentials: Readonly<Record<string, string>>;

beforeAll(async () => {
  place = await makeDatabase('postgres');
  database = await openTestDatabase(place.location);
  service = await startTestService(database);
  token = await service.tokenOf(await service.addApplication('own', ['Own']));
  const vendor = service.sandbox.control.vendors().find(({ key }) => key === 'google-ads');
  credentials = vendor?.credentials.find(({ works }) => works)?.values ?? {};
});
afterAll(async () => {
  await service.close();
  await database.close();
  await place.remove();
});

test.each([
  ['developer_token', 'wrong-developer-token'],
  ['client_secret', 'wrong-secret'],
  ['refresh_token', '1//wrong'],
])('reports the field that the vendor rejected: %s', async (field, value) => {
  const response = await service.ask('POST', '/api/v1/integrations/connectors', {
    token,
    body: {
      customer_name: 'acme',
      connector_type: 'google-ads',
      name: 'Ads',
      credentials: { ...credentials, [field]: value },
    },
  });
  expect(response.status).toBe(422);
  expect(response.body.code).toBe('credentials_refused');
  expect(response.body.errors).toEqual([{ path: `credentials.${field}`, message: expect.any(String) }]);
  expect(response.text).not.toContain(value);
});

test('verifies the connector’s own account if the credentials can access several', async () => {
  let reached = 0;
  const run = (_vendor: unknown, knownAs: string | null = null) =>
    Promise.resolve({ account: knownAs ?? `account ${++reached}` });
  const kinds = [{ ...firstKind, check: { ...firstKind.check, run } }];
  const path = '/api/v1/integrations/connectors';
  const wide = await startTestService(database, { kinds, sandbox: service.sandbox });
  const connected = { customer_name: 'acme', connector_type: firstKind.key, name: 'Notes' };
  const body = { ...connected, credentials: { api_key: goodKey } };
  const { body: created } = await wide.ask('POST', path, { token, body });
  const change = { token, body: { credentials: { api_key: goodKey } } };
  expect((await wide.ask('PATCH', `${path}/${created.id}`, change)).status).toBe(200);
  expect(reached).toBe(1);
  await wide.close();
});

describe('a single-use refresh token', () => {
  const path = '/api/v1/integrations/connectors';
  /** Returns new credentials on each call. */
  const gongCredentials = () => {
    const vendor = service.sandbox.control.vendors().find(({ key }) => key === 'gong');
    return vendor?.credentials.find(({ values }) => 'refresh_token' in values)?.values ?? {};
  };
  afterEach(() => service.sandbox.control.reset());
  const create = (credentials: unknown) => {
    const body = { customer_name: 'acme', connector_type: 'gong', name: 'Calls', credentials };
    return service.ask('POST', path, { token, body });
  };
  const check = async (id: string) => (await service.ask('POST', `${path}/${id}/check`, { token })).body;

  test.each([
    ['fails', { status: 503 }],
    ['asks to slow down', { status: 429, retryAfter: 900 }],
    ['cuts the connection', { closeConnection: true }],
  ])('keeps the refreshed grant if the vendor %s after the refresh', async (_what, fault) => {
    service.sandbox.control.faults.add({ vendor: 'gong', path: '/v2/*', ...fault });
    const made = await create(gongCredentials());
    expect(made.status).toBe(201);
    service.sandbox.control.faults.clear();
    expect(await check(made.body.id)).toMatchObject({ status: 'healthy' });
    expect(service.sandbox.control.requests.count({ vendor: 'gong', operation: 'refresh token' })).toBe(1);
  });

  test('rejects a refresh token if the vendor rejects the refreshed grant', async () => {
    service.sandbox.control.faults.add({ vendor: 'gong', path: '/v2/*', status: 403 });
    expect((await create(gongCredentials())).body.code).toBe('credentials_refused');
  });

  test('keeps the refreshed grant if the vendor rate-limits requests during re-authentication', async () => {
    const made = await create(gongCredentials());
    service.sandbox.control.faults.add({ vendor: 'gong', path: '/v2/*', status: 429, retryAfter: 900 });
    const change = { token, body: { credentials: gongCredentials() } };
    expect((await service.ask('PATCH', `${path}/${made.body.id}`, change)).status).toBe(200);
    service.sandbox.control.faults.clear();
    expect(await check(made.body.id)).toMatchObject({ status: 'healthy' });
  });

  /** Verifies a Gong grant with a fake transport, and calls `seen` for each vendor request. */
  const verify = (
    signal: AbortSignal,
    seen: (request: VendorRequest, call: Parameters<Transport>[1]) => void,
  ) => {
    const gong = kinds.find(({ key }) => key === 'gong');
    if (gong === undefined) throw new Error('The tests lean on the kind gong');
    const transport: Transport = (request, call) => {
      seen(request, call);
      if (call.signal?.aborted) throw new Error('the request was cancelled');
      const tokens = { access_token: 'a', refresh_token: 'r2', expires_in: 86_400 };
      const body = request.url.includes('/oauth2/') ? tokens : { users: [], workspaces: [{ id: '7' }] };
      return Promise.resolve({ status: 200, headers: {}, body });
    };
    const credentials = { refresh_token: 'r1', client_id: 'c', client_secret: 's' };
    const grant = { method: 'oauth', credentials, state: {}, settings: {} };
    const verification = { choice: [], knownAs: null, signal, saveRenewed: undefined };
    return verifyGrant({ transport, limiter: unlimited }, gong, grant, verification);
  };

  test('completes the verification if the caller disconnects during the refresh', async () => {
    const caller = new AbortController();
    const verified = await verify(caller.signal, ({ url }) => {
      if (url.includes('/oauth2/')) caller.abort();
    });
    expect(verified).toMatchObject({
      account: 'workspace 7',
      grant: { credentials: { refresh_token: 'r2' } },
    });
  });

  test('does not use a refresh token if the caller has already disconnected', async () => {
    const asked: string[] = [];
    const verified = verify(AbortSignal.abort(), ({ url }) => void asked.push(url));
    await expect(verified).rejects.toMatchObject({ code: 'aborted' });
    expect(asked).toEqual([]);
  });
});
