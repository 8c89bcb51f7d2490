import { systemClock } from '@connector-auth/api';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDatabase, type DatabasePlace } from '../../test/engines.ts';
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

let place: DatabasePlace;
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
  test('answers as specified, and names the first organization', async () => {
    const told = await service.ask('POST', tokenPath, { body: credentials() });
    expect(told.body).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 900,
      organization_id: application.organizationIds[0],
    });
    expect(told.headers['cache-control']).toBe('no-store');
    const { exp = 0, iat = 0, ...claims } = decodeJwt(told.body.access_token);
    expect(exp - iat).toBe(900);
    expect(claims).toMatchObject({ orgs: application.organizationIds });
    expect(decodeProtectedHeader(told.body.access_token)).toMatchObject({
      alg: 'HS256',
      typ: 'application+jwt',
    });
  });

  test.each([
    ['a wrong secret', () => ({ ...credentials(), client_secret: 'wrong' })],
    ['an unknown client id', () => ({ ...credentials(), client_id: 'nobody' })],
    ["another application's secret", () => ({ ...credentials(), client_id: 'one' })],
  ])('is refused to %s, in the same words', async (_title, body) => {
    const told = await service.ask('POST', tokenPath, { body: body() });
    expect(told.status).toBe(401);
    expect(told.body).toMatchObject({
      code: 'client_credentials_invalid',
      detail: 'The client id or client secret is wrong',
    });
    expect(told.headers['www-authenticate']).toBe('Bearer realm="connector-auth"');
  });

  test('lives 15 minutes and not longer', async () => {
    const fresh = await service.tokenOf(application);
    const headers = { 'x-organization-id': application.organizationIds[0] ?? '' };
    service.advance(899_000);
    expect((await service.ask('GET', definitions, { token: fresh, headers })).status).toBe(200);
    service.advance(2_000);
    const told = await service.ask('GET', definitions, { token: fresh, headers });
    expect(told.status).toBe(401);
    expect(told.body.code).toBe('token_expired');
    expect(told.headers['www-authenticate']).toMatch(/error="invalid_token", error_description=".*expired.*"$/);
    token = await service.tokenOf({ ...application, clientId: 'one', clientSecret: 'secret-of-one' });
  });
});

describe('a token for a customer', () => {
  test('is scoped: answers its customer and lives 20 minutes', async () => {
    const path = '/api/v1/account/applications/scoped-token';
    const told = await service.ask('POST', path, { token, body: { customer_name: 'Müller & Söhne' } });
    expect(told.body).toEqual({
      token: expect.any(String),
      token_type: 'bearer',
      expires_in: 1200,
      customer_name: 'Müller & Söhne',
    });
    expect(decodeProtectedHeader(told.body.token).typ).toBe('scoped+jwt');
    expect(decodeJwt(told.body.token)).toMatchObject({ actions: ['list', 'get', 'search', 'check'] });
    expect(decodeJwt(told.body.token)).not.toHaveProperty('sources');
  });

  test.each([
    ['https://App.Example:443', 'https://app.example'],
    ['https://app.example:8443', 'https://app.example:8443'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('is a widget token for %s', async (allowed_origin, normal) => {
    const path = '/api/v1/account/applications/widget-token';
    const told = await service.ask('POST', path, { token, body: { customer_name: 'acme', allowed_origin } });
    expect(told.body).toMatchObject({ expires_in: 1200, customer_name: 'acme', allowed_origin: normal });
    const list = await service.ask('GET', definitions, {
      token: told.body.token,
      headers: { origin: normal },
    });
    expect(list.status).toBe(200);
  });

  test('knows kinds by any spelling, and refuses those there are not, each by its place', async () => {
    const minted = await service.customerToken(token, {
      customer_name: 'acme',
      allowed_sources: ['GRANOLA', 'meeting_ledger', 'Meeting Ledger'],
    });
    expect(decodeJwt(minted)).toMatchObject({ sources: ['granola', 'meeting-ledger'] });
    const body = { customer_name: 'new', allowed_sources: ['granola', 'gmail', 'x'] };
    const told = await service.ask('POST', '/api/v1/account/applications/scoped-token', { token, body });
    expect(told.status).toBe(422);
    expect(told.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'allowed_sources.1',
      'allowed_sources.2',
    ]);
    const { body: customers } = await service.ask('GET', '/api/v1/customers', { token });
    expect(customers.data.map(({ name }: { name: string }) => name)).not.toContain('new');
  });
});

describe('the token endpoint', () => {
  test('refuses who asks too often, says when to come back, and does not hold it against another client', async () => {
    service.advance(120_000);
    const statuses = new Set<number>();
    let told = await service.ask('POST', tokenPath, { body: credentials() });
    for (let count = 1; count < 31; count += 1) {
      statuses.add(told.status);
      told = await service.ask('POST', tokenPath, { body: credentials() });
    }
    expect([...statuses]).toEqual([200]);
    expect(told.status).toBe(429);
    expect(told.body.code).toBe('rate_limited');
    expect(Number(told.headers['retry-after'])).toBeGreaterThan(0);
    const other = await service.ask('POST', tokenPath, {
      body: { client_id: 'one', client_secret: 'secret-of-one' },
    });
    expect(other.status).toBe(200);
    service.advance(Number(told.headers['retry-after']) * 1000);
    expect((await service.ask('POST', tokenPath, { body: credentials() })).status).toBe(200);
  });

  test('refuses an address that tries many clients', async () => {
    service.advance(120_000);
    const clients: TestApplication[] = [];
    for (const index of [1, 2, 3, 4, 5])
      clients.push(await service.addApplication(`client-${index}`, ['First']));
    // Their secrets are known from here on, so the rest is quick.
    await Promise.all(clients.map(client => service.tokenOf(client)));
    const tries = await Promise.all(
      clients.flatMap(({ clientId, clientSecret }) =>
        Array.from({ length: 26 }, () =>
          service.ask('POST', tokenPath, { body: { client_id: clientId, client_secret: clientSecret } }),
        ),
      ),
    );
    const refused = tries.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const told of refused) expect(Number(told.headers['retry-after'])).toBeGreaterThan(0);
    service.advance(120_000);
  });
});

describe("the caller's address", () => {
  const ask = (of: TestService, forwardedFor: string) =>
    of.ask('POST', tokenPath, { body: credentials(), headers: { 'x-forwarded-for': forwardedFor } });

  test('is what the trusted proxy saw, whatever the caller claims', async () => {
    const behind = await startTestService(database, { trustedProxies: 1, sandbox: service.sandbox });
    for (let count = 0; count < 30; count += 1) {
      expect((await ask(behind, `10.0.0.${count}, 203.0.113.7`)).status).toBe(200);
    }
    expect((await ask(behind, '10.9.9.9, 203.0.113.7')).status).toBe(429);
    expect((await ask(behind, '203.0.113.8')).status).toBe(200);
    await behind.close();
  });

  test('is that of the connection without a trusted proxy', async () => {
    service.advance(120_000);
    for (let count = 0; count < 30; count += 1) await ask(service, `203.0.113.${count}`);
    expect((await ask(service, '203.0.113.99')).status).toBe(429);
  });
});

describe('signing keys', () => {
  const content = {
    kind: 'application',
    applicationId: crypto.randomUUID(),
    organizationIds: [crypto.randomUUID()],
  } as const;

  test('verify what an older key signed, once a newer one signs', async () => {
    const older = createTokenSigner(keyRing('older', 1), systemClock);
    const [olderKey] = keyRing('older', 1);
    const [newerKey] = keyRing('newer', 2);
    const rotated = createTokenSigner([newerKey, olderKey], systemClock);
    const { token: before } = await older.sign(content);
    const { token: after } = await rotated.sign(content);
    expect(await rotated.verify(before)).toEqual(content);
    expect(decodeProtectedHeader(after).kid).toBe('newer');
    await expect(older.verify(after)).rejects.toMatchObject({ code: 'token_invalid' });
  });

  test('give nothing away in a refusal', async () => {
    const signer = createTokenSigner(keyRing('a', 1), systemClock);
    const error = await signer.verify('x.y.z').catch((thrown: unknown) => thrown);
    expect(String(error)).toBe('ConnectorAuthError: The bearer token was not issued by this service');
  });
});
