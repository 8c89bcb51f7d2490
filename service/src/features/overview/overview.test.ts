import type { Health } from '@connector-auth/api/admin';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { bothKinds, firstKind, secondKind } from '../../../test/second-kind.ts';
import { adminToken, startTestService, type TestService } from '../../../test/test-service.ts';
import { Secret } from '../../platform/crypto/secret.ts';

const path = '/api/v1/admin/overview';

onPostgresOrEachEngineInFull('the overview', (database, engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(database(), { kinds: bothKinds });
  });
  afterAll(() => service.close());

  test('counts what the installation contains, in the time of the database', async () => {
    const token = await service.tokenOf(await service.addApplication('own', ['Own']));
    const body = {
      customer_name: 'acme',
      connector_type: firstKind.key,
      name: 'Notes',
      credentials: { api_key: goodKey },
    };
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      const { body: connector } = await service.ask('POST', '/api/v1/integrations/connectors', {
        token,
        body,
      });
      ids.push(connector.id);
    }
    const [, reauth = '', disabled = '', frozen = ''] = ids;
    const { kysely } = database();
    const change = (id: string, changes: object) =>
      kysely.updateTable('connectors').set(changes).where('id', '=', id).execute();
    await change(reauth, { status: 'needs_reauth' });
    await change(disabled, { disabled_at: new Date(), status: 'needs_reauth' });
    await change(frozen, { incident_id: crypto.randomUUID(), disabled_at: new Date() });
    await kysely
      .updateTable('synced_entities')
      .set({ failures: 3 })
      .where('connector_id', '=', reauth)
      .execute();

    await service.ask('POST', '/api/v1/admin/incidents', {
      token: adminToken,
      body: { kind: secondKind.key },
    });

    const response = await service.ask('GET', path, { token: adminToken });
    expect(response.status, response.text).toBe(200);
    expect(response.body).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      database: engine === 'postgres' ? 'postgresql' : 'pglite',
      organizations: 1,
      applications: 1,
      customers: 1,
      connectors: { active: 1, needs_reauth: 1, disabled: 1, frozen: 1 },
      open_incidents: 1,
      default_sync_interval_minutes: 60,
      kinds: bothKinds.map(({ key, name }) => ({ key, name })),
    });
    expect(response.body.failing_sync_jobs).toBeGreaterThan(0);
    expect(Math.abs(Date.parse(response.body.time) - Date.now())).toBeLessThan(60_000);
  });

  describe('the health of sources', () => {
    const read = async (organization = ''): Promise<Health> => {
      const query = organization === '' ? '' : `?organization_id=${organization}`;
      const response = await service.ask('GET', `/api/v1/admin/health${query}`, { token: adminToken });
      expect(response.status, response.text).toBe(200);
      return response.body;
    };
    const connect = async (organization: string, customer_name: string, name: string): Promise<string> => {
      const token = await service.tokenOf(
        await service.addApplication(`${organization} ${name}`, [organization]),
      );
      const body = {
        customer_name,
        connector_type: firstKind.key,
        name,
        credentials: { api_key: goodKey },
      };
      return (await service.ask('POST', '/api/v1/integrations/connectors', { token, body })).body.id;
    };

    test('counts what fails by cause, and the customers that it affects since when', async () => {
      const { kysely } = database();
      await kysely.deleteFrom('customers').execute();
      const failing = await connect('First', 'acme', 'Failing');
      const rejected = await connect('First', 'acme', 'Rejected');
      const disabled = await connect('First', 'beta', 'Disabled');
      const late = await connect('Second', 'acme', 'Late');
      const change = (id: string, changes: object) =>
        kysely.updateTable('connectors').set(changes).where('id', '=', id).execute();
      const since = (days: number) => new Date(Date.UTC(2026, 0, days));
      await change(rejected, { status: 'needs_reauth', updated_at: since(2) });
      await change(disabled, { status: 'needs_reauth', disabled_at: new Date() });
      const setSync = (id: string, changes: object) =>
        kysely.updateTable('synced_entities').set(changes).where('connector_id', '=', id).execute();
      const soon = sql<Date>`now() + interval '1 hour'`;
      await setSync(failing, {
        failures: 3,
        last_error: 'x',
        last_error_code: 'vendor_failed',
        last_synced_at: since(1),
        due_at: soon,
      });
      await setSync(rejected, { due_at: soon });
      await setSync(late, { due_at: sql<Date>`now() - interval '10 minutes'` });
      const organizations = await kysely.selectFrom('organizations').select(['id', 'name']).execute();
      const idOf = (wanted: string) => organizations.find(({ name }) => name === wanted)?.id ?? '';
      await kysely.deleteFrom('hourly_uses').execute();
      await kysely
        .insertInto('hourly_uses')
        .values(
          [
            ['First', 1, 9, 1],
            ['Second', 1, 5, 0],
            ['First', 48, 7, 2],
          ].map(([name, hours, succeeded, failed]) => ({
            organization_id: idOf(String(name)),
            kind: firstKind.key,
            hour: sql<Date>`date_trunc('hour', now() - make_interval(hours => ${hours}::int))`,
            succeeded: Number(succeeded),
            failed: Number(failed),
          })),
        )
        .execute();

      const all = await read();
      expect(all.problems).toEqual([
        {
          problem: 'needs_reauth',
          connector_type: firstKind.key,
          cause: 'credentials_rejected',
          title: 'Credentials rejected',
          connectors: 1,
          customers: 1,
          since: since(2).toISOString(),
        },
        {
          problem: 'failing_sync',
          connector_type: firstKind.key,
          cause: 'vendor_failed',
          title: 'The vendor request failed',
          connectors: 1,
          customers: 1,
          since: since(1).toISOString(),
        },
      ]);
      expect(all.sources).toMatchObject([
        {
          connector_type: firstKind.key,
          connectors: 3,
          last_day: { succeeded: 14, failed: 1 },
          affected_customers: 1,
          affected_since: since(1).toISOString(),
        },
      ]);
      const [source] = all.sources;
      expect(source?.days.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0)).toBe(24);
      expect(source?.sync_delay_seconds).toBeGreaterThanOrEqual(600);

      const second = await read(idOf('Second'));
      expect(second.problems).toEqual([]);
      expect(second.sources).toMatchObject([
        { connectors: 1, last_day: { succeeded: 5, failed: 0 }, affected_customers: 0, affected_since: null },
      ]);
      const first = await read(idOf('First'));
      expect(first.sources).toMatchObject([{ sync_delay_seconds: 0, last_day: { succeeded: 9, failed: 1 } }]);
    });
  });

  test('warns about what the operator should change', async () => {
    const bootstrap = {
      organizations: ['Own'] as const,
      clientId: 'own',
      clientSecret: new Secret('secret'),
      redirectUrls: [],
    };
    const doubtful = await startTestService(database(), {
      settings: { bootstrap, publicUrl: 'http://connect.example.com' },
    });
    const { body } = await doubtful.ask('GET', path, { token: adminToken });
    await doubtful.close();
    expect(body.warnings).toEqual([
      expect.stringContaining('PUBLIC_URL uses http on a public host'),
      expect.stringContaining('DATABASE_URL is unset'),
      expect.stringContaining('ADMIN_TOKEN is set'),
      expect.stringContaining('The BOOTSTRAP_ variables are ignored'),
    ]);
  });
});
