import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { onEachEngine } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { addScript, scriptedKind, type Scripts } from '../../../test/scripted-kind.ts';
import { firstKind } from '../../../test/second-kind.ts';
import { adminToken, startTestService, type TestService } from '../../../test/test-service.ts';

const scripts: Scripts = new Map();
/** Has the entities `changes` and `things`. */
const kind = scriptedKind(scripts);

onEachEngine('sync jobs', database => {
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

  test('rejects an unknown kind and an invalid cursor', async () => {
    const ask = (query: string) =>
      service.ask('GET', `/api/v1/admin/sync-jobs?${query}`, { token: adminToken });
    expect((await ask('connector_type=unknown')).body.code).toBe('unknown_connector_type');
    expect((await ask('cursor=WyJ4Il0')).body.code).toBe('malformed_request');
  });
});
