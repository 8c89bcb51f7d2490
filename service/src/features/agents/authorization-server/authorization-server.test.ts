import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { Socket, type AddressInfo, type LookupFunction } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { systemClock, type AgentScope } from '@connector-auth/api';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import express from 'express';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { agentClients } from '../../../../test/agent-clients.ts';
import { makeCertificate } from '../../../../test/certificate.ts';
import { readDatabaseContents } from '../../../../test/database-contents.ts';
import { makeFolder, onPostgresOrEachEngineInFull } from '../../../../test/engines.ts';
import {
  keyRing,
  startTestService,
  type TestResponse,
  type TestService,
} from '../../../../test/test-service.ts';
import { createSealer } from '../../../platform/crypto/seal.ts';
import { silentLog } from '../../../platform/log/log.ts';
import { createOutbound, type Outbound } from '../../../platform/outbound/outbound.ts';
import { createAdapter } from './adapter.ts';
import { createAuthorizationServer, type AgentRequests } from './authorization-server.ts';
import { deleteOldRecords, maxRegisteredClients, recordContext, verifyAccessToken } from './store.ts';

const publicUrl = 'https://connect.example';
const redirectUri = 'http://localhost:33418/callback';
const state = 'state-of-the-client';
const verifier = 'a-verifier-with-the-43-characters-that-are-needed';
const challenge = createHash('sha256').update(verifier).digest('base64url');
const documentHost = 'chat.example';
/** The only address of this machine that the service may connect to. */
const documentAddress = '127.0.0.2';

/** The part of a browser that matters here. */
interface Browser {
  readonly signInUrl: URL;
  readonly cookies: readonly string[];
}

onPostgresOrEachEngineInFull('the authorization server of agents', database => {
  let sandbox: RunningSandbox;
  let service: TestService;
  let requests: AgentRequests;
  let organizationId: string;
  let otherOrganizationId: string;
  let applicationId: string;
  let customerId: string;
  let resource: string;
  let outbound: Outbound;
  const sealer = createSealer(keyRing('sealing', 2));
  const reachable = { allowedNetworks: [`${documentAddress}/32`] };
  const resolved = new Map([[documentHost, documentAddress]]);
  const lookup: LookupFunction = (host, _options, callback) =>
    callback(null, [{ address: resolved.get(host) ?? '10.0.0.1', family: 4 }]);

  const enable = (ids: readonly string[], isEnabled = true) =>
    database()
      .kysely.updateTable('organizations')
      .where('id', 'in', ids)
      .set({ agent_sign_in: isEnabled })
      .execute();
  const register = (metadata: Readonly<Record<string, unknown>>) =>
    service.ask('POST', '/agents/register', { body: metadata });
  const registered = async (metadata: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    const response = await register({ client_name: 'Claude', redirect_uris: [redirectUri], ...metadata });
    expect(response.status, response.text).toBe(201);
    return response.body.client_id;
  };
  const authorize = (
    clientId: string,
    changes: Readonly<Record<string, string | string[] | null>> = {},
    headers = {},
  ) => {
    const parameters = {
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      resource,
      state,
      ...changes,
    };
    const query = new URLSearchParams(
      Object.entries(parameters).flatMap(([name, value]) =>
        value === null ? [] : [value].flat().map(each => [name, each]),
      ),
    );
    return service.ask('GET', `/agents/authorize?${query}`, { headers });
  };
  /** The client's page may have opened the window, and waits for it. */
  const expectOpenerKept = ({ headers }: Pick<TestResponse, 'headers'>): void =>
    expect(headers['cross-origin-opener-policy']).toBe('unsafe-none');
  const asBrowser = ({ status, headers, text }: TestResponse): Browser => {
    expect(status, text).toBe(303);
    expectOpenerKept({ headers });
    return {
      signInUrl: new URL(String(headers['location'])),
      cookies: [headers['set-cookie'] ?? []].flat().map(cookie => cookie.split(';')[0] ?? ''),
    };
  };
  /** The HTTP request of a browser to the sign-in page, which another process of the service handles. */
  const visit = ({ cookies, signInUrl }: Browser) => {
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { url: signInUrl.pathname, headers: { cookie: cookies.join('; ') } });
    return [request, new ServerResponse(request)] as const;
  };
  const idOf = ({ signInUrl }: Browser) => signInUrl.pathname.split('/').at(-1) ?? '';
  const find = (browser: Browser) => requests.find(...visit(browser), idOf(browser));
  const allowAgent = async (
    clientId: string,
    scopes: readonly AgentScope[] = ['read', 'search'],
    days = 180,
  ) => {
    const id = randomUUID();
    await database()
      .kysely.insertInto('agents')
      .values({
        organization_id: organizationId,
        id,
        customer_id: customerId,
        application_id: applicationId,
        user_id: `user-${id}`,
        user_name: 'Ana Silva',
        client_id: clientId,
        client_name: 'Claude',
        client_host: null,
        resource,
        scopes,
        allowed_scopes: ['read', 'search', 'write'],
        allowed_sources: null,
        allowed_data: [],
        expires_at: new Date(Date.now() + days * 86_400_000),
        revoked_at: null,
      })
      .execute();
    return id;
  };
  /** Continues at the URL that the sign-in page leads to, and returns what the client receives. */
  const resume = async (browser: Browser, url: string): Promise<URL> => {
    expect(url.startsWith(`${publicUrl}/agents/authorize/`)).toBe(true);
    const { status, headers, text } = await service.ask('GET', new URL(url).pathname, {
      headers: { cookie: browser.cookies.join('; ') },
    });
    expect(status, text).toBe(303);
    expectOpenerKept({ headers });
    return new URL(String(headers['location']));
  };
  const send = (path: string, parameters: Readonly<Record<string, string>>, headers = {}) =>
    service.ask('POST', path, {
      rawBody: new URLSearchParams(parameters).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  const exchange = (clientId: string, code: string, changes: Readonly<Record<string, string>> = {}) =>
    send('/agents/token', {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      resource,
      ...changes,
    });
  const refresh = (clientId: string, token: string, changes: Readonly<Record<string, string>> = {}) =>
    send('/agents/token', {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: token,
      ...changes,
    });
  const codeFor = async (
    clientId: string,
    options: { scope?: string; scopes?: readonly AgentScope[]; days?: number } = {},
  ) => {
    const browser = asBrowser(await authorize(clientId, { scope: options.scope ?? null }));
    const agentId = await allowAgent(clientId, options.scopes, options.days);
    const back = await resume(browser, await requests.allow(...visit(browser), agentId));
    return { agentId, back, code: back.searchParams.get('code') ?? '' };
  };
  const signedIn = async (options: Parameters<typeof codeFor>[1] = {}) => {
    const clientId = await registered();
    const { agentId, code } = await codeFor(clientId, options);
    const response = await exchange(clientId, code);
    expect(response.status, response.text).toBe(200);
    return { clientId, agentId, code, tokens: response.body };
  };
  const verify = (token: string, of = resource) => verifyAccessToken(database().kysely, token, of);
  const useRefreshTokensEarlier = (seconds: number) =>
    sql`update authorization_records set consumed_at = consumed_at - make_interval(secs => ${seconds})
      where model = 'RefreshToken'`.execute(database().kysely);
  const isRevoked = async (agentId: string): Promise<boolean> => {
    const { revoked_at: at } = await database()
      .kysely.selectFrom('agents')
      .select('revoked_at')
      .where('id', '=', agentId)
      .executeTakeFirstOrThrow();
    return at !== null;
  };

  beforeAll(async () => {
    sandbox = await startSandbox();
    service = await startTestService(database(), {
      publicUrl,
      sandbox,
      settings: { outbound: { ...reachable, allowedHosts: null, proxyUrl: null } },
      lookup,
    });
    outbound = createOutbound({
      ...reachable,
      allowedHosts: null,
      proxyUrl: null,
      allowsLoopback: false,
      lookup,
    });
    const own = await service.addApplication('own', ['Acme', 'Other']);
    [organizationId = '', otherOrganizationId = ''] = own.organizationIds;
    resource = `${publicUrl}/mcp/${organizationId}`;
    const { kysely } = database();
    ({ id: applicationId } = await kysely.selectFrom('applications').select('id').executeTakeFirstOrThrow());
    customerId = randomUUID();
    await kysely
      .insertInto('customers')
      .values({ organization_id: organizationId, id: customerId, name: 'northwind' })
      .execute();
    ({ requests } = createAuthorizationServer({
      db: kysely,
      anonymous: database().anonymous,
      sealer,
      signingKeys: service.signingKeys,
      outbound,
      publicUrl,
      clock: systemClock,
      log: silentLog,
    }));
  });
  beforeEach(async () => {
    // Refills the limits.
    service.advance(3_600_000);
    await enable([organizationId]);
    await database().kysely.deleteFrom('authorization_records').execute();
    await database().kysely.deleteFrom('agents').execute();
  });
  afterAll(async () => {
    await outbound.close();
    await service.close();
    await sandbox.close();
  });

  test('does not exist until an organization lets agents sign in', async () => {
    await enable([organizationId], false);
    const responses = await Promise.all([
      service.ask('GET', '/.well-known/oauth-authorization-server'),
      authorize('client'),
      register({ redirect_uris: [redirectUri] }),
      exchange('client', 'code'),
    ]);
    expect(responses.map(({ status, body }) => [status, body.code])).toEqual(
      responses.map(() => [404, 'route_not_found']),
    );
  });

  test('describes itself with the URLs of PUBLIC_URL, whatever the request says', async () => {
    const { status, body } = await service.ask('GET', '/.well-known/oauth-authorization-server', {
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
    });
    expect([status, body]).toEqual([
      200,
      {
        issuer: publicUrl,
        authorization_endpoint: `${publicUrl}/agents/authorize`,
        token_endpoint: `${publicUrl}/agents/token`,
        registration_endpoint: `${publicUrl}/agents/register`,
        revocation_endpoint: `${publicUrl}/agents/revoke`,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: [
          'none',
          'client_secret_basic',
          'client_secret_post',
          'private_key_jwt',
        ],
        token_endpoint_auth_signing_alg_values_supported: expect.arrayContaining(['RS256', 'ES256']),
        scopes_supported: ['read', 'search', 'write', 'connect'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
      },
    ]);
  });

  test.each(['/.well-known/openid-configuration', '/agents/jwks', '/jwks', '/me', '/session/end', '/device'])(
    'has no %s',
    async path => {
      expect((await service.ask('GET', path)).status).toBe(404);
    },
  );

  describe('a sign-in', () => {
    test('replaces the one that has waited longest for the same MCP server if there are very many', async () => {
      const other = `${publicUrl}/mcp/${randomUUID()}`;
      await sql`insert into authorization_records (model, key, resource, payload, created_at, expires_at)
        select 'Interaction', resource || n, resource, '\\x00', now() - make_interval(secs => n), now() + interval '1 hour'
        from generate_series(1, 10000) as n, unnest(array[${resource}, ${other}]) as resource`.execute(
        database().kysely,
      );
      const browser = asBrowser(await authorize(await registered()));
      expect(await find(browser)).not.toBeNull();
      const { rows } = await sql`
        select resource, count(*)::int, count(*) filter (where key = resource || 10000)::int as longest
        from authorization_records where model = 'Interaction' group by resource`.execute(database().kysely);
      expect(rows).toEqual(
        expect.arrayContaining([
          { resource, count: 10_000, longest: 0 },
          { resource: other, count: 10_000, longest: 1 },
        ]),
      );
    });

    test('issues tokens for what the person allows, of which the database has only hashes', async () => {
      const clientId = await registered();
      const browser = asBrowser(await authorize(clientId, { scope: 'read search write' }));
      expect(await find(browser)).toEqual({
        id: idOf(browser),
        client: { id: clientId, name: 'Claude', host: null },
        redirectUri,
        resource,
        organizationId,
        scopes: ['read', 'search', 'write'],
      });
      const agentId = await allowAgent(clientId, ['read', 'write']);
      const back = await resume(browser, await requests.allow(...visit(browser), agentId));
      expect(`${back.origin}${back.pathname}`).toBe(redirectUri);
      const { code = '', ...others } = Object.fromEntries(back.searchParams);
      expect(others).toEqual({ state, iss: publicUrl });
      const { status, body } = await exchange(clientId, code);
      expect([status, body]).toEqual([
        200,
        {
          access_token: expect.any(String),
          token_type: 'Bearer',
          expires_in: 1200,
          scope: 'read write',
          refresh_token: expect.any(String),
        },
      ]);
      expect(await verify(body.access_token)).toMatchObject({
        organizationId,
        agentId,
        customer: { id: customerId, name: 'northwind' },
        applicationId,
        userName: 'Ana Silva',
        scopes: ['read', 'write'],
        allowedScopes: ['read', 'search', 'write'],
      });
      const stored = (await readDatabaseContents(database())).join('\n');
      const records = await database().kysely.selectFrom('authorization_records').selectAll().execute();
      const opened = records.map(({ model, key, payload }) =>
        sealer.open(payload, recordContext(model, key)),
      );
      for (const secret of [code, body.access_token, body.refresh_token]) {
        expect(stored).not.toContain(secret);
        expect(opened.join('\n')).not.toContain(secret);
        expect(service.logged()).not.toContain(secret);
      }
      expect(stored).toContain(clientId);
    });

    test('keeps its URLs and secure cookies behind a proxy that says something else', async () => {
      const clientId = await registered();
      const { headers } = await authorize(
        clientId,
        {},
        {
          host: 'evil.example',
          'x-forwarded-host': 'evil.example',
          'x-forwarded-proto': 'http',
        },
      );
      expect(headers['location']).toMatch(/^https:\/\/connect\.example\/agents\/sign-in\/[\w-]{20,}$/);
      const cookies = [headers['set-cookie'] ?? []].flat();
      const { pathname } = new URL(String(headers['location']));
      expect(cookies.length).toBe(4);
      for (const cookie of cookies) expect(cookie).toMatch(/; secure; httponly/i);
      expect(cookies.filter(cookie => cookie.includes(`path=${pathname};`)).length).toBe(2);
    });

    test('belongs to the browser whose signed cookie names it', async () => {
      const clientId = await registered();
      const [one, other] = [asBrowser(await authorize(clientId)), asBrowser(await authorize(clientId))];
      expect(await find(one)).not.toBeNull();
      expect(await requests.find(...visit(one), idOf(other))).toBeNull();
      expect(await find({ ...one, cookies: [] })).toBeNull();
      const forged = one.cookies.map(cookie => cookie.replace(idOf(one), idOf(other)));
      expect(await find({ ...other, cookies: forged })).toBeNull();
      const unsigned = other.cookies.filter(cookie => !cookie.includes('.sig='));
      expect(await find({ ...other, cookies: unsigned })).toBeNull();
      await expect(requests.allow(...visit({ ...one, cookies: [] }), randomUUID())).rejects.toThrow();
    });

    test('asks again every time, also in a browser that just signed in', async () => {
      const clientId = await registered();
      const browser = asBrowser(await authorize(clientId));
      const agentId = await allowAgent(clientId);
      const url = await requests.allow(...visit(browser), agentId);
      const resumed = await service.ask('GET', new URL(url).pathname, {
        headers: { cookie: browser.cookies.join('; ') },
      });
      const cookie = [resumed.headers['set-cookie'] ?? []]
        .flat()
        .map(each => each.split(';')[0])
        .join('; ');
      const again = await authorize(clientId, {}, { cookie });
      expect(again.headers['location']).toContain('/agents/sign-in/');
      const silent = await authorize(clientId, { prompt: 'none' }, { cookie });
      expect(silent.headers['location']).toContain('error=login_required');
    });

    test('ends with access_denied if the person denies it, or the agent is not the client’s', async () => {
      const clientId = await registered();
      const browser = asBrowser(await authorize(clientId));
      const back = await resume(browser, await requests.deny(...visit(browser)));
      expect(Object.fromEntries(back.searchParams)).toMatchObject({
        error: 'access_denied',
        state,
        iss: publicUrl,
      });
      const other = asBrowser(await authorize(clientId));
      const ended = await allowAgent(clientId);
      await database().kysely.updateTable('agents').set({ revoked_at: new Date() }).execute();
      const denied = await resume(other, await requests.allow(...visit(other), ended));
      expect(denied.searchParams.get('error')).toBe('access_denied');
    });

    test('asks for the default scopes if a client names none that exist', async () => {
      const clientId = await registered({ scope: 'openid email' });
      for (const scope of [null, 'openid profile offline_access', 'admin']) {
        const browser = asBrowser(
          await authorize(clientId, { scope, nonce: 'n', prompt: 'consent', response_mode: 'form_post' }),
        );
        expect((await find(browser))?.scopes).toEqual(['read', 'search']);
      }
      const browser = asBrowser(await authorize(clientId, { scope: 'write openid' }));
      expect((await find(browser))?.scopes).toEqual(['write']);
    });

    test.each([
      ['no resource', { resource: null }, 'invalid_target'],
      ['the resource of another service', { resource: 'https://other.example/mcp' }, 'invalid_target'],
      ['no challenge', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
      ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
      ['the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
      ['an ID token', { response_type: 'code id_token' }, 'unsupported_response_type'],
      ['a request object', { request: 'e30.e30.' }, 'request_not_supported'],
    ])('reports to the client a request with %s', async (_title, changes, error) => {
      const { status, headers } = await authorize(await registered(), changes);
      expect(status).toBe(303);
      const { searchParams, hash, href } = new URL(String(headers['location']));
      const reported = hash === '' ? searchParams : new URLSearchParams(hash.slice(1));
      expect(href.startsWith(redirectUri)).toBe(true);
      expect(Object.fromEntries(reported)).toMatchObject({ error, state, iss: publicUrl });
    });

    test.each([
      ['an organization that has not enabled it', () => `${publicUrl}/mcp/${otherOrganizationId}`],
      ['no organization', () => `${publicUrl}/mcp/${randomUUID()}`],
      ['the shared address, before an organization has it', () => `${publicUrl}/mcp`],
      ['a longer URL', () => `${resource}/`],
      ['an id in capitals', () => `${publicUrl}/mcp/${organizationId.toUpperCase()}`],
      ['a query', () => `${resource}?x=1`],
    ])('rejects the resource of %s', async (_title, other) => {
      const { headers } = await authorize(await registered(), { resource: other() });
      expect(headers['location']).toContain('error=invalid_target');
    });

    test('rejects a long state', async () => {
      const clientId = await registered();
      asBrowser(await authorize(clientId, { state: 'x'.repeat(2_048) }));
      const { headers } = await authorize(clientId, { state: 'x'.repeat(2_049) });
      expect(headers['location']).toContain('error=invalid_request');
    });

    test('rejects a request with two resources', async () => {
      const { headers } = await authorize(await registered(), { resource: [resource, resource] });
      expect(headers['location']).toContain('error=invalid_target');
    });

    test('uses the login of the organization that has the shared address', async () => {
      const { kysely } = database();
      await kysely.updateTable('installation').set({ mcp_organization_id: organizationId }).execute();
      const browser = asBrowser(await authorize(await registered(), { resource: `${publicUrl}/mcp` }));
      expect(await find(browser)).toMatchObject({ resource: `${publicUrl}/mcp`, organizationId });
      await kysely.updateTable('installation').set({ mcp_organization_id: null }).execute();
      expect(await find(browser)).toBeNull();
    });

    test('is limited for each address', async () => {
      service.stopClock();
      const statuses = new Set<number>();
      for (let count = 0; count < 60; count += 1) statuses.add((await authorize('unknown')).status);
      const { status, headers, text } = await authorize('unknown');
      expect([...statuses, status, headers['retry-after']]).toEqual([400, 429, '1']);
      expect(text).toContain('The app couldn’t ask for access');
    });

    test.each([
      ['an unknown client', () => authorize('unknown'), 400],
      [
        'another redirect URI',
        async () => authorize(await registered(), { redirect_uri: 'https://evil.example/' }),
        400,
      ],
      ['no sign-in', () => service.ask('GET', '/agents/authorize/unknown'), 400],
    ])('shows a page of the service for a request with %s', async (_title, send, expected) => {
      const { status, headers, text } = await send();
      expect(status).toBe(expected);
      expectOpenerKept({ headers });
      expect(headers['content-type']).toMatch('text/html');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(text).toContain('The app couldn’t ask for access');
      expect(text).not.toContain('oops');
    });
  });

  describe('tokens', () => {
    test.each([
      ['no resource', { resource: '' }, 'invalid_target'],
      ['another resource', { resource: `${publicUrl}/mcp` }, 'invalid_target'],
      ['another verifier', { code_verifier: verifier.toUpperCase() }, 'invalid_grant'],
      ['no verifier', { code_verifier: '' }, 'invalid_grant'],
      ['another redirect URI', { redirect_uri: 'http://localhost:1/callback' }, 'invalid_grant'],
      ['the credentials of the client', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
      ['a device', { grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }, 'unsupported_grant_type'],
    ])('are not issued for %s', async (_title, changes, error) => {
      const clientId = await registered();
      const { code } = await codeFor(clientId);
      const { status, body } = await exchange(clientId, code, changes);
      expect([status, body.error]).toEqual([400, error]);
    });

    test('are issued to one of several simultaneous requests with a code', async () => {
      const clientId = await registered();
      const { code } = await codeFor(clientId);
      const responses = await Promise.all(Array.from({ length: 4 }, () => exchange(clientId, code)));
      const rejected = responses.filter(({ body }) => body.error === 'invalid_grant');
      const accepted = responses.filter(({ status }) => status === 200);
      expect([accepted.length, rejected.length]).toEqual([1, 3]);
      // The library can let two of them through at the same moment. The database decides.
      const codes = createAdapter({ db: database().kysely, sealer })('AuthorizationCode');
      await codes.upsert('code', {}, 60);
      await codes.consume('code');
      await expect(codes.consume('code')).rejects.toThrow('invalid_grant');
    });

    test('end with their agent if the client uses its code again, but not if others do', async () => {
      const { clientId, agentId, code, tokens } = await signedIn();
      for (const response of [
        await exchange(await registered(), code),
        await exchange(clientId, code, { code_verifier: verifier.toUpperCase() }),
      ]) {
        expect(response.body.error).toBe('invalid_grant');
      }
      expect(await verify(tokens.access_token)).not.toBeNull();
      expect((await exchange(clientId, code)).body.error).toBe('invalid_grant');
      expect([await isRevoked(agentId), await verify(tokens.access_token)]).toEqual([true, null]);
    });

    test('are valid only for their resource, and only while the agent and its organization are', async () => {
      const { agentId, tokens } = await signedIn();
      const valid = () => verify(tokens.access_token).then(token => token !== null);
      expect(await verify(tokens.access_token, `${publicUrl}/mcp`)).toBeNull();
      expect(await verify(tokens.refresh_token)).toBeNull();
      const set = (values: object) =>
        database().kysely.updateTable('agents').where('id', '=', agentId).set(values).execute();
      expect(await valid()).toBe(true);
      await set({ revoked_at: new Date() });
      expect(await valid()).toBe(false);
      await set({ revoked_at: null, expires_at: new Date(Date.now() - 1) });
      expect(await valid()).toBe(false);
      await set({ expires_at: new Date(Date.now() + 60_000) });
      expect(await valid()).toBe(true);
      await enable([organizationId], false);
      await enable([otherOrganizationId]);
      expect(await valid()).toBe(false);
      expect((await refresh('x', tokens.refresh_token)).status).toBe(401);
      await enable([otherOrganizationId], false);
    });

    test('allow nothing that the person has taken back since', async () => {
      const { agentId, tokens } = await signedIn({ scope: 'read write', scopes: ['read', 'write'] });
      expect((await verify(tokens.access_token))?.scopes).toEqual(['read', 'write']);
      await database()
        .kysely.updateTable('agents')
        .where('id', '=', agentId)
        .set({ scopes: ['read', 'search'] })
        .execute();
      expect((await verify(tokens.access_token))?.scopes).toEqual(['read']);
    });

    test('expire after 20 minutes', async () => {
      const { tokens } = await signedIn();
      const { lifetime } = await database()
        .kysely.selectFrom('authorization_records')
        .select(sql<number>`extract(epoch from expires_at - created_at)::int`.as('lifetime'))
        .where('model', '=', 'AccessToken')
        .executeTakeFirstOrThrow();
      expect(lifetime).toBe(1200);
      await database().kysely.updateTable('authorization_records').set({ expires_at: new Date() }).execute();
      expect(await verify(tokens.access_token)).toBeNull();
    });

    test.each([
      ['30 days', 180, 30 * 86_400],
      ['the end of the agent', 2, 2 * 86_400],
    ])('can be refreshed until %s', async (_title, days, seconds) => {
      await signedIn({ days });
      const { lifetime } = await database()
        .kysely.selectFrom('authorization_records')
        .select(sql<number>`extract(epoch from expires_at - created_at)::int`.as('lifetime'))
        .where('model', '=', 'RefreshToken')
        .executeTakeFirstOrThrow();
      expect(lifetime).toBeLessThanOrEqual(seconds);
      expect(lifetime).toBeGreaterThan(seconds - 86_400);
    });

    test('expire by the clock of the database, whatever that of the process says', async () => {
      const clientId = await registered();
      const { code } = await codeFor(clientId, { days: 2 });
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 86_400_000 });
      onTestFinished(() => void vi.useRealTimers());
      const first = await exchange(clientId, code);
      const next = await refresh(clientId, first.body.refresh_token);
      expect([first.status, next.status], first.text).toEqual([200, 200]);
      const { rows } = await sql<{ isLong: boolean }>`
        select expires_at > now() + interval '47 hours' as "isLong"
        from authorization_records where model = 'RefreshToken'`.execute(database().kysely);
      expect(rows).toEqual([{ isLong: true }, { isLong: true }]);
    });

    test('are refreshed without a resource, for the same or fewer scopes', async () => {
      const { clientId, tokens } = await signedIn();
      const { body } = await refresh(clientId, tokens.refresh_token);
      expect(body).toMatchObject({ scope: 'read search', expires_in: 1200 });
      expect(body.refresh_token).not.toBe(tokens.refresh_token);
      expect(await verify(body.access_token)).not.toBeNull();
      const fewer = await refresh(clientId, body.refresh_token, { scope: 'read', resource });
      expect((await verify(fewer.body.access_token))?.scopes).toEqual(['read']);
      const more = await refresh(clientId, fewer.body.refresh_token, { scope: 'read write' });
      expect(more.body.error).toBe('invalid_scope');
      const elsewhere = await refresh(clientId, fewer.body.refresh_token, { resource: `${publicUrl}/mcp` });
      expect(elsewhere.body.error).toBe('invalid_target');
    });

    test('are refreshed again with the previous token for a minute, also by simultaneous requests', async () => {
      const { clientId, agentId, tokens } = await signedIn();
      const responses = await Promise.all(
        Array.from({ length: 4 }, () => refresh(clientId, tokens.refresh_token)),
      );
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(new Set(responses.map(({ body }) => body.refresh_token)).size).toBe(4);
      await useRefreshTokensEarlier(55);
      expect((await refresh(clientId, tokens.refresh_token)).status).toBe(200);
      expect(await isRevoked(agentId)).toBe(false);
    });

    test('end with their agent if a refresh token is used after that', async () => {
      const { clientId, agentId, tokens } = await signedIn();
      const { body: next } = await refresh(clientId, tokens.refresh_token);
      await useRefreshTokensEarlier(61);
      // Another client cannot end it.
      expect((await refresh(await registered(), tokens.refresh_token)).body.error).toBe('invalid_grant');
      expect(await isRevoked(agentId)).toBe(false);
      expect((await refresh(clientId, tokens.refresh_token)).body.error).toBe('invalid_grant');
      expect(await isRevoked(agentId)).toBe(true);
      expect(await verify(next.access_token)).toBeNull();
      expect((await refresh(clientId, next.refresh_token)).body.error).toBe('invalid_grant');
    });

    test('are not issued if a consent has replaced their agent meanwhile', async () => {
      const tokens = createAdapter({ db: database().kysely, sealer })('AccessToken');
      await expect(tokens.upsert('token', { grantId: randomUUID() }, 60)).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    });

    test('end with their agent if the client revokes one', async () => {
      for (const name of ['access_token', 'refresh_token'] as const) {
        const { clientId, agentId, tokens } = await signedIn();
        const { status } = await send('/agents/revoke', { client_id: clientId, token: tokens[name] });
        expect([status, await isRevoked(agentId), await verify(tokens.access_token)]).toEqual([
          200,
          true,
          null,
        ]);
      }
      const { agentId, tokens } = await signedIn();
      await send('/agents/revoke', { client_id: await registered(), token: tokens.refresh_token });
      expect(await isRevoked(agentId)).toBe(false);
    });
  });

  test('deletes what has expired, and clients that no person has allowed within a day', async () => {
    const { kysely } = database();
    const { clientId } = await signedIn();
    const unused = await registered();
    const count = async (model: string) => {
      const rows = await kysely
        .selectFrom('authorization_records')
        .select('key')
        .where('model', '=', model)
        .execute();
      return rows.map(({ key }) => key);
    };
    const clean = () => deleteOldRecords(kysely, new AbortController().signal);
    await clean();
    expect((await count('Client')).sort()).toEqual([clientId, unused].sort());
    expect((await count('AccessToken')).length).toBe(1);
    await sql`update authorization_records set created_at = now() - interval '25 hours',
      expires_at = expires_at - interval '25 hours'`.execute(kysely);
    await clean();
    expect(await count('Client')).toEqual([clientId]);
    expect(await count('AccessToken')).toEqual([]);
    expect((await count('RefreshToken')).length).toBe(1);
  });

  describe('clients that register', () => {
    test('may say more than is supported, as VS Code does', async () => {
      const { status, body } = await register({
        client_name: 'Visual Studio Code',
        client_uri: 'https://code.visualstudio.com',
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        response_types: ['code'],
        redirect_uris: [
          'https://insiders.vscode.dev/redirect',
          'http://127.0.0.1/',
          'http://127.0.0.1:33418/',
        ],
        token_endpoint_auth_method: 'none',
        application_type: 'web',
        scope: 'read offline_access',
      });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
      });
      expect(body).not.toHaveProperty('client_secret');
    });

    test.each([
      ['any port of localhost', ['http://localhost/callback'], 'http://localhost:50123/callback'],
      ['another port of localhost', ['http://localhost:3118/callback'], 'http://localhost:50123/callback'],
      ['any port of 127.0.0.1', ['http://127.0.0.1/'], 'http://127.0.0.1:50123/'],
      ['any port of ::1', ['http://[::1]:1/cb'], 'http://[::1]:50123/cb'],
      [
        'a loopback URI beside https',
        ['https://vscode.dev/redirect', 'http://127.0.0.1:33418/'],
        'http://127.0.0.1:9/',
      ],
      ['https', ['https://claude.ai/api/mcp/auth_callback'], 'https://claude.ai/api/mcp/auth_callback'],
      [
        'the scheme of an app',
        ['cursor://cursor-app.example/oauth/callback'],
        'cursor://cursor-app.example/oauth/callback',
      ],
      ['a domain name in reverse', ['com.example.app:/callback'], 'com.example.app:/callback'],
    ])('can be called back at %s', async (_title, redirect_uris, used) => {
      const clientId = await registered({ redirect_uris });
      const browser = asBrowser(await authorize(clientId, { redirect_uri: used }));
      expect((await find(browser))?.redirectUri).toBe(used);
      const back = await resume(browser, await requests.allow(...visit(browser), await allowAgent(clientId)));
      expect(back.href.startsWith(used)).toBe(true);
    });

    test.each([
      ['https://claude.ai/callback', 'https://claude.ai:444/callback'],
      ['https://claude.ai/callback', 'https://claude.ai/callback/'],
      ['https://claude.ai/callback', 'https://claude.ai/callback?next=evil'],
      ['https://claude.ai/callback', 'https://claude.ai/callback/../evil'],
      ['https://claude.ai/callback', 'https://claude.ai.evil.example/callback'],
      ['https://claude.ai/callback', 'https://claude.ai@evil.example/callback'],
      ['http://localhost/callback', 'http://localhost:1/other'],
      ['http://localhost/callback', 'http://127.0.0.1:1/callback'],
      ['http://localhost/callback', 'https://localhost:1/callback'],
      ['http://localhost/callback', 'http://localhost:1@evil.example/callback'],
      ['http://localhost/callback', 'http://localhost.evil.example/callback'],
      ['cursor://callback', 'cursor://callback2'],
    ])('with %s cannot be called back at %s', async (own, other) => {
      const clientId = await registered({ redirect_uris: [own] });
      const { status, headers } = await authorize(clientId, { redirect_uri: other });
      expect([status, headers['location']]).toEqual([400, undefined]);
    });

    test.each([
      'http://app.example/callback',
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'https://app.example/#fragment',
      'https://claude.ai@app.example/callback',
      'ms-settings://callback',
      'intent://callback',
      'no URL',
    ])('cannot have the redirect URI %s', async uri => {
      const { status, body } = await register({ redirect_uris: [uri] });
      expect([status, body.error]).toEqual([
        400,
        expect.stringMatching(/^invalid_(client_metadata|redirect_uri)$/),
      ]);
    });

    test.each([
      { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://app.example/jwks.json' },
      { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [] } },
      { jwks_uri: 'https://app.example/jwks.json' },
    ])('cannot have keys: %j', async metadata => {
      const { status, body } = await register({ redirect_uris: [redirectUri], ...metadata });
      expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
    });

    test.each([
      ['NUL', 'client\0'],
      ['a path with NUL', `https://${documentHost}/\0`],
    ])('are unknown if their id has %s', async (_title, id) => {
      const responses = [await authorize(id), await exchange(id, 'code')];
      responses.push(await send('/agents/revoke', { client_id: id, token: 'token' }));
      for (const { status, text } of responses) {
        expect([400, 401]).toContain(status);
        expect(text).toContain('invalid_client');
      }
    });

    test('can have a secret, which is sealed, and must then use it', async () => {
      const { body: client } = await register({
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      });
      const { code } = await codeFor(client.client_id);
      expect((await exchange(client.client_id, code)).status).toBe(401);
      const client_secret = client.client_secret;
      expect((await exchange(client.client_id, code, { client_secret })).status).toBe(200);
      expect((await readDatabaseContents(database())).join('\n')).not.toContain(client_secret);
    });

    test('cannot say more than 5 KiB about themselves', async () => {
      const client_name = 'x'.repeat(4_000);
      expect((await register({ redirect_uris: [redirectUri], client_name })).status).toBe(201);
      const { status, body } = await register({
        redirect_uris: [redirectUri],
        client_name: `${client_name}x`.repeat(2),
      });
      expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
    });

    test('are limited for each address and in total', async () => {
      service.stopClock();
      const statuses = [];
      for (let count = 0; count < 31; count += 1) {
        statuses.push((await register({ redirect_uris: [redirectUri] })).status);
      }
      expect(statuses).toEqual([...Array(30).fill(201), 429]);
      service.advance(3_600_000);
      await sql`insert into authorization_records (model, key, payload)
        select 'Client', 'flood ' || n, '\\x00' from generate_series(1, ${maxRegisteredClients - 30}) as n`.execute(
        database().kysely,
      );
      const { status, body } = await register({ redirect_uris: [redirectUri] });
      expect([status, body.error]).toEqual([400, 'temporarily_unavailable']);
      await sql`update authorization_records set created_at = now() - interval '2 hours'
        where key in ('flood 1', 'flood 2')`.execute(database().kysely);
      await sql`update authorization_records set created_at = now() - interval '3 hours'
        where key = 'flood 2'`.execute(database().kysely);
      await registered();
      const { rows } = await sql<{ key: string }>`select key from authorization_records
        where key in ('flood 1', 'flood 2')`.execute(database().kysely);
      expect(rows).toEqual([{ key: 'flood 1' }]);
    });
  });

  describe('clients with a metadata document', () => {
    let server: Server;
    let folder: Awaited<ReturnType<typeof makeFolder>>;
    let origin: string;
    let reads: string[] = [];
    const documents = new Map<string, { status?: number; headers?: Record<string, string>; body: string }>();
    const trusted = getCACertificates('default');

    beforeAll(async () => {
      folder = await makeFolder();
      const files = { certificate: join(folder.folder, 'cert.pem'), key: join(folder.folder, 'key.pem') };
      makeCertificate(documentHost, files);
      const cert = readFileSync(files.certificate, 'utf8');
      setDefaultCACertificates([...trusted, cert]);
      server = createServer({ cert, key: readFileSync(files.key) }, (request, response) => {
        reads.push(request.url ?? '');
        const {
          status = 200,
          headers = {},
          body,
        } = documents.get(request.url ?? '') ?? { status: 404, body: '' };
        response.writeHead(status, headers).end(body);
      });
      const port = await new Promise<number>(resolve =>
        server.listen(0, documentAddress, () => resolve((server.address() as { port: number }).port)),
      );
      origin = `https://${documentHost}:${port}`;
    });
    beforeEach(() => {
      reads = [];
      documents.clear();
    });
    afterAll(async () => {
      setDefaultCACertificates(trusted);
      await new Promise(resolve => server.close(resolve));
      await folder.remove();
    });
    const publish = (path: string, changes: Readonly<Record<string, unknown>> = {}): string => {
      const id = `${origin}${path}`;
      const body = JSON.stringify({
        client_id: id,
        client_name: 'Chat',
        redirect_uris: [redirectUri],
        ...changes,
      });
      const headers = { 'cache-control': 'max-age=600', 'content-type': 'application/json; charset=utf-8' };
      documents.set(path, { headers, body });
      return id;
    };

    test.each(agentClients)('$name signs in, and renews its tokens', async client => {
      const { document, registration, request } = client;
      const clientId = document === undefined ? '' : publish(`/${randomUUID()}.json`, withKeys(document));
      const { body: own } = document === undefined ? await register(registration ?? {}) : { body: {} };
      const id: string = own.client_id ?? clientId;
      const browser = asBrowser(await authorize(id, { scope: null, ...request }));
      const back = await resume(browser, await requests.allow(...visit(browser), await allowAgent(id)));
      expect(back.href.startsWith(request.redirect_uri)).toBe(true);
      const credentials = (): Record<string, string> => ({
        ...(own.client_secret === undefined ? {} : { client_secret: own.client_secret }),
        ...(document?.['token_endpoint_auth_method'] === 'private_key_jwt' ? assert(id) : {}),
      });
      const code = back.searchParams.get('code') ?? '';
      const { redirect_uri } = request;
      const first = await exchange(id, code, { redirect_uri, ...credentials() });
      expect([first.status, first.body.scope], first.text).toEqual([200, expect.stringContaining('read')]);
      const next = await refresh(id, first.body.refresh_token, { resource, ...credentials() });
      expect([next.status, next.body.token_type], next.text).toEqual([200, 'Bearer']);
    });
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    /** A document that names keys needs them at its own host, here without their real values. */
    const withKeys = (document: Readonly<Record<string, unknown>>) => {
      if (document['token_endpoint_auth_method'] !== 'private_key_jwt') return document;
      const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' }];
      documents.set('/jwks.json', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ keys }),
      });
      return { ...document, jwks_uri: `${origin}/jwks.json` };
    };
    const assert = (clientId: string, changes: Readonly<Record<string, unknown>> = {}, key = privateKey) => {
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        iss: clientId,
        sub: clientId,
        aud: publicUrl,
        jti: randomUUID(),
        iat: now,
        exp: now + 60,
        ...changes,
      };
      const signed = [{ alg: 'RS256', kid: 'own' }, claims]
        .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
      const signature = sign('sha256', Buffer.from(signed), key).toString('base64url');
      return {
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: `${signed}.${signature}`,
      };
    };

    const withAssertions = (path: string) =>
      publish(path, withKeys({ token_endpoint_auth_method: 'private_key_jwt' }));

    test.each([
      ['is valid for long', { exp: 4_102_444_800 }],
      ['never expires', { exp: 1e13 }],
      ['has a long id', { jti: 'x'.repeat(257) }],
    ])('cannot use an assertion that %s', async (_title, changes) => {
      const clientId = withAssertions(`/${randomUUID()}.json`);
      const { status, body } = await refresh(clientId, 'token', assert(clientId, changes));
      expect([status, body.error]).toEqual([401, 'invalid_client']);
      expect((await refresh(clientId, 'token', assert(clientId))).body.error).toBe('invalid_grant');
      const { rows } = await sql`select from authorization_records where model = 'ReplayDetection'`.execute(
        database().kysely,
      );
      expect(rows.length).toBe(1);
    });

    test('cannot use keys that take long to verify', async () => {
      const clientId = publish('/slow.json', {
        token_endpoint_auth_method: 'private_key_jwt',
        jwks_uri: `${origin}/slow-keys.json`,
      });
      const slow = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 0x10000001 });
      const keys = [{ ...slow.publicKey.export({ format: 'jwk' }), kid: 'own' }];
      const headers = { 'content-type': 'application/jwk-set+json' };
      documents.set('/slow-keys.json', { headers, body: JSON.stringify({ keys }) });
      const signed = assert(clientId, {}, slow.privateKey);
      expect((await refresh(clientId, 'token', signed)).body.error).toBe('invalid_client');
      expect(reads).toContain('/slow-keys.json');
    });

    test('are unknown if their id is long', async () => {
      expect((await authorize(publish(`/${'x'.repeat(1_500)}`))).text).toContain('invalid_client');
      expect(reads).toEqual([]);
    });

    test('cannot have many documents read from one address', async () => {
      service.stopClock();
      const known = publish('/known');
      asBrowser(await authorize(known));
      for (let count = 1; count < 20; count += 1) await authorize(`${origin}/missing/${count}`);
      const { status, text } = await authorize(`${origin}/missing/20`);
      expect([status, reads.length]).toEqual([400, 20]);
      expect(text).toContain('too many client metadata documents');
      asBrowser(await authorize(known));
    });

    test('cannot have many documents read from all addresses', async () => {
      let documentsRead = 0;
      const get: Outbound['get'] = () => {
        documentsRead += 1;
        return Promise.resolve({
          status: 404,
          text: '',
          retryAfter: undefined,
          cacheControl: undefined,
          contentType: undefined,
        });
      };
      const crowd = createAuthorizationServer({
        db: database().kysely,
        anonymous: database().anonymous,
        sealer,
        signingKeys: service.signingKeys,
        outbound: { ...outbound, get },
        publicUrl,
        clock: { now: () => 0, sleep: () => Promise.resolve() },
        log: silentLog,
      });
      const app = express().set('trust proxy', true).use(crowd.pages());
      const listening = app.listen(0, '127.0.0.1');
      onTestFinished(() => void listening.close());
      await once(listening, 'listening');
      const { port } = listening.address() as AddressInfo;
      const send = async (index: number): Promise<string> => {
        const query = new URLSearchParams({
          client_id: `https://many.example/${index}`,
          response_type: 'code',
          redirect_uri: redirectUri,
          code_challenge: challenge,
          code_challenge_method: 'S256',
          resource,
        });
        const response = await fetch(`http://127.0.0.1:${port}/agents/authorize?${query}`, {
          headers: { 'x-forwarded-for': `198.51.${index % 100}.${Math.floor(index / 100)}` },
        });
        return response.text();
      };
      const responses: string[] = [];
      for (let sent = 0; sent < 301; sent += 7)
        responses.push(...(await Promise.all(Array.from({ length: 7 }, (_, index) => send(sent + index)))));
      expect(responses.filter(text => text.includes('temporarily_unavailable'))).toHaveLength(1);
      expect(documentsRead).toBe(300);
    });

    test('need no registration; the document is remembered, and its host is verified', async () => {
      const clientId = publish('/client.json', {
        grant_types: ['authorization_code', 'refresh_token', 'implicit'],
      });
      const browser = asBrowser(await authorize(clientId));
      const { host } = new URL(origin);
      expect((await find(browser))?.client).toEqual({ id: clientId, name: 'Chat', host });
      const agentId = await allowAgent(clientId);
      const back = await resume(browser, await requests.allow(...visit(browser), agentId));
      const { status, body } = await exchange(clientId, back.searchParams.get('code') ?? '');
      expect([status, body.scope, typeof body.refresh_token]).toEqual([200, 'read search', 'string']);
      // Each of the two processes has read it.
      expect(reads).toEqual(['/client.json', '/client.json']);
    });

    test('keep their tokens while their document cannot be read', async () => {
      service.stopClock();
      documents.set('/down', { status: 503, body: '' });
      for (const [clientId, ...rejection] of [
        [`${origin}/down`, 503, 'temporarily_unavailable'],
        ['https://inside.example/client.json', 503, 'temporarily_unavailable'],
        [`${origin}/none`, 400, 'invalid_client'],
      ] as const) {
        const { status, body } = await refresh(clientId, 'token');
        expect([status, body.error], clientId).toEqual(rejection);
      }
      for (let count = 3; count < 20; count += 1) await refresh(`${origin}/none/${count}`, 'token');
      const { body } = await refresh(`${origin}/too-many`, 'token');
      expect(body.error).toBe('temporarily_unavailable');
    });

    test('have no request any more if the document disappears', async () => {
      const browser = asBrowser(await authorize(publish('/short-lived')));
      documents.clear();
      expect(await find(browser)).toBeNull();
    });

    test.each<[string, () => string]>([
      ['is too large', () => publish('/large', { client_uri: `https://app.example/${'x'.repeat(6_000)}` })],
      ['is much too large', () => publish('/huge', { client_name: 'x'.repeat(5_000_000) })],
      ['is of another client', () => publish('/other', { client_id: 'https://claude.ai/client.json' })],
      ['has a shared secret', () => publish('/secret', { client_secret: 'x' })],
      ['has a redirect URI with http', () => publish('/http', { redirect_uris: ['http://app.example/'] })],
      ['is missing', () => `${origin}/missing`],
      ['is elsewhere', () => redirected()],
      ['is not served as JSON', () => servedAsText()],
      ['has many keys', () => publish('/keys', { jwks: { keys: Array.from({ length: 6 }, () => ecKey) } })],
    ])('are unknown if the document %s', async (_title, prepare) => {
      const { status, headers, text } = await authorize(prepare());
      expect([status, headers['location'], headers['set-cookie']]).toEqual([400, undefined, undefined]);
      expect(text).toMatch(/invalid_client|invalid_redirect_uri/);
      expect(reads.length).toBe(1);
    });
    const ecKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
    const servedAsText = (): string => {
      const id = publish('/text');
      const { body } = documents.get('/text') ?? { body: '' };
      documents.set('/text', { headers: { 'content-type': 'text/html' }, body });
      return id;
    };
    const redirected = (): string => {
      const id = publish('/moved');
      documents.set('/target', documents.get('/moved') ?? { body: '' });
      documents.set('/moved', { status: 302, headers: { location: '/target' }, body: '' });
      return id;
    };

    test.each([
      ['an address of this machine', 'https://127.0.0.1/client.json', null],
      ['a private address', 'https://10.0.0.1/client.json', null],
      ['the metadata service of a cloud', 'https://169.254.169.254/client.json', null],
      ['a name that resolves to this machine', 'https://inside.example/client.json', '127.0.0.1'],
      ['a name that resolves to a private address', 'https://inside.example/client.json', '192.168.1.1'],
    ])('are unknown if the document is at %s', async (_title, clientId, address) => {
      if (address !== null) resolved.set('inside.example', address);
      const { status, text } = await authorize(clientId);
      expect(status).toBe(400);
      expect(text).toContain('metadata document fetch failed');
      expect(text).not.toMatch(/127\.0\.0\.1:|192\.168/);
    });
  });
});
