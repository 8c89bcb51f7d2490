import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { bothKinds, firstKind, secondKind } from '../../../test/second-kind.ts';
import { adminToken, startTestService } from '../../../test/test-service.ts';
import { createKindRegistry } from '../../shared/definitions/registry.ts';
import { createGauges, measure } from './measure.ts';

onPostgresOrEachEngineInFull('the metrics of the installation', (database, engine) => {
  test('count connectors by status, failing syncs, waiting customers and open incidents', async () => {
    const service = await startTestService(database(), { kinds: bothKinds });
    const token = await service.tokenOf(await service.addApplication('own', ['Own']));
    const connect = async (kind: string, customer_name: string): Promise<string> => {
      const body = { customer_name, connector_type: kind, name: 'Notes', credentials: { api_key: goodKey } };
      const response = await service.ask('POST', '/api/v1/integrations/connectors', { token, body });
      expect(response.status, response.text).toBe(201);
      return response.body.id;
    };
    const [active, rejected, disabled] = [
      await connect(firstKind.key, 'one'),
      await connect(firstKind.key, 'two'),
      await connect(firstKind.key, 'three'),
    ];
    await connect(secondKind.key, 'four');
    const { kysely: db } = database();
    await sql`update connectors set status = 'needs_reauth' where id = ${rejected}`.execute(db);
    await sql`update connectors set disabled_at = now() where id = ${disabled}`.execute(db);
    await sql`update synced_entities set failures = 3, last_error_code = 'vendor_failed'
      where connector_id = ${active}`.execute(db);
    await sql`update sync_queue set due_at = now() - interval '1 hour'`.execute(db);
    const frozen = { kind: secondKind.key };
    await service.ask('POST', '/api/v1/admin/incidents', { token: adminToken, body: frozen });
    await sql`update grant_revocations set state = 'pending', due_at = now() - interval '2 hours'`.execute(
      db,
    );

    const registry = new Registry();
    const gauges = createGauges(registry);
    const read = async (kinds = bothKinds) => {
      await measure({ db, kinds: createKindRegistry(kinds), gauges });
      return registry.metrics();
    };
    const text = await read();
    const [first, second] = [firstKind.key, secondKind.key];
    for (const line of [
      `connectors{kind="${first}",status="active"} 1`,
      `connectors{kind="${first}",status="needs_reauth"} 1`,
      `connectors{kind="${first}",status="disabled"} 1`,
      `connectors{kind="${second}",status="frozen"} 1`,
      'incidents_open 1',
      'queue_lag_seconds{queue="deletions"} 0',
    ])
      expect(text).toContain(`\nconnector_auth_${line}\n`);
    const entities = Object.keys(firstKind.entities).length;
    expect(entities).toBeGreaterThan(0);
    expect(text).toMatch(new RegExp(`failing_syncs{kind="${first}",code="vendor_failed"} [1-9]`));
    // The other customers of this kind have nothing that can be synced.
    expect(text).toContain(`connector_auth_sync_due_customers{kind="${first}"} 1\n`);
    expect(text).toMatch(new RegExp(`sync_delay_seconds{kind="${first}"} 36\\d\\d`));
    expect(text).toMatch(/queue_lag_seconds{queue="revocations"} 72\d\d/);

    const without = await read([secondKind]);
    expect(without).toContain(`{kind="${first}",status="unavailable"} 2\n`);
    expect(without).not.toContain('connector_auth_sync_delay_seconds{');

    const scraped = (await service.ask('GET', '/metrics')).text;
    expect(scraped).toMatch(/database_connections_limit{pool="requests"} [1-9]/);
    const waited = /database_wait_seconds_total{pool="requests"} (\S+)/.exec(scraped)?.[1];
    expect(Number(waited)).toBeGreaterThan(0);
    expect(scraped.includes('{pool="searches"}')).toBe(engine === 'postgres');
    await service.close();
  });
});
