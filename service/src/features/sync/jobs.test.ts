import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { addScript, scriptedKind, type Scripts } from '../../../test/scripted-kind.ts';
import { firstKind } from '../../../test/second-kind.ts';
import { adminToken, startTestService, type TestService } from '../../../test/test-service.ts';
import { selectSyncJobs } from './jobs.ts';

const scripts: Scripts = new Map();
/** Has the entities `changes` and `things`. */
const kind = scriptedKind(scripts);

onPostgresOrEachEngineInFull('sync jobs', database => {
  let service: TestService;
  let token: string;
  let other: string;
  beforeAll(async () => {
    service = await startTestService(database(), { kinds: [kind, firstKind] });
    token = await service.tokenOf(await service.addApplication('own', ['Own']));
    other = await service.tokenOf(await service.addApplication('other', ['Other']));
  });
  beforeEach(async () => {
    await database().kysely.deleteFrom('customers').execute();
  });
  afterAll(() => service.close());

  const create = async (script = 'none', as = token): Promise<string> => {
    const response = await service.ask('POST', '/api/v1/integrations/connectors', {
      token: as,
      body: {
        customer_name: 'acme',
        connector_type: kind.key,
        name: 'Things',
        credentials: { api_key: goodKey },
        replication_config: { script },
      },
    });
    expect(response.status, response.text).toBe(201);
    return response.body.id;
  };
  const list = async (query: Readonly<Record<string, string>> = {}) => {
    const address = `/api/v1/admin/sync-jobs?${new URLSearchParams(query).toString()}`;
    const response = await service.ask('GET', address, { token: adminToken });
    expect(response.status, response.text).toBe(200);
    return response.body;
  };
  interface Job {
    readonly connector: { readonly id: string };
    readonly organization: { readonly id: string };
    readonly entity: string;
    readonly state: string;
  }
  const jobs = async (query?: Readonly<Record<string, string>>): Promise<Job[]> => (await list(query)).data;
  const briefly = (found: readonly Job[]): string[] => found.map(({ entity, state }) => `${entity} ${state}`);
  const set = (id: string, entity: string, assignments: ReturnType<typeof sql>) =>
    sql`update synced_entities set ${assignments} where connector_id = ${id} and entity = ${entity}`.execute(
      database().kysely,
    );

  test('lists the longest overdue entity of all organizations first', async () => {
    const first = await create();
    const second = await create('none', other);
    await set(first, 'things', sql`due_at = '2026-01-02T00:00:00Z'`);
    await set(first, 'changes', sql`due_at = '2030-01-01T00:00:00Z'`);
    await set(second, 'things', sql`due_at = '2030-01-01T00:00:00Z', resume_at = '2026-01-01T00:00:00Z'`);
    await set(second, 'changes', sql`due_at = '2026-01-03T00:00:00Z', records = 12`);
    const found = await jobs();
    expect(found.map(({ connector, entity }) => [connector.id, entity])).toEqual([
      [second, 'things'],
      [first, 'things'],
      [second, 'changes'],
      [first, 'changes'],
    ]);
    expect(found[2]).toEqual({
      connector: { id: second, name: 'Things' },
      organization: { id: expect.any(String), name: 'Other' },
      customer: { id: expect.any(String), name: 'acme' },
      connector_type: kind.key,
      entity: 'changes',
      state: 'waiting',
      records: 12,
      due_at: '2026-01-03T00:00:00.000Z',
      running_since: null,
      last_synced_at: null,
      failures: 0,
      last_error: null,
    });
    const organizationId = found[1]?.organization.id ?? '';
    expect((await jobs({ organization_id: organizationId })).map(({ connector }) => connector.id)).toEqual([
      first,
      first,
    ]);
    expect(await jobs({ connector_type: kind.key })).toHaveLength(4);
    expect(await jobs({ connector_type: firstKind.key })).toEqual([]);
  });

  test('distinguishes waiting, running, retrying and failing', async () => {
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    addScript(scripts, 'held', 'things', {
      pages: [[1]],
      before: () => {
        reached.resolve();
        return held.promise;
      },
    });
    const running = await create('held');
    await set(running, 'changes', sql`due_at = '2030-01-01T00:00:00Z'`);
    const failing = await create();
    await set(failing, 'things', sql`failures = 3, last_error = 'Down', resume_at = '2030-01-02T00:00:00Z'`);
    await set(failing, 'changes', sql`failures = 2, last_error = 'Down', resume_at = '2030-01-03T00:00:00Z'`);
    const worker = await service.startSync();
    await reached.promise;
    const [job] = await jobs({ state: 'running' });
    expect(job).toMatchObject({ connector: { id: running }, running_since: expect.any(String) });
    expect(briefly(await jobs({ state: 'running' }))).toEqual(['things running']);
    expect(briefly(await jobs({ state: 'waiting' }))).toEqual(['changes waiting']);
    expect(briefly(await jobs({ state: 'failing' }))).toEqual(['things failing']);
    expect(briefly(await jobs({ state: 'retrying' }))).toEqual(['changes retrying']);
    expect((await jobs()).map(({ state }) => state).sort()).toEqual([
      'failing',
      'retrying',
      'running',
      'waiting',
    ]);
    held.resolve();
    await worker.close();
  });

  test('leaves out connectors that workers do not sync', async () => {
    const ids = [await create(), await create(), await create(), await create()];
    const changes = [
      sql`status = 'needs_reauth'`,
      sql`disabled_at = now()`,
      sql`incident_id = gen_random_uuid()`,
    ];
    for (const [index, change] of changes.entries()) {
      await sql`update connectors set ${change} where id = ${ids[index]}`.execute(database().kysely);
    }
    expect(new Set((await jobs()).map(({ connector }) => connector.id))).toEqual(new Set([ids[3]]));
  });

  test('lists each job once if all are due at the same time', async () => {
    for (let count = 0; count < 3; count++) await create();
    await sql`update synced_entities set due_at = '2026-01-01T00:00:00.123Z'`.execute(database().kysely);
    const seen: string[] = [];
    for (let query: Record<string, string> = { limit: '2' }; ;) {
      const { data, meta } = await list(query);
      seen.push(...data.map(({ connector, entity }: Job) => `${connector.id} ${entity}`));
      if (!meta.has_more) break;
      query = { ...query, cursor: meta.cursor };
    }
    expect(seen).toHaveLength(6);
    expect(new Set(seen).size).toBe(6);
  });

  test('reads only the jobs of the page, also if connectors that workers do not sync are overdue for longest', async () => {
    const id = await create();
    const db = database().kysely;
    // Of two other customers: one has only broken connectors, and half of the other's are broken.
    await sql`insert into customers (organization_id, id, name)
      select organization_id, gen_random_uuid(), half || ' half' from customers, unnest('{first,second}'::text[]) half`.execute(
      db,
    );
    await sql`insert into connectors (organization_id, id, customer_id, kind, name, auth_method, credentials, status)
      select organization_id, gen_random_uuid(), id, ${kind.key}, n, 'key', '',
        case when n > 200 then 'needs_reauth' else 'active' end
      from generate_series(1, 400) n
        join customers on name = case when n > 300 then 'second half' else 'first half' end`.execute(db);
    await sql`insert into synced_entities (organization_id, connector_id, entity, due_at)
      select organization_id, id, 'things', now() - make_interval(mins => name::int)
      from connectors where id <> ${id}`.execute(db);
    for (const table of ['synced_entities', 'sync_queue', 'connectors', 'customers']) {
      await sql`vacuum analyze ${sql.table(table)}`.execute(db);
    }
    const read = async (limit: number, cursor?: string): Promise<Map<string, number>> => {
      const filter = { organizationId: undefined, kind: undefined, state: undefined };
      const [row] = await db.transaction().execute(async transaction => {
        // Reading and sorting tables that are this small would be cheaper than using an index.
        for (const setting of ['enable_seqscan', 'enable_hashjoin', 'enable_sort']) {
          await sql`select set_config(${setting}, 'off', true)`.execute(transaction);
        }
        return selectSyncJobs(transaction, filter, { limit, cursor }).explain('json', sql`analyze`);
      });
      return rowsRead(row?.['QUERY PLAN'][0].Plan);
    };
    const page = await list({ limit: '20' });
    expect(page.data).toHaveLength(20);
    for (const [table, rows] of [...(await read(20)), ...(await read(20, page.meta.cursor))]) {
      expect(rows, table).toBeLessThanOrEqual(21);
    }
    // The connectors after the first 200 are overdue for longest.
    expect(page.data[0].due_at < page.data[19].due_at).toBe(true);
    await sql`update connectors set status = 'active'`.execute(db);
    expect((await jobs({ limit: '1000' })).length).toBe(402);
  });

  test('rejects an unknown kind and an invalid cursor', async () => {
    const ask = (query: string) =>
      service.ask('GET', `/api/v1/admin/sync-jobs?${query}`, { token: adminToken });
    expect((await ask('connector_type=unknown')).body.code).toBe('unknown_connector_type');
    expect((await ask('cursor=WyJ4Il0')).body.code).toBe('malformed_request');
  });
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Returns how many rows of each table a statement has read. */
function rowsRead(node: PlanNode, counts = new Map<string, number>()): Map<string, number> {
  const table = node['Relation Name'];
  if (table !== undefined) {
    const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    counts.set(table, (counts.get(table) ?? 0) + rows);
  }
  for (const child of node.Plans ?? []) rowsRead(child, counts);
  return counts;
}
