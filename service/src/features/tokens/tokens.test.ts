import { systemClock } from '@connector-auth/api';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeDatabase, type TestDatabase, openTestDatabase } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { bothKinds, secondKind } from '../../../test/second-kind.ts';
import {
  keyRing,
  startTestService,
  type TestApplication,
  type TestService,
} from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { type Database } from '../../platform/database/database.ts';
import { createTokenSigner } from '../../shared/auth/token-signer.ts';
import { findApplication } from '../../shared/repositories/applications.ts';
import { insertRevocation } from '../../shared/repositories/revocations.ts';

const tokenPath = '/api/v1/account/applications/token';
const definitions = '/api/v1/integrations/definitions/sources';

let place: TestDatabase;
let database: Database;
let service: TestService;
let application: TestApplication;
let token: string;

beforeAll(async () => {
  place = await makeDatabase('postgres');
  database = await openTestDatabase(place.location);
  service = await startTestService(database, { kinds: bothKinds });
  application = await service.addApplication('own', ['First', 'Second']);
  token = await service.tokenOf(await service.addApplication('one', ['First']));
});
afterAll(async () => {
  await service.close();
  await database.close();
  await place.remove();
  vi.restoreAllMocks();
});

/** Returns the fields of each line with this event. */
const eventsOf = (event: string): unknown[] =>
  service
    .logged()
    .split('\n')
    .filter(line => line.includes(`"event":"${event}"`))
    .map(line => JSON.parse(line) as unknown);

/** Returns the lines about a request, once it was logged. */
const linesOf = (requestId: string): Promise<unknown[]> =>
  until(() => {
    const lines = service
      .logged()
      .split('\n')
      .filter(line => line.includes(requestId));
    expect(lines.some(line => line.includes('"duration_ms"'))).toBe(true);
    return lines.map(line => JSON.parse(line) as unknown);
  });

const credentials = () => ({ client_id: application.clientId, client_secret: application.clientSecret });

describe('the display name of a customer', () => {
  const mint = (body: Readonly<Record<string, unknown>>) =>
    service.ask('POST', '/api/v1/account/applications/scoped-token', {
      token,
      body: { customer_name: 'named', ...body },
    });
  const stored = async () =>
    (
      await database.kysely
        .selectFrom('customers')
        .select('display_name')
        .where('name', '=', 'named')
        .executeTakeFirstOrThrow()
    ).display_name;

  test('is stored with a token, stays if it is omitted, and changes with the next one', async () => {
    await mint({});
    expect(await stored()).toBeNull();
    for (const [body, expected] of [
      [{ customer_display_name: 'Named Ltd' }, 'Named Ltd'],
      [{}, 'Named Ltd'],
      [{ customer_display_name: 'Named <b>GmbH</b>' }, 'Named <b>GmbH</b>'],
    ] as const) {
      expect((await mint(body)).status).toBe(200);
      expect(await stored()).toBe(expected);
    }
  });

  test.each(['', ' ', 'a\u0000b', 'a\nb', 'a\u202Eb', '\uD800', 'x'.repeat(81), null, 7])(
    'rejects the display name %j',
    async name => {
      const { status, body } = await mint({ customer_display_name: name });
      expect(status).toBe(400);
      expect(body.errors).toEqual([expect.objectContaining({ path: 'customer_display_name' })]);
    },
  );
});

describe('an application token', () => {
  test('returns an application token with the id of its first organization', async () => {
    const response = await service.ask('POST', tokenPath, { body: credentials() });
    expect(response.body).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 900,
      organization_id: application.organizationIds[0],
    });
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers['ratelimit-policy']).toBe('"client";q=30;w=60');
    expect(response.headers['ratelimit']).toMatch(/^"client";r=\d+;t=\d+$/);
    const { exp = 0, iat = 0, ...claims } = decodeJwt(response.body.access_token);
    expect(exp - iat).toBe(900);
    expect(claims).toMatchObject({ orgs: application.organizationIds });
    expect(decodeProtectedHeader(response.body.access_token)).toMatchObject({
      alg: 'HS256',
      typ: 'application+jwt',
    });
  });

  test.each([
    ['a wrong secret', () => ({ ...credentials(), client_secret: 'wrong' })],
    ['an unknown client id', () => ({ ...credentials(), client_id: 'unknown' })],
    ["another application's secret", () => ({ ...credentials(), client_id: 'one' })],
  ])('rejects %s with the same message', async (_title, body) => {
    const response = await service.ask('POST', tokenPath, { body: body() });
    expect(response.status).toBe(401);
    expect(response.body).toMatchObject({
      code: 'client_credentials_invalid',
      detail: 'The client id or client secret is wrong',
    });
    expect(response.headers['www-authenticate']).toBe('Bearer realm="connector-auth"');
  });

  test('rejects an application token after 15 minutes', async () => {
    const fresh = await service.tokenOf(application);
    const headers = { 'x-organization-id': application.organizationIds[0] ?? '' };
    // Time also passes by itself.
    service.advance(840_000);
    expect((await service.ask('GET', definitions, { token: fresh, headers })).status).toBe(200);
    service.advance(61_000);
    const response = await service.ask('GET', definitions, { token: fresh, headers });
    expect(response.status).toBe(401);
    expect(response.body.code).toBe('token_expired');
    expect(response.headers['www-authenticate']).toMatch(
      /error="invalid_token", error_description=".*expired.*"$/,
    );
    token = await service.tokenOf({ ...application, clientId: 'one', clientSecret: 'secret-of-one' });
  });
});

describe('a token for a customer', () => {
  test('mints a scoped token that expires after 20 minutes', async () => {
    const path = '/api/v1/account/applications/scoped-token';
    const response = await service.ask('POST', path, { token, body: { customer_name: 'Müller & Söhne' } });
    expect(response.body).toEqual({
      token: expect.any(String),
      token_type: 'bearer',
      expires_in: 1200,
      customer_name: 'Müller & Söhne',
    });
    expect(decodeProtectedHeader(response.body.token).typ).toBe('scoped+jwt');
    expect(decodeJwt(response.body.token)).toMatchObject({ actions: ['list', 'get', 'search', 'check'] });
    expect(decodeJwt(response.body.token)).not.toHaveProperty('sources');
  });

  test.each([
    ['https://App.Example:443', 'https://app.example'],
    ['https://app.example:8443', 'https://app.example:8443'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://acme.localhost:3000', 'http://acme.localhost:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('mints a widget token for the origin %s', async (allowed_origin, normal) => {
    const path = '/api/v1/account/applications/widget-token';
    const response = await service.ask('POST', path, {
      token,
      body: { customer_name: 'acme', allowed_origin },
    });
    expect(response.body).toMatchObject({ expires_in: 1200, customer_name: 'acme', allowed_origin: normal });
    const list = await service.ask('GET', definitions, {
      token: response.body.token,
      headers: { origin: normal },
    });
    expect(list.status).toBe(200);
  });

  test('accepts source names in any spelling, and reports the index of each unknown source', async () => {
    const minted = await service.customerToken(token, {
      customer_name: 'acme',
      allowed_sources: ['GRANOLA', 'meeting_ledger', 'Meeting Ledger'],
    });
    expect(decodeJwt(minted)).toMatchObject({ sources: ['granola', 'meeting-ledger'] });
    const body = { customer_name: 'new', allowed_sources: ['granola', 'gmail', 'x'] };
    const response = await service.ask('POST', '/api/v1/account/applications/scoped-token', { token, body });
    expect(response.status).toBe(422);
    expect(response.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'allowed_sources.1',
      'allowed_sources.2',
    ]);
    const { body: customers } = await service.ask('GET', '/api/v1/customers', { token });
    expect(customers.data.map(({ name }: { name: string }) => name)).not.toContain('new');
  });
});

describe('management rights', () => {
  const everything = ['create', 'rename', 'reconnect', 'delete', 'settings'];
  const origin = { allowed_origin: 'https://app.example' };

  test.each([
    ['a scoped token without lists', {}, everything],
    ['a scoped token with actions', { allowed_actions: ['list'] }, []],
    [
      'a scoped token with actions and rights',
      { allowed_actions: ['list'], allowed_management: ['link'] },
      ['link'],
    ],
    ['a scoped token with rights only', { allowed_management: ['delete'] }, ['delete']],
    ['a widget token without lists', origin, everything],
    ['a widget token with actions', { ...origin, allowed_actions: ['list'] }, everything],
    ['a widget token with an empty list', { ...origin, allowed_management: [] }, []],
  ])('gives %s the documented management rights', async (_title, body, rights) => {
    const minted = await service.customerToken(token, { customer_name: 'acme', ...body });
    expect(decodeJwt(minted)).toMatchObject({ management: rights });
  });

  test('rejects an unknown management right', async () => {
    const response = await service.ask('POST', '/api/v1/account/applications/scoped-token', {
      token,
      body: { customer_name: 'acme', allowed_management: ['destroy'] },
    });
    expect(response.status).toBe(400);
    expect(response.body.errors).toMatchObject([{ path: 'allowed_management.0' }]);
  });

  test('names the right that a token lacks, for each way to change a connector', async () => {
    const path = '/api/v1/integrations/connectors';
    const connectorId = crypto.randomUUID();
    const none = await service.customerToken(token, { customer_name: 'acme', allowed_management: [] });
    const credentials = { api_key: 'grn_any' };
    const consent = { connector_type: 'granola', redirect_url: 'https://service.example/oauth/complete' };
    for (const [method, address, body, right] of [
      ['POST', path, { connector_type: 'granola', name: 'Notes', credentials }, 'create'],
      ['PATCH', `${path}/${connectorId}`, { name: 'Notes' }, 'rename'],
      ['PATCH', `${path}/${connectorId}`, { credentials }, 'reconnect'],
      ['PATCH', `${path}/${connectorId}`, { replication_config: {} }, 'settings'],
      ['PATCH', `${path}/${connectorId}`, { server_side_oauth_secret_id: 'x'.repeat(43) }, 'reconnect'],
      ['DELETE', `${path}/${connectorId}`, undefined, 'delete'],
      ['POST', `${path}/oauth/initiate`, consent, 'create'],
      ['POST', `${path}/oauth/initiate`, { ...consent, connector_id: connectorId }, 'reconnect'],
    ] as const) {
      const response = await service.ask(method, address, { token: none, body });
      expect(response.status, response.text).toBe(403);
      expect(response.body.code).toBe('management_not_allowed');
      expect(response.body.detail).toContain(`does not allow ${right}:`);
    }
  });

  test('requires both rights to rename and reconnect a connector in one request', async () => {
    const address = `/api/v1/integrations/connectors/${crypto.randomUUID()}`;
    const body = { name: 'Notes', credentials: { api_key: 'grn_any' } };
    for (const allowed_management of [['rename'], ['reconnect']]) {
      const limited = await service.customerToken(token, { customer_name: 'acme', allowed_management });
      const response = await service.ask('PATCH', address, { token: limited, body });
      expect(response.body.code).toBe('management_not_allowed');
    }
    const both = await service.customerToken(token, {
      customer_name: 'acme',
      allowed_management: ['rename', 'reconnect'],
    });
    expect((await service.ask('PATCH', address, { token: both, body })).body.code).toBe(
      'connector_not_found',
    );
  });
});

describe('revoked tokens', () => {
  test('does not mint a token for a revoked one, even before this process knows of the revocation', async () => {
    const other = await service.addApplication('laundering', ['First']);
    const leaked = await service.tokenOf(other);
    const application = await findApplication(database.kysely, { clientId: 'laundering' });
    await insertRevocation(database.kysely, { applicationId: application?.id ?? '' });
    const response = await service.ask('POST', '/api/v1/account/applications/scoped-token', {
      token: leaked,
      body: { customer_name: 'acme' },
    });
    expect(response.status).toBe(401);
    expect(response.body.detail).toContain('was revoked');
    // The same client id and secret still work, even in the same microsecond.
    expect((await service.ask('GET', definitions, { token: await service.tokenOf(other) })).status).toBe(200);
  });

  test('logs a revoked token with its application, its address and the reason', async () => {
    const other = await service.addApplication('logged', ['First']);
    const leaked = await service.tokenOf(other);
    const application = await findApplication(database.kysely, { clientId: 'logged' });
    const applicationId = application?.id ?? '';
    await insertRevocation(database.kysely, { applicationId });
    await until(async () =>
      expect((await service.ask('GET', definitions, { token: leaked })).status).toBe(401),
    );
    const { requestId } = await service.ask('GET', definitions, { token: leaked });
    expect(await linesOf(requestId)).toEqual([
      expect.objectContaining({
        event: 'token_rejected',
        level: 'warn',
        application_id: applicationId,
        kind: 'application',
        address: '127.0.0.1',
        reason: 'token_invalid',
        status: 401,
      }),
    ]);
    expect(service.logged()).not.toContain(leaked);
  });
});

describe('token events', () => {
  test.each([
    ['ca_app_0123456789abcdef', 'ca_app_0123456789abcdef'],
    ['hush-hush-hush', 'hus… (14 characters)'],
  ])(
    'logs a failed token request with the client id %s as %s, and without its secret',
    async (client_id, logged) => {
      const body = { client_id, client_secret: 'hush-hush' };
      const { requestId } = await service.ask('POST', tokenPath, { body });
      expect(await linesOf(requestId)).toEqual([
        expect.objectContaining({
          event: 'token_rejected',
          client_id: logged,
          address: '127.0.0.1',
          reason: 'client_credentials_invalid',
        }),
      ]);
      expect(service.logged()).not.toContain('hush-hush');
    },
  );

  test('logs each minted token with its application, organization and customer', async () => {
    await service.customerToken(token, { customer_name: 'acme' });
    const ids = {
      application_id: decodeJwt(token).sub,
      organization_id: application.organizationIds[0],
    };
    expect(eventsOf('token_minted')).toContainEqual(
      expect.objectContaining({ ...ids, kind: 'application', customer_id: null }),
    );
    expect(eventsOf('token_minted')).toContainEqual(
      expect.objectContaining({ ...ids, kind: 'scoped', customer_id: expect.any(String) as string }),
    );
    expect(service.logged()).not.toContain(token);
  });
});

describe('tokens of an earlier version', () => {
  /** Signs the token's claims as an earlier version did. */
  const signOld = async (minted: string, changes: object = {}): Promise<string> => {
    return new SignJWT({ ...decodeJwt(minted), ...changes })
      .setProtectedHeader({ alg: 'HS256', ...decodeProtectedHeader(minted) })
      .sign(service.signingKeys[0].secret.reveal());
  };

  test('accepts settings that an earlier version did not encrypt', async () => {
    const settings = JSON.stringify({ [secondKind.key]: { depth: 3 } });
    const scoped = await service.customerToken(token, { customer_name: 'acme' });
    const { status, body } = await service.ask('POST', '/api/v1/integrations/connectors', {
      token: await signOld(scoped, { settings }),
      body: { connector_type: secondKind.key, name: 'Notes', credentials: { api_key: goodKey } },
    });
    expect([status, body.replication_config]).toEqual([201, { depth: 3 }]);
  });
});

describe('the token endpoint', () => {
  test('limits token requests per client with Retry-After, without affecting other clients', async () => {
    service.advance(120_000);
    service.stopClock();
    const statuses = new Set<number>();
    let response = await service.ask('POST', tokenPath, { body: credentials() });
    for (let count = 1; count < 31; count += 1) {
      statuses.add(response.status);
      response = await service.ask('POST', tokenPath, { body: credentials() });
    }
    expect([...statuses]).toEqual([200]);
    expect(response.status).toBe(429);
    expect(response.body.code).toBe('rate_limited');
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    const other = await service.ask('POST', tokenPath, {
      body: { client_id: 'one', client_secret: 'secret-of-one' },
    });
    expect(other.status).toBe(200);
    service.advance(Number(response.headers['retry-after']) * 1000);
    expect((await service.ask('POST', tokenPath, { body: credentials() })).status).toBe(200);
  });

  test('limits token requests from an address that tries many client ids', async () => {
    service.advance(120_000);
    const clients: TestApplication[] = [];
    for (const index of [1, 2, 3, 4, 5])
      clients.push(await service.addApplication(`client-${index}`, ['First']));
    // The secrets are now cached, so the remaining requests are fast.
    await Promise.all(clients.map(client => service.tokenOf(client)));
    const tries = await Promise.all(
      clients.flatMap(({ clientId, clientSecret }) =>
        Array.from({ length: 26 }, () =>
          service.ask('POST', tokenPath, { body: { client_id: clientId, client_secret: clientSecret } }),
        ),
      ),
    );
    const rejected = tries.filter(({ status }) => status === 429);
    expect(rejected.length).toBeGreaterThan(0);
    for (const response of rejected) expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    service.advance(120_000);
  });
});

describe("the caller's address", () => {
  const ask = (of: TestService, forwardedFor: string) =>
    of.ask('POST', tokenPath, { body: credentials(), headers: { 'x-forwarded-for': forwardedFor } });

  test('trusts the address that the proxy reports, not the one that the caller claims', async () => {
    const behind = await startTestService(database, { trustedProxies: 1, sandbox: service.sandbox });
    behind.stopClock();
    for (let count = 0; count < 30; count += 1) {
      expect((await ask(behind, `10.0.0.${count}, 203.0.113.7`)).status).toBe(200);
    }
    expect((await ask(behind, '10.9.9.9, 203.0.113.7')).status).toBe(429);
    expect((await ask(behind, '203.0.113.8')).status).toBe(200);
    await behind.close();
  });

  test('uses the address of the connection if no proxy is trusted', async () => {
    service.advance(120_000);
    service.stopClock();
    for (let count = 0; count < 30; count += 1) await ask(service, `203.0.113.${count}`);
    expect((await ask(service, '203.0.113.99')).status).toBe(429);
  });
});

describe('signing keys', () => {
  const content = {
    kind: 'application',
    applicationId: crypto.randomUUID(),
    organizationIds: [crypto.randomUUID()],
    issuedAtUs: 1_800_000_000_000_001,
    allowedData: ['private_fields'],
  } as const;
  const installation = crypto.randomUUID();

  test('verifies tokens signed with an older key after a key rotation', async () => {
    const older = createTokenSigner(keyRing('older', 1), systemClock, installation);
    const [olderKey] = keyRing('older', 1);
    const [newerKey] = keyRing('newer', 2);
    const rotated = createTokenSigner([newerKey, olderKey], systemClock, installation);
    const { token: before } = await older.sign(content);
    const { token: after } = await rotated.sign(content);
    expect(await rotated.verify(before)).toEqual({ ...content, tokenId: expect.any(String) });
    expect(decodeProtectedHeader(after).kid).toBe('newer');
    await expect(older.verify(after)).rejects.toMatchObject({ code: 'token_invalid' });
  });

  test('does not reveal why a token is invalid', async () => {
    const signer = createTokenSigner(keyRing('a', 1), systemClock, installation);
    const error = await signer.verify('x.y.z').catch((thrown: unknown) => thrown);
    expect(String(error)).toBe('ConnectorAuthError: The bearer token was not issued by this service');
  });
});

describe('unreadable revocations', () => {
  test('rejects requests with a token, and only these, while the revocations cannot be read', async () => {
    const fresh = await startTestService(database, { kinds: bothKinds, sandbox: service.sandbox });
    const own = await fresh.tokenOf(await fresh.addApplication('waiting', ['First']));
    const ask = async () => (await fresh.ask('GET', definitions, { token: own })).status;
    expect(await ask()).toBe(200);
    // More than a read of the revocations may take, see `openTestDatabase`.
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    await sql`alter table token_revocations rename to hidden_revocations`.execute(database.kysely);
    const response = await until(async () => {
      const response = await fresh.ask('GET', definitions, { token: own });
      expect(response.status).toBe(503);
      return response;
    });
    expect(response.body.code).toBe('overloaded');
    expect(response.headers['retry-after']).toBe('1');
    expect((await fresh.ask('GET', definitions, { token: 'x.y.z' })).status).toBe(401);
    expect((await fresh.ask('GET', '/healthz')).status).toBe(200);
    await sql`alter table hidden_revocations rename to token_revocations`.execute(database.kysely);
    await until(async () => expect(await ask()).toBe(200));
    await fresh.close();
  });
});
