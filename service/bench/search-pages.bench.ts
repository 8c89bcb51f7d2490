/**
 * Compares pages of 1,000 `ads_reports_daily` records with all their fields, on both engines, with hand-written SQL
 * that lets the database write the same JSON: once as a function, and once over HTTP, where the SQL is behind a bare
 * HTTP server. All four take turns in the same run.
 *
 * Usage: npx -y pnpm@12 bench search-pages, or node_modules/.bin/node --conditions=source
 * service/bench/search-pages.bench.ts [engines] [rounds]
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringifyJson } from '@connector-auth/api';
import { kinds } from '@connector-auth/connectors';
import { CompiledQuery } from 'kysely';
import { Agent, request } from 'undici';
import { openDatabase, type Database } from '../src/database/database.ts';
import { silentLog } from '../src/log/log.ts';
import { ensureRecordTables } from '../src/records/ensure.ts';
import { quote, RecordTables, type RecordTable } from '../src/records/record-table.ts';
import { Cursors } from '../src/search/cursor.ts';
import { searchRecords } from '../src/search/search.ts';
import { startPostgres } from '../test/postgres.ts';
import { keyRing, startTestService, type TestService } from '../test/test-service.ts';
import { fill } from './search/ads-reports.ts';

type Engine = Database['engine'];

/** Reads one page. Resolves to the length of the response. */
type Read = () => Promise<number>;

interface Times {
  readonly wallMs: number[];
  readonly cpuMs: number[];
}

const maxRatio = 1.1;
const records = 10_000;
const limit = 1_000;
const warmUpRounds = 10;

// Options are for other benchmarks.
const [engines = 'postgres,pglite', rounds = '60'] = process.argv
  .slice(2)
  .filter(word => !word.startsWith('--'));
let isMet = true;
// The arguments are trusted to be engine names.
for (const engine of engines.split(',') as Engine[]) {
  const figures = await measureEngine(engine, Number(rounds));
  console.table(figures);
  isMet &&= figures.every(({ ratio }) => ratio <= maxRatio);
}
console.log(`At most ${maxRatio} × hand-written SQL: ${isMet ? 'met' : 'MISSED'}`);
process.exitCode = isMet ? 0 : 1;

async function measureEngine(engine: Engine, count: number) {
  const folder = await mkdtemp(join(tmpdir(), 'connector-auth-bench-'));
  const server = engine === 'postgres' ? await startPostgres() : null;
  const location = server ? { databaseUrl: `${server.url}/postgres` } : { dataDir: join(folder, 'data') };
  const database = await openDatabase(location, { log: silentLog, statementTimeoutMs: 600_000 });
  const tables = new RecordTables(kinds);
  await ensureRecordTables(database.kysely, tables);
  const service = await startTestService(database);
  const agent = new Agent({ connections: 1 });
  const table = tables.find('tiktok-marketing', 'ads_reports_daily');
  if (table === null) throw new Error('Table not found: ads_reports_daily');
  const { token, connectorId } = await addConnector(service, table.kind);
  await fill(database.kysely, tables, table, [{ connectorId, from: 0, to: records }]);
  await database.kysely
    .updateTable('synced_entities')
    .set({ records })
    .where('connector_id', '=', connectorId)
    .execute();
  const byHand = () => readByHand(database, table, connectorId);
  const bare = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    void byHand().then(text => response.end(text));
  }).listen(0, '127.0.0.1');
  try {
    await once(bare, 'listening');
    // A server that listens on a port has an AddressInfo.
    const { port } = bare.address() as AddressInfo;
    const search = searchOf(database, table, connectorId);
    const execute = `${service.url}/api/v1/integrations/connectors/${connectorId}/execute`;
    const body = JSON.stringify({ entity: table.entity, action: 'search', params: { query: {}, limit } });
    const times = await measure(count, {
      handWritten: async () => Buffer.from(await byHand()).length,
      search: async () => Buffer.from(await search()).length,
      handWrittenOverHttp: () => send(agent, `http://127.0.0.1:${port}/`, {}, ''),
      searchOverHttp: () => send(agent, execute, { authorization: `Bearer ${token}` }, body),
    });
    return [
      figureOf(`${engine}, function`, times.search, times.handWritten),
      figureOf(`${engine}, over HTTP`, times.searchOverHttp, times.handWrittenOverHttp),
    ];
  } finally {
    bare.close();
    await agent.close();
    await service.close();
    await database.close();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function addConnector(service: TestService, kind: string) {
  const token = await service.tokenOf(await service.addApplication('bench', ['Bench']));
  const vendor = service.sandbox.control.vendors().find(({ key }) => key === kind);
  const credentials = vendor?.credentials.find(({ works }) => works)?.values;
  const body = { customer_name: 'acme', connector_type: kind, name: 'Ads', credentials };
  const created = await service.ask('POST', '/api/v1/integrations/connectors', { token, body });
  if (created.status >= 300) throw new Error(created.text);
  return { token, connectorId: String(created.body.id) };
}

/** Writes the records as the search does, with decimals as text, in the form that is the most usual. */
async function readByHand(
  { search: db }: Database,
  { name, fields }: RecordTable,
  connectorId: string,
): Promise<string> {
  const columns = Array.from(fields.values(), ({ column, type }) =>
    type === 'decimal' ? `${quote(column)}::text as ${quote(column)}` : quote(column),
  );
  const text = `select json_agg(page)::text as records from (
    select ${columns.join(', ')} from ${quote(name)} where "$connector" = $1
    order by ad_id, stat_time_day limit ${limit}) as page`;
  const { rows } = await db.executeQuery<{ records: string }>(CompiledQuery.raw(text, [connectorId]));
  return rows[0]?.records ?? '';
}

function searchOf(
  { search: db, searchDeadlineMs: deadlineMs }: Database,
  table: RecordTable,
  connectorId: string,
): () => Promise<string> {
  const access = { db, cursors: new Cursors(keyRing('bench', 1)), limits: { cost: Infinity, deadlineMs } };
  const progress = { status: 'ready', records, lastSyncedAt: null } as const;
  const source = { table, connectorId, readProgress: () => Promise.resolve(progress) };
  return async () => stringifyJson({ result: await searchRecords(access, source, { query: {}, limit }) });
}

async function send(
  dispatcher: Agent,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<number> {
  const response = await request(url, {
    method: 'POST',
    dispatcher,
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const { byteLength } = await response.body.arrayBuffer();
  if (response.statusCode !== 200) throw new Error(`The response has the status ${response.statusCode}`);
  return byteLength;
}

/** Reads a page each way in each round, in random order, so that none always follows the same one. */
async function measure<Way extends string>(
  count: number,
  reads: Readonly<Record<Way, Read>>,
): Promise<Record<Way, Times>> {
  // The entries have the keys of `reads`.
  const ways = Object.entries(reads) as [Way, Read][];
  const times = Object.fromEntries(
    ways.map(([way]) => [way, { wallMs: [], cpuMs: [] } satisfies Times]),
  ) as unknown as Record<Way, Times>;
  for (let round = -warmUpRounds; round < count; round++) {
    const inRandomOrder = ways
      .map(entry => ({ entry, place: Math.random() }))
      .toSorted((one, other) => one.place - other.place);
    for (const { entry } of inRandomOrder) {
      const [way, read] = entry;
      const cpu = process.cpuUsage();
      const startedAt = performance.now();
      const length = await read();
      const wallMs = performance.now() - startedAt;
      const { user, system } = process.cpuUsage(cpu);
      if (length < limit * 1_000) throw new Error(`${way} returned ${length} bytes`);
      if (round < 0) continue;
      times[way].wallMs.push(wallMs);
      times[way].cpuMs.push((user + system) / 1000);
    }
  }
  return times;
}

function figureOf(page: string, ours: Times, hand: Times) {
  return {
    page,
    'p50 ms': rounded(median(ours.wallMs)),
    'by hand p50 ms': rounded(median(hand.wallMs)),
    ratio: rounded(median(ours.wallMs) / median(hand.wallMs)),
    // Of the client as well; of the database only with PGlite, which runs in this process.
    'CPU ms': rounded(median(ours.cpuMs)),
    'by hand CPU ms': rounded(median(hand.cpuMs)),
    'CPU ratio': rounded(median(ours.cpuMs) / median(hand.cpuMs)),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
