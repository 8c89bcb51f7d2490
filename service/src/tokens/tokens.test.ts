import { systemClock } from '@connector-auth/api';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDatabase, type TestDatabase } from '../../test/engines.ts';
import { bothKinds } from '../../test/second-kind.ts';
import {
  keyRing,
  startTestService,
  type TestApplication,
  type TestService,
} from '../../test/test-service.ts';
import { createTokenSigner } from '../auth/token-signer.ts';
import { openDatabase, type Database } from '../database/database.ts';
import { silentLog } from '../log/log.ts';

const tokenPath = '/api/v1/account/applications/token';
const definitions = '/api/v1/integrations/definitions/sources';

let place: TestDatabase;
let database: Database;
let service: TestService;
let application: TestApplication;
let token: string;

beforeAll(async () => {
  place = await makeDatabase('postgres');
  database = await openDatabase(place.location, { log: silentLog });
  service = await startTestService(database, { kinds: bothKinds });
  application = await service.addApplication('own', ['First', 'Second']);
  token = await service.tokenOf(await service.addApplication('one', ['First']));
});
afterAll(async () => {
  await service.close();
  await database.close();
  await place.remove();
});

const credentials = () => ({ client_id: application.clientId, client_secret: application.clientSecret });

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
    service.advance(899_000);
    expect((await service.ask('GET', definitions, { token: fresh, headers })).status).toBe(200);
    service.advance(2_000);
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
  } as const;
  const installation = crypto.randomUUID();

  test('verifies tokens signed with an older key after a key rotation', async () => {
    const older = createTokenSigner(keyRing('older', 1), systemClock, installation);
    const [olderKey] = keyRing('older', 1);
    const [newerKey] = keyRing('newer', 2);
    const rotated = createTokenSigner([newerKey, olderKey], systemClock, installation);
    const { token: before } = await older.sign(content);
    const { token: after } = await rotated.sign(content);
    expect(await rotated.verify(before)).toEqual(content);
    expect(decodeProtectedHeader(after).kid).toBe('newer');
    await expect(older.verify(after)).rejects.toMatchObject({ code: 'token_invalid' });
  });

  test('does not reveal why a token is invalid', async () => {
    const signer = createTokenSigner(keyRing('a', 1), systemClock, installation);
    const error = await signer.verify('x.y.z').catch((thrown: unknown) => thrown);
    expect(String(error)).toBe('ConnectorAuthError: The bearer token was not issued by this service');
  });
});
