import type { Endpoint } from '@connector-auth/api';
import { adminEndpoints, type AuditEntry } from '@connector-auth/api/admin';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminNames, makeAdminWorld, type AdminWorld } from '../../../test/admin-world.ts';
import { serviceOrigin } from '../../../test/callers.ts';
import { consentKind, platformApps } from '../../../test/consent.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { addressOf, adminExampleRequest } from '../../../test/example-requests.ts';
import { bothKinds } from '../../../test/second-kind.ts';
import { adminToken, startTestService, type TestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';

/** The acts that use up an object or a name. */
const using = /^(create|delete|declare|disable|rotate)/;

onPostgresOrEachEngineInFull('acts of operators', database => {
  let service: TestService;
  let world: AdminWorld | null = null;
  beforeAll(async () => {
    // Each test waits until its entries are written.
    const eager = { ...database(), batchIntervalMs: 0 };
    service = await startTestService(eager, {
      kinds: [...bothKinds, consentKind],
      publicUrl: serviceOrigin,
      oauthApps: platformApps,
      sleep: () => Promise.resolve(),
    });
  });
  afterAll(() => service.close());

  const list = async (): Promise<AuditEntry[]> =>
    (await service.ask('GET', '/api/v1/admin/audit?limit=10', { token: adminToken })).body.data;
  /** Returns the entries of a request, once an entry that was recorded later is written. */
  const entriesOf = async (requestId: string): Promise<AuditEntry[]> => {
    const after = await service.ask('DELETE', '/api/v1/admin/session', { token: adminToken });
    return until(async () => {
      const entries = await list();
      expect(entries.some(({ request_id }) => request_id === after.requestId)).toBe(true);
      return entries.filter(({ request_id }) => request_id === requestId);
    });
  };

  // Once the service is set up, the audit log does not record further attempts, because anyone can make them.
  const acts = adminNames.filter(name => adminEndpoints[name].audit !== null && name !== 'setUp');

  describe.each(['ADMIN_TOKEN', 'read key'])('with the %s', key => {
    test.each(acts)('%s leaves one entry with its outcome', async name => {
      world ??= await makeAdminWorld(service, database());
      const endpoint: Endpoint = adminEndpoints[name];
      const example = adminExampleRequest(name, world);
      const response = await service.ask(endpoint.method, addressOf(endpoint.path, example), {
        headers: { ...world.callers[key] },
        ...(example.body ? { body: example.body } : {}),
      });
      // The next request may need what this one has used up. Others change nothing that it needs.
      const present = world;
      if (response.status < 300 && using.test(name)) world = null;
      const entries = await entriesOf(response.requestId);
      expect(entries).toHaveLength(1);
      const [entry] = entries;
      const outcome = response.status < 300 ? 'ok' : response.body.code;
      if (key === 'ADMIN_TOKEN') expect(outcome).toBe('ok');
      expect(entry).toMatchObject({
        action: adminEndpoints[name].audit,
        outcome,
        actor: { type: 'admin_key' },
      });
      if (endpoint.callers.length > 0 && key === 'ADMIN_TOKEN') expect(entry?.actor.name).toBe('ADMIN_TOKEN');
      if (endpoint.callers.length > 0 && key !== 'ADMIN_TOKEN') {
        expect(entry?.actor.id).toEqual(expect.any(String));
      }
      if (outcome !== 'ok') return;
      const { params = {} } = example;
      const id = Object.entries(params).findLast(([param]) => param.endsWith('_id'))?.[1];
      const isNamed = /^(create|edit|disable|enable|adopt)(Application|Organization)$|^createAdminKey$/;
      if (name === 'deleteSecret') {
        expect(entry).toMatchObject({ application_id: present.applicationId, target_name: 'own' });
      }
      if (isNamed.test(name)) expect(entry?.target_name).toBe(response.body.name);
      if (id !== undefined) expect([entry?.connector_id, entry?.target_id]).toContain(id);
      if (id === undefined && response.body?.id !== undefined) {
        expect(entry?.target_id).toBe(response.body.id);
      }
      const isOfOrganization =
        'organization_id' in params || 'connector_id' in params || 'customer_id' in params;
      if (isOfOrganization) expect(entry?.organization_id).toBe(present.organizationId);
      if ('connector_id' in params || 'customer_id' in params) expect(entry?.customer_name).toBe('acme');
    });
  });
});
