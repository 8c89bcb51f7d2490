import { describe, expect, test } from 'vitest';
import { connectorsPath, useConnectorHarness } from '../../../test/connector-harness.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { secondKind } from '../../../test/second-kind.ts';
import type { TestResponse } from '../../../test/test-service.ts';

const origin = 'https://app.example';
const defaults = { [secondKind.name]: { depth: 4, folder: 'sales' } };

onPostgresOrEachEngineInFull('settings that only the integrator may set', database => {
  const harness = useConnectorHarness(database);

  const mint = (more: object = {}): Promise<string> =>
    harness.service.customerToken(harness.token, { customer_name: 'acme', ...more });
  const asPage = (more: object = {}): Promise<string> => mint({ allowed_origin: origin, ...more });
  const ask = (method: string, path: string, token: string, body: object): Promise<TestResponse> =>
    harness.service.ask(method, `${connectorsPath}${path}`, { token, headers: { origin }, body });
  const createAs = (token: string, replication_config?: object): Promise<TestResponse> =>
    ask('POST', '', token, {
      connector_type: secondKind.key,
      name: 'Notes',
      credentials: { api_key: goodKey },
      ...(replication_config ? { replication_config } : {}),
    });
  const asBackend = (method: string, path: string, token: string, body: object): Promise<TestResponse> =>
    harness.service.ask(method, `${connectorsPath}${path}`, { token, body });
  const expectRejection = (response: TestResponse, setting = 'depth'): void => {
    expect([response.status, response.body.code]).toEqual([422, 'invalid_credentials']);
    expect(response.body.errors).toEqual([
      {
        path: `replication_config.${setting}`,
        message: expect.stringContaining('replication_defaults'),
      },
    ]);
  };

  describe('in a page', () => {
    test('are rejected when it creates a connector, before the vendor is called', async () => {
      expectRejection(await createAs(await asPage(), { folder: 'sales', depth: 2 }));
      expectRejection(await createAs(await asPage({ replication_defaults: defaults }), { depth: 4 }));
      expect(harness.vendorCalls()).toBe(0);
    });

    test('are rejected when it changes a connector, with new credentials and without', async () => {
      const token = await asPage();
      const { id } = (await createAs(token)).body;
      const replication_config = { depth: 2 };
      expectRejection(await ask('PATCH', `/${id}`, token, { replication_config }));
      const credentials = { api_key: goodKey };
      expectRejection(await ask('PATCH', `/${id}`, token, { replication_config, credentials }));
    });

    test('come from the token, beside the settings of the customer', async () => {
      const token = await asPage({ replication_defaults: { [secondKind.name]: { depth: 4 } } });
      const own = await createAs(token, { folder: 'support' });
      expect(own.body.replication_config).toEqual({ depth: 4, folder: 'support' });
    });

    test('include those of the customer that the token fixes', async () => {
      const token = await asPage({ replication_defaults: defaults });
      const { body: created } = await createAs(token);
      expect(created.replication_config).toEqual({ depth: 4, folder: 'sales' });
      for (const folder of ['support', null]) {
        expectRejection(await createAs(token, { folder }), 'folder');
        const replication_config = { folder };
        expectRejection(await ask('PATCH', `/${created.id}`, token, { replication_config }), 'folder');
      }
      const audienceFor = async (as: string): Promise<unknown> => {
        const path = `/api/v1/integrations/definitions/sources/${secondKind.definitionId}`;
        const { body } = await harness.service.ask('GET', path, { token: as, headers: { origin } });
        return body.replication_schema.properties.folder['x-audience'];
      };
      expect(await audienceFor(token)).toBe('integrator');
      expect(await audienceFor(await asPage())).toBe('customer');
    });

    test('are kept when it changes the settings of the customer', async () => {
      const { id } = (await createAs(await asPage({ replication_defaults: defaults }))).body;
      const token = await asPage({ replication_defaults: { [secondKind.key]: { depth: 9 } } });
      const changed = await ask('PATCH', `/${id}`, token, { replication_config: { folder: 'support' } });
      expect(changed.body.replication_config).toEqual({ depth: 4, folder: 'support' });
      const cleared = await ask('PATCH', `/${id}`, token, {
        replication_config: { folder: null },
        credentials: { api_key: goodKey },
      });
      expect(cleared.body.replication_config).toEqual({ depth: 4 });
    });
  });

  test('can be set by a backend, and reset', async () => {
    const token = await mint({ replication_defaults: defaults });
    const body = { connector_type: secondKind.key, name: 'Notes', credentials: { api_key: goodKey } };
    const created = await asBackend('POST', '', token, { ...body, replication_config: { depth: 7 } });
    expect(created.body.replication_config).toEqual({ depth: 7, folder: 'sales' });
    const path = `/${created.body.id}`;
    for (const as of [token, harness.token]) {
      const changed = await asBackend('PATCH', path, as, { replication_config: { depth: null } });
      expect(changed.body.replication_config).toEqual({ folder: 'sales' });
    }
  });

  test('do not reach the connectors of another kind', async () => {
    const token = await mint({ replication_defaults: defaults });
    const body = { connector_type: 'granola', name: 'Notes', credentials: { api_key: goodKey } };
    const created = await asBackend('POST', '', token, body);
    expect([created.status, created.body.replication_config]).toEqual([201, null]);
  });
});
