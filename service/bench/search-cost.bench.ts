/**
 * Measures how long each kind of comparison takes per record on both engines, and compares it with the estimate
 * of `src/search/cost.ts`: `node --conditions=source service/bench/search-cost.bench.ts [engines] [records]`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Searchable } from '@connector-auth/connectors/kind';
import { Secret } from '../src/crypto/secret.ts';
import { openDatabase, type Database, type DatabaseLocation } from '../src/database/database.ts';
import { silentLog } from '../src/log/log.ts';
import { ensureRecordTables } from '../src/records/ensure.ts';
import { recordTableOf, RecordTables } from '../src/records/record-table.ts';
import { upsertRecords } from '../src/records/store.ts';
import { costOf } from '../src/search/cost.ts';
import { Cursors } from '../src/search/cursor.ts';
import { readQuery } from '../src/search/query.ts';
import { searchRecords } from '../src/search/search.ts';
import { startPostgres } from '../test/postgres.ts';
import { addConnector, kindWith } from '../test/record-fixtures.ts';

type Engine = Database['engine'];

const things: Searchable = {
  fields: {
    id: 'string',
    title: 'string',
    subtitle: 'string',
    note: 'string',
    clicks: 'integer',
    cost: 'decimal',
    parties: 'array',
    owner: 'object',
  },
  primaryKey: ['id'],
  indexed: [],
  text: ['title', 'subtitle'],
  sync: { incremental: false, run: async function* () {} },
};
const tables = new RecordTables([kindWith('cost', { things })]);
const table = recordTableOf('cost', 'things', things);
const cursors = new Cursors([{ id: 'bench', secret: new Secret(Buffer.alloc(32, 1)) }]);

const words = 'summer winter running trail city kids sale launch video carousel über crème'.split(' ');

function textOf(seed: number, length: number): string {
  let text = '';
  for (let n = seed; text.length < length; n = (n * 7919 + 13) % 1_000_003)
    text += `${words[n % words.length]} `;
  return text.slice(0, length);
}

function recordOf(n: number): Record<string, unknown> {
  const person = (seed: number) => ({
    id: String(seed),
    emailAddress: `person${seed}@company.example`,
    name: textOf(seed, 20),
    context: [],
  });
  return {
    id: `id_${n}`,
    title: textOf(n, 60),
    subtitle: textOf(n + 1, 60),
    note: textOf(n, 500),
    clicks: n,
    cost: `${n}.25`,
    parties: Array.from({ length: 6 }, (_, index) => person(n + index)),
    owner: { ...person(n), manager: person(n + 1) },
  };
}

/** Comparisons that no record matches and no index serves, by name. They differ by their number `n`. */
const comparisons: Readonly<Record<string, (n: number) => unknown>> = {
  'eq, integer': n => ({ eq: { clicks: -n } }),
  'gt, integer': n => ({ gt: { clicks: 10_000_000 + n } }),
  'gt, decimal': n => ({ gt: { cost: 10_000_000 + n } }),
  'eq, text': n => ({ eq: { note: `x${n}` } }),
  'gt, text': n => ({ gt: { note: `zzz${n}` } }),
  'in, 100 values': n => ({ in: { note: Array.from({ length: 100 }, (_, i) => `x${i}${n}`) } }),
  'like, name of 60 characters': n => ({ like: { title: `%zz${n}%` } }),
  'like, text of 500 characters': n => ({ like: { note: `%zz${n}%` } }),
  'like, decimal': n => ({ like: { cost: `%zz${n}%` } }),
  'eq, object': n => ({ eq: { owner: { n } } }),
  'eq, property': n => ({ eq: { 'owner.name': `zz${n}` } }),
  'eq, nested property': n => ({ eq: { 'owner.manager.name': `zz${n}` } }),
  'gt, property': n => ({ gt: { 'owner.name': 10_000 + n } }),
  'like, property': n => ({ like: { 'owner.name': `%zz${n}%` } }),
  'in, 100 values, property': n => ({ in: { 'owner.name': Array.from({ length: 100 }, (_, i) => i + n) } }),
  'contains, 6 elements': n => ({ contains: { parties: n } }),
  'any eq, 6 elements': n => ({ any: { parties: { eq: { name: `zz${n}` } } } }),
  'any like, 6 elements': n => ({ any: { parties: { like: { name: `%zz${n}%` } } } }),
  'any any eq, 6 elements': n => ({ any: { parties: { any: { context: { eq: { '*': n } } } } } }),
};

const [engines = 'postgres,pglite', count = '1000'] = process.argv.slice(2);
const records = Number(count);
const repeated = 50;
const figures: Record<string, Record<string, number>> = {};
// The arguments are trusted to be engine names.
for (const engine of engines.split(',') as Engine[]) await withDatabase(engine, measure);
console.table(figures);

async function withDatabase(engine: Engine, work: (database: Database) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'connector-auth-bench-'));
  const server = engine === 'postgres' ? await startPostgres() : null;
  const location: DatabaseLocation = server
    ? { databaseUrl: `${server.url}/postgres` }
    : { dataDir: join(folder, 'data') };
  try {
    const database = await openDatabase(location, { log: silentLog, searchTimeoutMs: 300_000 });
    await work(database);
    await database.close();
  } finally {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Adds the units of 0.1 µs that each comparison takes per record, and those needed to plan it. */
async function measure({ engine, kysely, search, searchDeadlineMs }: Database): Promise<void> {
  await ensureRecordTables(kysely, tables);
  const connector = await addConnector(kysely, table.kind);
  const empty = await addConnector(kysely, table.kind);
  const all = Array.from({ length: records }, (_, n) => recordOf(n));
  for (let from = 0; from < records; from += 500) {
    await upsertRecords(kysely, table, { connector, generation: 1 }, all.slice(from, from + 500));
  }
  const limits = { cost: Infinity, deadlineMs: searchDeadlineMs };
  const readProgress = () => Promise.resolve({ status: 'ready', records, lastSyncedAt: null } as const);
  const time = async (connectorId: string, params: Record<string, unknown>): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < 3; round++) {
      const startedAt = performance.now();
      await searchRecords({ db: search, cursors, limits }, { table, connectorId, readProgress }, params);
      times.push(performance.now() - startedAt);
    }
    return Math.min(...times);
  };
  const paramsOf = (filters: readonly unknown[]) => ({
    query: { filter: { or: [{ lt: { clicks: 0 } }, ...filters] } },
    limit: 1,
    fields: ['id'],
  });
  const base = { full: await time(connector.id, paramsOf([])), empty: await time(empty.id, paramsOf([])) };
  for (const [name, comparison] of Object.entries(comparisons)) {
    const params = paramsOf(Array.from({ length: repeated }, (_, n) => comparison(n)));
    const planning = ((await time(empty.id, params)) - base.empty) / repeated;
    const total = ((await time(connector.id, params)) - base.full) / repeated;
    const query = readQuery(table, params);
    const estimated = {
      planning: costOf(table, query, 0).units / repeated,
      total: costOf(table, query, records).units / repeated,
    };
    figures[name] = {
      ...figures[name],
      'estimated per record': rounded((estimated.total - estimated.planning) / records),
      [`${engine} per record`]: rounded(((total - planning) * 10_000) / records),
      'estimated planning': rounded(estimated.planning),
      [`${engine} planning`]: rounded(planning * 10_000),
    };
  }
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
