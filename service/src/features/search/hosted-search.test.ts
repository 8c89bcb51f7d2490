import { Granola, kinds } from '@connector-auth/connectors';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { storeRecords } from '../../../test/synced-records.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';
import { ensureRecordTables } from '../../shared/records/ensure.ts';
import { RecordTables } from '../../shared/records/record-table.ts';

onPostgresOrEachEngineInFull('search of a connector object in hosted mode', database => {
  let service: TestService;
  let granola: InstanceType<typeof Granola>;
  const notes = Array.from({ length: 25 }, (_, index) => ({
    id: `not_${String(index).padStart(2, '0')}`,
    title: index % 2 === 0 ? `Sales call ${index}` : `Stand-up ${index}`,
    created_at: `2026-01-${String(index + 1).padStart(2, '0')}T09:00:00Z`,
    object: 'note',
    owner: { email: index < 10 ? 'ada@lumen.example' : 'bob@lumen.example' },
  }));

  beforeAll(async () => {
    const db = database().kysely;
    const tables = new RecordTables(kinds);
    await ensureRecordTables(db, tables);
    service = await startTestService(database());
    const { clientId, clientSecret, organizationIds } = await service.addApplication('own', ['Own']);
    const token = await service.tokenOf({ clientId, clientSecret, organizationIds });
    const credentials = { api_key: goodKey };
    const body = { customer_name: 'acme', connector_type: 'granola', name: 'Notes', credentials };
    const { body: created } = await service.ask('POST', '/api/v1/integrations/connectors', { token, body });
    const [organizationId = ''] = organizationIds;
    const table = tables.find('granola', 'notes');
    if (table === null) throw new Error('Notes can be searched');
    await storeRecords(db, table, { organizationId, id: created.id }, notes);
    granola = new Granola({
      hosted: { customerName: 'acme', clientId, clientSecret, baseUrl: service.url },
    });
  });
  afterAll(() => service.close());

  const byAda = {
    filter: { eq: { 'owner.email': 'ada@lumen.example' } },
    sort: [{ created_at: 'desc' as const }],
  };

  test('returns records and their sync status', async () => {
    const { result, connector_metadata } = await granola.notes.search({ query: byAda, limit: 4 });
    expect(result.data).toEqual(notes.slice(6, 10).toReversed());
    expect(result.meta).toMatchObject({
      has_more: true,
      cursor: expect.any(String),
      sync: { status: 'preview', last_synced_at: null },
    });
    expect(connector_metadata).toBeNull();
  });

  test('iterates over all records across all pages of a search', async () => {
    const ids: (string | null)[] = [];
    for await (const { id } of granola.notes.searchAll({ query: byAda, limit: 3, fields: ['id'] }))
      ids.push(id);
    expect(ids).toEqual(
      notes
        .slice(0, 10)
        .map(({ id }) => id)
        .toReversed(),
    );
    const sizes: number[] = [];
    for await (const { result } of granola.notes.searchPages({ query: {}, limit: 10 })) {
      sizes.push(result.data.length);
    }
    expect(sizes).toEqual([10, 10, 5]);
  });

  test('rejects an invalid query with the path of the error', async () => {
    // @ts-expect-error the compiler also rejects this query
    const search = granola.notes.search({ query: { filter: { eq: { unknown: 1 } } } });
    await expect(search).rejects.toMatchObject({
      code: 'invalid_params',
      errors: [{ path: 'params.query.filter.eq.unknown' }],
    });
  });
});
