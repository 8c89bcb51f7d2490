import { endpoints, type Endpoint, type EndpointName } from '@connector-auth/api';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { connectors, useConsentHarness } from '../../../test/consent-harness.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { addressOf, exampleRequest } from '../../../test/example-requests.ts';
import { goodCredentials } from '../../../test/synced-records.ts';
import { adminToken, type TestResponse } from '../../../test/test-service.ts';

const everyStatus = ['active', 'disabled', 'frozen'] as const;
type Status = (typeof everyStatus)[number];

/** The endpoints of the integrators' contract that address a connector. */
const addressing = Object.entries<Endpoint>(endpoints)
  .filter(([, { path }]) => path.startsWith(`${connectors}/{id}`))
  // The names of the contract's endpoints.
  .map(([name, endpoint]) => [name as EndpointName, endpoint] as const);

onPostgresOrEachEngineInFull('a connector that an operator or an incident has stopped', database => {
  const harness = useConsentHarness(database);

  const create = async (): Promise<string> => {
    const credentials = goodCredentials(harness.service.sandbox, 'gong');
    const { status, body } = await harness.create(undefined, { credentials });
    expect(status).toBe(201);
    return body.id;
  };
  const stop = async (id: string, status: Status): Promise<void> => {
    if (status === 'disabled') {
      const path = `/api/v1/admin/connectors/${id}/disable`;
      expect((await harness.service.ask('POST', path, { token: adminToken })).status).toBe(200);
    } else if (status === 'frozen') {
      await sql`update connectors set incident_id = gen_random_uuid() where id = ${id}`.execute(
        database().kysely,
      );
    }
  };
  const ask = (method: string, path: string, body?: unknown): Promise<TestResponse> =>
    harness.service.ask(method, `${connectors}${path}`, { token: harness.token, body });
  const vendorRequests = () => harness.service.sandbox.control.requests.list();

  interface Operation {
    readonly endpoint: EndpointName;
    /** The statuses in which the operation is allowed. */
    readonly allowed: readonly Status[];
    /** Returns what `run` needs, before the connector is stopped. */
    readonly prepare?: (id: string) => Promise<string>;
    readonly run: (id: string, prepared: string) => Promise<TestResponse>;
  }
  const operations: Readonly<Record<string, Operation>> = {
    'reading it': { endpoint: 'getConnector', allowed: everyStatus, run: id => ask('GET', `/${id}`) },
    'reading its activity': {
      endpoint: 'listConnectorActivity',
      allowed: everyStatus,
      run: id => ask('GET', `/${id}/activity`),
    },
    'listing its accounts': {
      endpoint: 'listConnectorAccounts',
      allowed: ['active'],
      run: id => ask('GET', `/${id}/accounts`),
    },
    'renaming it': {
      endpoint: 'updateConnector',
      allowed: everyStatus,
      run: id => ask('PATCH', `/${id}`, { name: 'Renamed' }),
    },
    'replacing its credentials': {
      endpoint: 'updateConnector',
      allowed: ['active'],
      run: id => {
        const credentials = goodCredentials(harness.service.sandbox, 'gong');
        return ask('PATCH', `/${id}`, { credentials, replace_account: true });
      },
    },
    'redeeming a consent for it': {
      endpoint: 'updateConnector',
      allowed: ['active'],
      prepare: id => harness.secretOf({ connector_id: id }),
      run: (id, secretId) => ask('PATCH', `/${id}`, { server_side_oauth_secret_id: secretId }),
    },
    'starting a consent for it': {
      endpoint: 'initiateOAuth',
      allowed: ['active'],
      run: id => harness.initiate({ connector_id: id }),
    },
    'checking it': {
      endpoint: 'checkConnector',
      allowed: ['active'],
      run: id => ask('POST', `/${id}/check`),
    },
    'syncing it': { endpoint: 'syncConnector', allowed: ['active'], run: id => ask('POST', `/${id}/sync`) },
    'running an action': {
      endpoint: 'execute',
      allowed: ['active'],
      run: id => ask('POST', `/${id}/execute`, { entity: 'users', action: 'list' }),
    },
    'searching its records': {
      endpoint: 'execute',
      allowed: ['active'],
      run: id => ask('POST', `/${id}/execute`, { entity: 'users', action: 'search', params: { query: {} } }),
    },
    'deleting it': {
      endpoint: 'deleteConnector',
      allowed: ['active', 'disabled'],
      run: id => ask('DELETE', `/${id}`),
    },
    'undoing that': {
      endpoint: 'restoreConnector',
      allowed: ['active', 'disabled'],
      run: async id => {
        await ask('DELETE', `/${id}?undo_seconds=60`);
        return ask('POST', `/${id}/restore`);
      },
    },
  };

  describe.each(Object.entries(operations))('%s', (_title, { allowed, prepare, run }) => {
    test.each(allowed)('is possible while it is %s', async status => {
      const id = await create();
      const prepared = (await prepare?.(id)) ?? '';
      await stop(id, status);
      const response = await run(id, prepared);
      expect(response.status, response.text).toBeLessThan(300);
    });

    test.each(everyStatus.filter(status => !allowed.includes(status)))(
      'is rejected while it is %s, without a request to the vendor',
      async status => {
        const id = await create();
        const prepared = (await prepare?.(id)) ?? '';
        await stop(id, status);
        harness.service.sandbox.control.requests.clear();
        const response = await run(id, prepared);
        expect([response.status, response.body.code]).toEqual([403, `connector_${status}`]);
        expect(response.body.detail).toMatch(/Only an operator/);
        expect(vendorRequests()).toEqual([]);
      },
    );
  });

  test('is tested here with every endpoint that addresses a connector', () => {
    const tested = new Set(Object.values(operations).map(({ endpoint }) => endpoint));
    expect(addressing.map(([name]) => name).filter(name => !tested.has(name))).toEqual([]);
  });

  test.each(addressing)('is not found by another organization with %s', async (name, { method, path }) => {
    const id = await create();
    await stop(id, 'disabled');
    const application = await harness.service.addApplication('other', ['Other']);
    const subject = { connectorId: id, sessionId: id, ...application };
    const example = exampleRequest(name, subject);
    const token = await harness.service.tokenOf(application);
    const response = await harness.service.ask(method, addressOf(path, example), {
      token,
      body: example.body,
    });
    expect([response.status, response.body.code]).toEqual([404, 'connector_not_found']);
  });

  test.each(['disabled', 'frozen'] as const)('is listed as %s', async status => {
    const id = await create();
    await stop(id, status);
    expect((await ask('GET', '')).body.data).toMatchObject([{ id, status }]);
  });

  test('keeps needing a new consent after it is enabled, if it did before', async () => {
    const id = await create();
    await sql`update connectors set status = 'needs_reauth' where id = ${id}`.execute(database().kysely);
    await stop(id, 'disabled');
    expect((await ask('GET', `/${id}`)).body.status).toBe('disabled');
    const enabling = `/api/v1/admin/connectors/${id}/enable`;
    await harness.service.ask('POST', enabling, { token: adminToken });
    expect((await ask('GET', `/${id}`)).body.status).toBe('needs_reauth');
  });

  test('does not get credentials that were still being verified when it was disabled', async () => {
    const id = await create();
    const { sandbox } = harness.service;
    const credentials = goodCredentials(sandbox, 'gong');
    const held = harness.service.holdVendorRequest();
    const patching = ask('PATCH', `/${id}`, { credentials, replace_account: true });
    const release = await held;
    await stop(id, 'disabled');
    release();
    expect((await patching).body.code).toBe('connector_disabled');
  });
});
