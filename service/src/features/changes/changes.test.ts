import { setTimeout as delay } from 'node:timers/promises';
import type { Kind, Searchable } from '@connector-auth/connectors/kind';
import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { firstKind, secondKind } from '../../../test/second-kind.ts';
import { storeRecords } from '../../../test/synced-records.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { ChangeCursors, endOf } from '../../shared/records/change-cursors.ts';
import { ensureRecordTables } from '../../shared/records/ensure.ts';
import { RecordTables, type RecordTable } from '../../shared/records/record-table.ts';
import { deleteOrphans, deleteRecords, findNewColumns, upsertRecords } from '../../shared/records/store.ts';
import { advanceHorizon, deleteOldChanges, reportSkipped } from '../../shared/repositories/record-changes.ts';
import { resetSync } from '../../shared/repositories/sync-state.ts';
import { entriesPerRead, entriesQuery } from './entries.ts';

const connectors = '/api/v1/integrations/connectors';
const path = '/api/v1/integrations/changes';

const searchOf = (fields: Searchable['fields'], primaryKey: readonly string[]): Searchable => ({
  fields,
  primaryKey,
  nullableKey: primaryKey.length > 1 ? primaryKey.slice(1) : [],
  indexed: [],
  text: [],
  sync: { incremental: false, run: () => (async function* () {})() },
});
const fields = { id: 'integer', name: 'string', price: 'decimal' } as const;
const kindOf = (thingFields: Searchable['fields']): Kind => ({
  ...secondKind,
  entities: {
    ...secondKind.entities,
    things: { description: 'Things', actions: {}, search: searchOf(thingFields, ['id']) },
    days: {
      description: 'Days',
      actions: {},
      search: searchOf({ account: 'integer', day: 'string', clicks: 'integer' }, ['account', 'day']),
    },
  },
});
const kind = kindOf(fields);
const tables = new RecordTables([kind]);

onPostgresOrEachEngineInFull('the change feed', database => {
  let service: TestService;
  let token: string;
  let organizationId: string;
  /** A new connector of a customer for each test. */
  let id: string;
  let customer: string;
  let count = 0;
  const db = () => database().kysely;
  const table = (entity: string): RecordTable => {
    const found = tables.find(kind.key, entity);
    if (found === null) throw new Error(`No table for ${entity}`);
    return found;
  };
  const connector = () => ({ organizationId, id });

  beforeAll(async () => {
    await ensureRecordTables(db(), tables);
    service = await startTestService(database(), { kinds: [firstKind, kind] });
    const application = await service.addApplication('own', ['Own']);
    [organizationId = ''] = application.organizationIds;
    token = await service.tokenOf(application);
  });
  beforeEach(async () => {
    customer = `customer ${(count += 1)}`;
    id = await connect();
  });
  afterAll(() => service.close());

  const connect = async (customer_name = customer): Promise<string> => {
    const body = { customer_name, connector_type: kind.key, name: 'Own', credentials: { api_key: goodKey } };
    return (await service.ask('POST', connectors, { token, body })).body.id;
  };
  const store = (records: readonly Readonly<Record<string, unknown>>[], entity = 'things') =>
    storeRecords(db(), table(entity), connector(), records);
  const ask = (query: Readonly<Record<string, string | number>>, as = token) =>
    service.ask('GET', `${path}?${new URLSearchParams(query as Record<string, string>).toString()}`, {
      token: as,
    });
  /** Waits until all changes can be read, because transactions of other tests on the same server hold them back. */
  const settle = () =>
    until(async () => {
      const state = await advanceHorizon(db());
      const { rows } = await sql`
        select from record_changes where xid >= ${String(state.horizon)}::xid8 limit 1`.execute(db());
      expect(rows).toEqual([]);
      return state;
    });
  const read = async (query: Readonly<Record<string, string | number>>, as = token) => {
    await settle();
    const response = await ask(query, as);
    expect(response.status, response.text).toBe(200);
    return response;
  };
  const now = async (): Promise<string> => (await read({ cursor: 'now' })).body.cursor;
  const short = (body: { changes: readonly Record<string, unknown>[] }) =>
    body.changes.map(({ operation, entity, id: key }) => [operation, entity, key].join(' '));
  const clear = () => sql`update synced_entities set records = 0 where connector_id = ${id}`.execute(db());

  test('returns new and changed records as search returns them, and no others', async () => {
    const cursor = await now();
    const [first, second] = [
      { id: 9_223_372_036_854_775_807n, name: 'é"\\', price: '20.000' },
      { id: 2, name: null, price: null },
    ];
    await store([first, second]);
    const response = await read({ cursor });
    expect(response.body).toMatchObject({ has_more: false, horizon_age_seconds: 0 });
    expect(response.body.changes[0]).toEqual({
      connector_id: id,
      customer_name: customer,
      connector_type: kind.key,
      entity: 'things',
      id: '9223372036854775807',
      operation: 'upsert',
      record: first,
      changed_at: expect.stringMatching(/Z$/),
    });
    const body = { entity: 'things', action: 'search', params: { query: {} } };
    const found = await service.ask('POST', `${connectors}/${id}/execute`, { token, body });
    expect(response.body.changes.map(({ record }: { record: unknown }) => record)).toEqual(
      expect.arrayContaining(found.body.result.data),
    );
    expect(found.body.result.data).toHaveLength(2);
    await store([first, { ...second, name: 'changed' }]);
    const next = await read({ cursor: response.body.cursor });
    expect(short(next.body)).toEqual(['upsert things 2']);
    expect(next.body.changes[0].record.name).toBe('changed');
    expect((await read({ cursor: next.body.cursor })).body.changes).toEqual([]);
  });

  test('returns what was deleted, and reports a record that exists again as such', async () => {
    await store([{ id: 1 }, { id: 2 }]);
    const cursor = await now();
    await deleteRecords(db(), [table('things')], connector());
    expect(short((await read({ cursor })).body).toSorted()).toEqual(['delete things 1', 'delete things 2']);
    await store([{ id: 2 }]);
    const { body } = await read({ cursor });
    expect(short(body).toSorted()).toEqual(['delete things 1', 'upsert things 2', 'upsert things 2']);
    expect(body.changes.find((change: { id: string }) => change.id === '1').record).toBeNull();
  });

  test('reports the records of a replaced account as deleted', async () => {
    const cursor = await now();
    await store([{ id: 1 }]);
    await resetSync(db(), connector());
    expect(short((await read({ cursor })).body)).toEqual(['delete things 1']);
  });

  test('identifies records with several key fields by a JSON array', async () => {
    const cursor = await now();
    const days = [
      { account: 9_007_199_254_740_993n, day: '2026-01-31', clicks: 1 },
      { account: 1, day: null, clicks: 2 },
    ];
    await store(days, 'days');
    const { changes } = (await read({ cursor })).body;
    expect(changes.map((change: { id: string }) => change.id)).toEqual([
      '[9007199254740993,"2026-01-31"]',
      '[1,null]',
    ]);
    expect(changes.map(({ record }: { record: unknown }) => record)).toEqual(days);
  });

  test('returns up to the limit, and continues within a page of the vendor', async () => {
    const cursor = await now();
    const ids = Array.from({ length: 25 }, (_, index) => index + 1);
    await store(ids.slice(0, 20).map(id => ({ id })));
    await store(ids.slice(20).map(id => ({ id })));
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let page = { cursor, has_more: true }; page.has_more;) {
      const { body } = await read({ cursor: page.cursor, limit: 8 });
      sizes.push(body.changes.length);
      seen.push(...body.changes.map((change: { id: string }) => change.id));
      page = body;
    }
    expect(seen).toEqual(ids.map(String));
    expect(sizes).toEqual([8, 8, 8, 1]);
  });

  test('reports a disconnected connector once, instead of its records, also under filters', async () => {
    const cursor = await now();
    await store([{ id: 1 }]);
    expect((await service.ask('DELETE', `${connectors}/${id}`, { token })).status).toBe(204);
    const disconnect = {
      connector_id: id,
      customer_name: customer,
      connector_type: kind.key,
      entity: null,
      id: null,
      operation: 'disconnect',
      record: null,
      changed_at: expect.any(String),
    };
    for (const filter of [{}, { entity: 'days' }, { connector_id: id }, { customer_name: customer }]) {
      expect((await read({ cursor, ...filter })).body.changes).toEqual([disconnect]);
    }
    await deleteOrphans(db(), tables);
    const rows = await sql`select entity from record_changes where connector_id = ${id}`.execute(db());
    expect(rows.rows).toEqual([{ entity: null }]);
    const deleted = await service.ask('DELETE', `/api/v1/customers/${encodeURIComponent(customer)}`, {
      token,
    });
    expect(deleted.status).toBe(204);
    expect((await read({ cursor })).body.changes).toEqual([{ ...disconnect, customer_name: null }]);
  });

  test.each([
    ['disabled', sql`disabled_at = now()`, sql`disabled_at = null`],
    ['frozen', sql`incident_id = gen_random_uuid()`, sql`incident_id = null`],
    ['deleted with time to undo it', sql`delete_at = now() + interval '1 hour'`, sql`delete_at = null`],
  ])('shows nothing of a connector that is %s, and all of it afterwards', async (_what, stop, allow) => {
    const set = (change: typeof stop) => sql`update connectors set ${change} where id = ${id}`.execute(db());
    const cursor = await now();
    await store([{ id: 1 }]);
    await set(stop);
    const { body } = await read({ cursor });
    expect(body.changes).toEqual([]);
    await sql`update record_changes set changed_at = now() - interval '30 days' where connector_id = ${id}`.execute(
      db(),
    );
    await deleteOldChanges(db(), 20, new AbortController().signal);
    await set(allow);
    expect(short((await read({ cursor: body.cursor })).body)).toEqual(['upsert things 1']);
  });

  test('repeats what a process skipped that had not loaded the kind, once one has', async () => {
    const without = await startTestService(database(), { kinds: [firstKind] });
    try {
      const cursor = await now();
      await store([{ id: 1 }]);
      await settle();
      const skipped = await without.ask('GET', `${path}?cursor=${cursor}`, { token });
      expect(skipped).toMatchObject({ status: 200, body: { changes: [], has_more: false } });
      await sql`update record_changes set changed_at = now() - interval '30 days' where connector_id = ${id}`.execute(
        db(),
      );
      await deleteOldChanges(db(), 20, new AbortController().signal);
      // A process that has not loaded the kind either does not repeat it.
      await reportSkipped(db(), [{ kind: firstKind.key, entity: 'notes' }]);
      expect((await read({ cursor: skipped.body.cursor })).body.changes).toEqual([]);
      await reportSkipped(db(), tables.all);
      const repeated = (await read({ cursor: skipped.body.cursor })).body;
      expect(short(repeated)).toEqual(['upsert things 1']);
      await reportSkipped(db(), tables.all);
      expect((await read({ cursor: repeated.cursor })).body.changes).toEqual([]);
    } finally {
      await without.close();
    }
  });

  describe('shows each token what it may search', () => {
    let cursor: string;
    let other: string;
    beforeEach(async () => {
      cursor = await now();
      await store([{ id: 1 }]);
      await store([{ account: 1, day: 'a' }], 'days');
      other = await connect(`${customer} other`);
      const shared = { organizationId, id: other };
      await storeRecords(db(), table('things'), shared, [{ id: 2 }]);
    });
    const all = ['upsert things 1', 'upsert days [1,"a"]', 'upsert things 2'];

    test('by filters', async () => {
      const filtered = async (filter: Readonly<Record<string, string>>) =>
        short((await read({ cursor, ...filter })).body);
      expect(await filtered({})).toEqual(all);
      expect(await filtered({ entity: 'things' })).toEqual([all[0], all[2]]);
      expect(await filtered({ connector_id: other })).toEqual([all[2]]);
      expect(await filtered({ connector_type: kind.key, customer_name: customer })).toEqual(all.slice(0, 2));
    });

    test.each([
      [{ entity: 'nothing' }, 422, 'unknown_entity'],
      [{ connector_type: 'nothing' }, 422, 'unknown_connector_type'],
      [{ customer_name: 'unknown' }, 404, 'customer_not_found'],
      [{ connector_id: '00000000-0000-4000-8000-000000000000' }, 404, 'connector_not_found'],
      [{ limit: 1001 }, 400, 'malformed_request'],
      [{ wait_seconds: 31 }, 400, 'malformed_request'],
      [{ cursor: 'abc.def' }, 400, 'malformed_request'],
    ] as const)('rejects %j', async (query, status, code) => {
      expect(await ask({ cursor, ...query })).toMatchObject({ status, body: { code } });
    });

    test('by its customer, its sources and its actions', async () => {
      const mint = (more: object) => service.customerToken(token, { customer_name: customer, ...more });
      expect(short((await read({ cursor }, await mint({}))).body)).toEqual(all.slice(0, 2));
      const others = await mint({ allowed_sources: [firstKind.key] });
      expect((await read({ cursor }, others)).body.changes).toEqual([]);
      expect((await ask({ cursor, connector_type: kind.key }, others)).body.code).toBe('source_not_allowed');
      expect((await ask({ cursor, connector_id: other }, await mint({}))).body.code).toBe(
        'connector_not_found',
      );
      const listing = await mint({ allowed_actions: ['list'] });
      expect((await ask({ cursor }, listing)).body.code).toBe('action_not_allowed');
      await service.ask('DELETE', `${connectors}/${other}`, { token });
      expect(short((await read({ cursor }, await mint({}))).body)).toEqual(all.slice(0, 2));
    });

    test('and nothing to another organization', async () => {
      const foreign = await service.tokenOf(await service.addApplication(`foreign ${customer}`, [customer]));
      const theirs = (await read({ cursor: 'now' }, foreign)).body.cursor;
      await store([{ id: 3 }]);
      expect((await read({ cursor: theirs }, foreign)).body.changes).toEqual([]);
      expect((await ask({ cursor }, foreign)).body.code).toBe('malformed_request');
      expect((await ask({ cursor: theirs, connector_id: id }, foreign)).body.code).toBe(
        'connector_not_found',
      );
    });
  });

  test('waits for the next change', async () => {
    const { cursor } = (await read({ cursor: await now() })).body;
    const waiting = ask({ cursor, wait_seconds: 30 });
    await delay(50);
    await store([{ id: 1 }]);
    expect(short((await waiting).body)).toEqual(['upsert things 1']);
  });

  test('limits waiting requests per application', async () => {
    const leaving = new AbortController();
    const cursor = await now();
    const wait = () =>
      service.ask('GET', `${path}?wait_seconds=30&cursor=${cursor}`, { token, signal: leaving.signal });
    const settled = Array.from({ length: 11 }, () =>
      wait().then(
        ({ body }) => body.code,
        () => 'left',
      ),
    );
    expect(await Promise.race(settled)).toBe('rate_limited');
    leaving.abort();
    expect((await Promise.all(settled)).filter(code => code === 'rate_limited')).toHaveLength(1);
  });

  test('does not report a field that is new, until a full run has filled it', async () => {
    await clear();
    await store([
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ]);
    const extended = new RecordTables([kindOf({ ...fields, [`field${count}`]: 'string' })]);
    await ensureRecordTables(db(), extended);
    const wider = extended.find(kind.key, 'things');
    if (wider === null) throw new Error('No table');
    const write = async (records: readonly Readonly<Record<string, unknown>>[]) => {
      const newColumns = await findNewColumns(db(), wider, connector());
      return upsertRecords(db(), wider, { connector: connector(), seenRun: null, newColumns }, records);
    };
    const cursor = await now();
    const value = (text: string) => ({ [`field${count}`]: text });
    await write([
      { id: 1, name: 'a', ...value('filled') },
      { id: 2, name: 'changed', ...value('filled') },
      { id: 3, name: 'c', ...value('filled') },
    ]);
    const filled = (await read({ cursor })).body;
    expect(short(filled).toSorted()).toEqual(['upsert things 2', 'upsert things 3']);
    await sql`update synced_entities set fields_since = clock_timestamp() where connector_id = ${id}`.execute(
      db(),
    );
    await write([{ id: 1, name: 'a', ...value('changed') }]);
    expect(short((await read({ cursor: filled.cursor })).body)).toEqual(['upsert things 1']);
  });

  describe('rejects a cursor', () => {
    const expectExpired = async (cursor: string) => {
      const response = await ask({ cursor });
      expect(response).toMatchObject({ status: 410, body: { code: 'cursor_expired' } });
      expect(response.body.detail).toContain('cursor=now');
    };

    test('when the changes after it have been deleted, and only then', async () => {
      const cursor = await now();
      await store([{ id: 1 }]);
      await deleteOldChanges(db(), 7, new AbortController().signal);
      expect(short((await read({ cursor })).body)).toEqual(['upsert things 1']);
      await sql`update change_feed set deleted_before = now()`.execute(db());
      await expectExpired(cursor);
      await sql`update change_feed set deleted_before = '-infinity'`.execute(db());
    });

    test.each([
      ['another server', sql`system_identifier = '1'`],
      ['another timeline', sql`timeline = '0000000F'`],
      ['higher transaction ids', sql`horizon = '1000000000000'`],
    ])('of a database that was moved: %s', async (_what, change) => {
      const cursor = await now();
      await sql`update change_feed set ${change}`.execute(db());
      await expectExpired(cursor);
      const next = await now();
      await store([{ id: 1 }]);
      expect(short((await read({ cursor: next })).body)).toEqual(['upsert things 1']);
    });

    test('that is newer than the database, which is a copy from before, and stays rejected', async () => {
      const cursors = new ChangeCursors(service.signingKeys);
      const position = endOf(await advanceHorizon(db()));
      await expectExpired(cursors.write(organizationId, { ...position, xid: position.xid + 1_000n }));
      await expectExpired(cursors.write(organizationId, position));
    });

    test('when an older process has stored a page, which it does not log', async () => {
      const cursor = await now();
      await sql`update synced_entities set seen_batches = seen_batches + 1 where connector_id = ${id}`.execute(
        db(),
      );
      await expectExpired(cursor);
    });
  });

  test('reads each page of the log with one index scan, and the oldest entries when it deletes', async () => {
    const { rows: filled } = await sql`
      insert into record_changes (organization_id, customer_id, connector_id, kind, entity, keys, key_count)
      select case when n % 3 = 0 then ${organizationId}::uuid else gen_random_uuid() end, customer_id, id, kind, 'things', '{{1}}', 1
      from connectors, generate_series(1, 30000) as n where id = ${id} returning 1`.execute(db());
    expect(filled).toHaveLength(30_000);
    await sql`analyze record_changes`.execute(db());
    const { horizon } = await settle();
    const { customer_id: customerId } = await db()
      .selectFrom('connectors')
      .select('customer_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    for (const [selection, index] of [
      [{ customerId: null, connectorId: null }, 'record_changes_pkey'],
      [{ customerId, connectorId: null }, 'record_changes_of_customer'],
      [{ customerId: null, connectorId: id }, 'record_changes_of_connector'],
    ] as const) {
      const query = entriesQuery(
        { organizationId, ...selection },
        { from: { xid: 3n, sequence: 1 }, horizon },
      );
      const { sql: text, parameters } = query.compile(db());
      const { rows } = await db().executeQuery<{ 'QUERY PLAN': string }>(
        CompiledQuery.raw(`explain (analyze, timing off, buffers off) ${text}`, [...parameters]),
      );
      const plan = rows.map(row => row['QUERY PLAN']).join('\n');
      const scans = plan.split('\n').filter(line => line.includes('on record_changes'));
      expect(scans, plan).toHaveLength(1);
      expect(scans[0], plan).toMatch(/Index Scan using/);
      expect(plan).toMatch(
        new RegExp(`using (${index}|record_changes_\\w+) on record_changes.*rows=${entriesPerRead}`),
      );
      expect(plan).not.toMatch(/Rows Removed by Filter: \d{3,}/);
    }
    await sql`delete from record_changes where connector_id = ${id}`.execute(db());
  });
});
