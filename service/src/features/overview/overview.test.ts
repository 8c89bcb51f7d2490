import { afterAll, beforeAll, expect, test } from 'vitest';
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
