import { createHash, randomUUID } from 'node:crypto';
import { endpoints, type AuditAction, type Endpoint, type EndpointName } from '@connector-auth/api';
import { adminEndpoints, type AdminEndpointName, type AuditEntry } from '@connector-auth/api/admin';
import type { RunningSandbox } from '@connector-auth/sandbox';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  codeFor,
  makeWorld,
  serviceOrigin,
  startWorldSandbox,
  type Applications,
  type World,
} from '../../../test/callers.ts';
import { consentKind, platformApps } from '../../../test/consent.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { addressOf, exampleRequest, goodKey } from '../../../test/example-requests.ts';
import { bothKinds, firstKind } from '../../../test/second-kind.ts';
import { adminToken, startTestService, type TestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { entryOfService } from '../../platform/audit-log/entry.ts';
import { insertBatch } from '../../platform/audit-log/store.ts';
import { Secret } from '../../platform/crypto/secret.ts';

// The contracts have exactly these keys.
const names = Object.keys(endpoints) as EndpointName[];
const adminNames = Object.keys(adminEndpoints) as AdminEndpointName[];
const pageOrigin = 'https://app.example';

onPostgresOrEachEngineInFull('the audit log', database => {
  let service: TestService;
  let sandbox: RunningSandbox;
  let applications: Applications;
  beforeAll(async () => {
    sandbox = await startWorldSandbox();
    // Each test waits until its entries are written.
    const eager = { ...database(), batchIntervalMs: 0 };
    service = await startTestService(eager, {
      kinds: [...bothKinds, consentKind],
      publicUrl: serviceOrigin,
      oauthApps: platformApps,
      sandbox,
    });
    await service.bootstrap({
      clientId: 'disabled',
      clientSecret: new Secret('secret'),
      organizations: ['Own'],
      redirectUrls: [],
    });
    applications = {
      own: await service.addApplication('own', ['Own']),
      other: await service.addApplication('other', ['Other']),
      both: await service.addApplication('both', ['Own', 'Other']),
      disabledId: randomUUID(),
    };
  });
  beforeEach(() => service.sandbox.control.reset());
  afterAll(async () => {
    await service.close();
    await sandbox.close();
  });

  const list = async (query: Readonly<Record<string, string>> = {}): Promise<AuditEntry[]> => {
    const path = `/api/v1/admin/audit?${new URLSearchParams(query).toString()}`;
    return (await service.ask('GET', path, { token: adminToken })).body.data;
  };
  /** Waits until everything that was recorded before is written. */
  const untilWritten = async (): Promise<void> => {
    const { requestId: id } = await service.ask('DELETE', '/api/v1/admin/session', { token: adminToken });
    const isLast = ({ request_id }: AuditEntry): boolean => request_id === id;
    await until(async () => expect((await list({ limit: '5' })).some(isLast)).toBe(true));
  };
  /** Returns the entries of one of the last requests. */
  const entriesOf = async (requestId: string): Promise<AuditEntry[]> => {
    await untilWritten();
    return (await list({ limit: '20' })).filter(({ request_id }) => request_id === requestId);
  };
  /** Recreates all objects, with the tokens that these tests use. */
  const makeOwnWorld = (): Promise<World> =>
    makeWorld(service, database(), applications, ['widget', 'widgetLink']);
  let unchanged: World | null = null;
  /** Returns the objects of the last test, or new ones if its request has used one up. */
  const worldFor = async (name: EndpointName): Promise<World> => {
    const world = unchanged ?? (await makeOwnWorld());
    // A list of accounts needs a completed consent, which the sandbox forgets after the test.
    const usesUp = endpoints[name].method === 'DELETE' || name === 'listSessionAccounts';
    unchanged = usesUp ? null : world;
    return world;
  };
  /** Sends the example request of an endpoint, and returns its entries. */
  const askExample = async (
    name: EndpointName,
    world: World,
    {
      token,
      change = {},
    }: { readonly token: 'application' | 'widget' | 'widgetLink'; readonly change?: object },
  ) => {
    const endpoint: Endpoint = endpoints[name];
    const example = exampleRequest(name, {
      clientId: world.own.clientId,
      clientSecret: world.own.clientSecret,
      connectorId: world.connectorId,
      sessionId: world.sessionId,
      linkId: world.linkId,
      webhookId: world.webhookId,
      eventId: world.eventId,
      agentId: world.agentId,
      ...(await codeFor(name, world, database(), service)),
      ...(name === 'listSessionAccounts' ? { secretId: await world.secretId() } : {}),
    });
    const response = await service.ask(endpoint.method, addressOf(endpoint.path, example), {
      ...(endpoint.callers.length === 0 ? {} : { token: world.tokens[token] }),
      headers: {
        ...example.headers,
        ...(token === 'application' ? {} : { origin: pageOrigin }),
      },
      ...(example.body ? { body: { ...example.body, ...change } } : {}),
    });
    return { response, entries: await entriesOf(response.requestId) };
  };

  describe('requests of integrators', () => {
    test.each(names)('%s leaves one entry if it changes something or uses a credential', async name => {
      const world = await worldFor(name);
      const { response, entries } = await askExample(name, world, { token: 'application' });
      expect(response.status, response.text).toBe(endpoints[name].status);
      const action = name === 'execute' ? 'list' : endpoints[name].audit;
      if (action === null) return expect(entries).toEqual([]);
      const { path, callers }: Endpoint = endpoints[name];
      const isAboutConnector = path.includes('/connectors/{id}') || name === 'createConnector';
      const isOfCustomer =
        isAboutConnector ||
        name.endsWith('ConnectLink') ||
        [
          'confirmAgentSignIn',
          'deleteAgent',
          'deleteCustomer',
          'initiateOAuth',
          'listSessionAccounts',
          'revokeUser',
        ].includes(name);
      const token = decodeJwt(world.tokens['application'] ?? '');
      expect(callers).toContain('application');
      expect(entries).toEqual([
        {
          id: expect.stringMatching(/^\d+$/),
          at: expect.any(String),
          actor: { type: 'application', id: token.sub, name: 'own', token_id: token.jti },
          organization_id: world.own.organizationIds[0],
          customer_name: isOfCustomer ? 'acme' : null,
          connector_id:
            name === 'createConnector' ? response.body.id : isAboutConnector ? world.connectorId : null,
          connector_type: isAboutConnector
            ? firstKind.key
            : /OAuth(Session|Credentials)?$|SessionAccounts$|^createConnectLink$/.test(name)
              ? consentKind.key
              : null,
          entity: name === 'execute' ? 'notes' : null,
          action,
          application_id: null,
          target_id: expect.toSatisfy((id: unknown) => id === null || typeof id === 'string'),
          target_name: entries[0]?.target_id === world.own.organizationIds[0] ? 'Own' : null,
          outcome: 'ok',
          records: name === 'execute' ? 1 : null,
          request_id: expect.any(String),
          address: expect.stringContaining('127.0.0.1'),
        },
      ]);
      expect(Math.abs(Date.parse(entries[0]?.at ?? '') - Date.now())).toBeLessThan(60_000);
    });

    test.each(names.filter(name => (endpoints[name] as Endpoint).callers.includes('widget')))(
      '%s names the token and the customer of a page',
      async name => {
        const world = await worldFor(name);
        const token = name.endsWith('ConnectLink') ? 'widgetLink' : 'widget';
        const { entries } = await askExample(name, world, { token });
        const { jti, app } = decodeJwt(world.tokens[token] ?? '');
        if (endpoints[name].audit === null) return expect(entries).toEqual([]);
        expect(entries).toHaveLength(1);
        expect(entries[0]).toMatchObject({
          actor: { type: 'customer_token', id: app, name: 'own', token_id: jti },
          customer_name: 'acme',
          outcome: 'ok',
        });
      },
    );

    test('rejected requests have the code of their error, and unknown names are not recorded', async () => {
      const world = await makeOwnWorld();
      const canary = 'grn_canary_in_a_name';
      const { response, entries } = await askExample('execute', world, {
        token: 'application',
        change: { entity: canary, action: canary, params: { secret: canary } },
      });
      expect(response.status).toBe(422);
      expect(entries).toMatchObject([{ action: 'execute', entity: null, outcome: response.body.code }]);
    });

    test('a rejected credential is recorded with the kind and the customer', async () => {
      const world = await makeOwnWorld();
      const { response, entries } = await askExample('createConnector', world, {
        token: 'application',
        change: { credentials: { api_key: 'grn_wrong' } },
      });
      expect(response.status).toBe(422);
      expect(entries).toMatchObject([
        {
          action: 'connector.created',
          outcome: 'credentials_refused',
          connector_id: null,
          connector_type: firstKind.key,
          customer_name: 'acme',
        },
      ]);
    });

    test('reconnecting has a different action than renaming', async () => {
      const world = await makeOwnWorld();
      const { entries } = await askExample('updateConnector', world, {
        token: 'application',
        change: { credentials: { api_key: goodKey } },
      });
      expect(entries).toMatchObject([{ action: 'connector.reconnected', outcome: 'ok' }]);
    });

    test('requests without a valid token leave no entry', async () => {
      const { requestId } = await service.ask('POST', '/api/v1/integrations/connectors', {
        token: 'abc.def.ghi',
        body: {},
      });
      expect(await entriesOf(requestId)).toEqual([]);
    });

    test('never contains a credential, a parameter, a name of a connector or a record', async () => {
      const world = await makeOwnWorld();
      const token = world.tokens['application'];
      const canary = `canary${randomUUID().replaceAll('-', '')}`;
      const connectors = '/api/v1/integrations/connectors';
      const body = {
        customer_name: 'acme',
        connector_type: firstKind.key,
        name: canary,
        credentials: { api_key: `grn_${canary}` },
      };
      await service.ask('POST', connectors, { token, body });
      const path = `${connectors}/${world.connectorId}`;
      await service.ask('PATCH', path, { token, body: { name: canary } });
      await service.ask('POST', `${path}/execute`, {
        token,
        body: { entity: 'notes', action: 'list', params: { cursor: canary } },
      });
      await service.ask('PUT', `${connectors}/${canary}`, { token, body: { [canary]: canary } });
      await service.ask('DELETE', `/api/v1/oauth/credentials/connector_type/${canary}`, { token });
      await service.ask('POST', `${connectors}/oauth/initiate`, {
        token,
        body: { customer_name: 'acme', connector_type: canary, redirect_url: `https://${canary}.example` },
      });
      await service.ask('POST', '/api/v1/admin/audit', { token: canary });
      await untilWritten();
      const { rows } = await sql`select * from audit_entries`.execute(database().kysely);
      expect(rows.length).toBeGreaterThan(5);
      const text = JSON.stringify(rows);
      for (const secret of [canary, goodKey, adminToken, world.own.clientSecret, token ?? '']) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(createHash('sha256').update(secret).digest('base64url'));
      }
    });
  });

  describe('requests of operators', () => {
    test('record exactly the endpoints that are not a GET, except the one that is polled', () => {
      for (const name of adminNames) {
        const isRead = adminEndpoints[name].method === 'GET' || name === 'receiveEvents';
        expect(adminEndpoints[name].audit === null, name).toBe(isRead);
      }
    });

    test('an act leaves one entry with the key, the target and the outcome', async () => {
      const response = await service.ask('DELETE', '/api/v1/admin/session', { token: adminToken });
      expect(response.status).toBe(204);
      expect(await entriesOf(response.requestId)).toMatchObject([
        {
          actor: { type: 'admin_key', id: null, name: 'ADMIN_TOKEN' },
          action: 'session.ended',
          outcome: 'ok',
        },
      ]);
    });

    test('a wrong key leaves an entry with the address, and a request without a key leaves none', async () => {
      const without = await service.ask('GET', '/api/v1/admin/session');
      const response = await service.ask('GET', '/api/v1/admin/session', { token: 'wrong' });
      expect(response.status).toBe(401);
      expect(await entriesOf(without.requestId)).toEqual([]);
      expect(await entriesOf(response.requestId)).toMatchObject([
        {
          actor: { type: 'admin_key', id: null, name: null, token_id: null },
          action: 'session.started',
          outcome: 'admin_key_invalid',
          address: expect.stringContaining('127.0.0.1'),
        },
      ]);
    });
  });

  test('requests without a caller leave no entry unless they carry a wrong key or code', async () => {
    for (const path of ['/api/v1/admin/setup', '/api/v1/admin/session']) {
      const { status, requestId } = await service.ask('POST', path, { body: { code: 7 } });
      expect(status).toBe(400);
      expect(await entriesOf(requestId)).toEqual([]);
    }
  });

  describe('a list', () => {
    test('is filtered, and paged from the newest entry to the oldest', async () => {
      const world = await makeOwnWorld();
      await askExample('checkConnector', world, { token: 'application' });
      await askExample('execute', world, { token: 'widget' });
      await askExample('execute', world, {
        token: 'application',
        change: { action: 'none' },
      });
      const about = { connector_id: world.connectorId };
      const all = await list(about);
      expect(all.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
        'execute unknown_action',
        'list ok',
        'check ok',
        'connector.created ok',
      ]);
      const path = '/api/v1/admin/audit';
      const token = adminToken;
      const first = await service.ask('GET', `${path}?connector_id=${world.connectorId}&limit=3`, { token });
      expect(first.body.meta.has_more).toBe(true);
      const query = new URLSearchParams({ ...about, cursor: first.body.meta.cursor, limit: '3' });
      const second = await service.ask('GET', `${path}?${query.toString()}`, { token });
      expect([...first.body.data, ...second.body.data]).toEqual(all);
      expect(second.body.meta).toEqual({ cursor: null, has_more: false });

      const count = async (filter: Readonly<Record<string, string>>) =>
        (await list({ ...about, ...filter })).length;
      expect(await count({ action: 'list' })).toBe(1);
      expect(await count({ outcome: 'ok' })).toBe(3);
      expect(await count({ outcome: 'error' })).toBe(1);
      expect(await count({ outcome: 'unknown_action' })).toBe(1);
      expect(await count({ customer_name: 'acme' })).toBe(4);
      expect(await count({ customer_name: 'beta' })).toBe(0);
      expect(await count({ organization_id: world.other.organizationIds[0] ?? '' })).toBe(0);
      expect(await count({ actor_id: all[0]?.actor.id ?? '' })).toBe(4);
      expect(await count({ from: all[2]?.at ?? '' })).toBeGreaterThanOrEqual(3);
      expect(await count({ to: all[3]?.at ?? '' })).toBe(0);
      expect(await count({ from: '0000-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' })).toBe(4);
    });

    test.each(['x', Buffer.from('["9999999999999999999"]').toString('base64url')])(
      'rejects the cursor %s',
      async cursor => {
        for (const path of ['/api/v1/admin/audit', '/api/v1/admin/audit/export']) {
          const response = await service.ask('GET', `${path}?cursor=${cursor}`, { token: adminToken });
          expect(response.body.code).toBe('malformed_request');
        }
      },
    );
  });

  describe('an export', () => {
    const read = async (query: Readonly<Record<string, string>>) => {
      const path = `/api/v1/admin/audit/export?${new URLSearchParams(query).toString()}`;
      const response = await service.ask('GET', path, { token: adminToken });
      expect(response.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
      const lines = response.text.split('\n');
      expect(lines.pop()).toBe('');
      const cursor = String(response.headers['x-next-cursor']);
      return { entries: lines.map(line => JSON.parse(line) as AuditEntry), cursor };
    };

    test('is continued with its last cursor, from the oldest entry to the newest', async () => {
      const world = await makeOwnWorld();
      for (let round = 0; round < 3; round++)
        await askExample('checkConnector', world, { token: 'application' });
      const about = { connector_id: world.connectorId };
      const first = await read({ ...about, limit: '3' });
      expect(first.entries.map(({ action }) => action)).toEqual(['connector.created', 'check', 'check']);
      const second = await read({ ...about, limit: '3', cursor: first.cursor });
      expect(second.entries.map(({ action }) => action)).toEqual(['check']);
      const nothing = await read({ ...about, cursor: second.cursor });
      expect(nothing).toEqual({ entries: [], cursor: second.cursor });
      await askExample('execute', world, { token: 'application' });
      const later = await read({ ...about, cursor: nothing.cursor });
      expect(later.entries.map(({ action }) => action)).toEqual(['list']);
    });

    test('has a cursor even if there has never been an entry', async () => {
      const { entries, cursor } = await read({ actor_id: 'unknown' });
      expect(entries).toEqual([]);
      expect(await read({ actor_id: 'unknown', cursor })).toEqual({ entries: [], cursor });
    });

    test('misses nothing while two writers write', async () => {
      // Only the entries of this test have this name.
      const action = `race ${randomUUID()}` as AuditAction;
      const batches = 40;
      const write = async (): Promise<void> => {
        for (let batch = 0; batch < batches; batch++) {
          const entry = entryOfService('service', {}, { action, entity: null, outcome: 'ok', records: null });
          const entries = Array.from({ length: 1 + (batch % 7) }, () => ({
            entry,
            recordedAt: performance.now(),
          }));
          await insertBatch(database().kysely, { id: randomUUID(), entries });
        }
      };
      let isDone = false;
      const writing = (async () => {
        await Promise.all([write(), write()]);
        isDone = true;
      })();
      const seen: string[] = [];
      let cursor: string | null = null;
      for (let isLast = false; !isLast;) {
        isLast = isDone;
        const page: Awaited<ReturnType<typeof read>> = await read({
          action,
          limit: '10000',
          ...(cursor === null ? {} : { cursor }),
        });
        seen.push(...page.entries.map(({ id }) => id));
        ({ cursor } = page);
      }
      await writing;
      const { rows } = await sql<{ id: number }>`
        select id from audit_entries where action = ${action} order by id`.execute(database().kysely);
      expect(seen).toEqual(rows.map(({ id }) => String(id)));
    });
  });
});
