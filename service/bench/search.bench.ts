/**
 * Compares searches over 10,000, 100,000 and 1,000,000 `ads_reports_daily` records, on both engines, with
 * equivalent hand-written SQL on the same tables in the same run: `node --conditions=source
 * service/bench/search.bench.ts [engines] [sizes]`, e.g. `… postgres 10000,1000000`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kinds } from '@connector-auth/connectors';
import { CompiledQuery } from 'kysely';
import { Secret } from '../src/crypto/secret.ts';
import { openDatabase, type Database, type DatabaseLocation } from '../src/database/database.ts';
import { silentLog } from '../src/log/log.ts';
import { ensureRecordTables } from '../src/records/ensure.ts';
import { RecordTables } from '../src/records/record-table.ts';
import { Cursors } from '../src/search/cursor.ts';
import { searchRecords, type SearchResponse } from '../src/search/search.ts';
import { startPostgres } from '../test/postgres.ts';
import { addConnector } from '../test/record-fixtures.ts';
import { fill, others } from './search/ads-reports.ts';
import { questionsOf, type Question } from './search/questions.ts';

type Engine = Database['engine'];

/** A row of the results table. Times are in milliseconds. */
interface Figure {
  engine: Engine;
  rows: number;
  question: string;
  isIndexed: boolean;
  records: number;
  p50: number;
  p99: number;
  handP50: number;
  handP99: number;
}

const tables = new RecordTables(kinds);
const found = tables.find('tiktok-marketing', 'ads_reports_daily');
if (found === null) throw new Error('Table not found: ads_reports_daily');
const table = found;
const cursors = new Cursors([{ id: 'bench', secret: new Secret(Buffer.alloc(32, 1)) }]);

const [engines = 'postgres,pglite', sizes = '10000,100000,1000000'] = process.argv.slice(2);
const figures: Figure[] = [];
// The arguments are trusted to be engine names.
for (const engine of engines.split(',') as Engine[]) {
  await withDatabase(engine, async database => {
    const db = database.kysely;
    await ensureRecordTables(db, tables);
    const connector = await addConnector(db, table.kind);
    let rows = 0;
    // The cost limit that applies by default, to show that none of these searches exceeds it.
    const limits = { cost: database.searchCostLimit, deadlineMs: database.searchDeadlineMs };
    const search = (params: Record<string, unknown>): Promise<SearchResponse> =>
      searchRecords(
        { db: database.search, cursors, limits },
        {
          table,
          connectorId: connector.id,
          readProgress: () => Promise.resolve({ status: 'ready', records: rows, lastSyncedAt: null }),
        },
        params,
      );
    for (const size of sizes.split(',').map(Number)) {
      const startedAt = performance.now();
      const own = { connectorId: connector.id, from: rows, to: size };
      const foreign = rows === 0 ? others.map(connectorId => ({ connectorId, from: 0, to: 5_000 })) : [];
      await fill(db, tables, table, [own, ...foreign]);
      rows = size;
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
      console.log(
        `${engine}: ${size} records for one connector (inserted in ${seconds} s), ${others.length * 5000} for other connectors`,
      );
      for (const question of await questionsOf(table, connector.id, size, search)) {
        figures.push(await measure(database, search, size, question));
        process.stderr.write('.');
      }
      report(engine, size);
    }
  });
}
if (engines.includes('postgres')) reportTargets();

async function withDatabase(engine: Engine, work: (database: Database) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'connector-auth-bench-'));
  const server = engine === 'postgres' ? await startPostgres() : null;
  const location: DatabaseLocation = server
    ? { databaseUrl: `${server.url}/postgres` }
    : { dataDir: join(folder, 'data') };
  try {
    const database = await openDatabase(location, {
      log: silentLog,
      statementTimeoutMs: 600_000,
      searchTimeoutMs: 60_000,
    });
    await work(database);
    await database.close();
  } finally {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Runs the search and the hand-written SQL alternately with the same arguments. Each runs first equally
 * often.
 */
async function measure(
  { engine, search: db }: Database,
  search: (params: Record<string, unknown>) => Promise<SearchResponse>,
  rows: number,
  { name, isIndexed, ask, byHand, rounds }: Question,
): Promise<Figure> {
  const times = { ours: [] as number[], hand: [] as number[] };
  let records = 0;
  const runOurs = async (round: number): Promise<void> => {
    const params = ask(round);
    const startedAt = performance.now();
    const { data } = await search(params);
    times.ours.push(performance.now() - startedAt);
    records = data.length ?? 0;
  };
  const runHand = async (round: number): Promise<void> => {
    const { text, values } = byHand(round);
    const startedAt = performance.now();
    const answer = await db.executeQuery(CompiledQuery.raw(text, values));
    times.hand.push(performance.now() - startedAt);
    // Both queries read one extra record to detect whether another page follows.
    if (answer.rows.length - records > 1 || answer.rows.length < records) {
      throw new Error(
        `${name}: the search returned ${records} records, but the hand-written SQL returned ${answer.rows.length}`,
      );
    }
  };
  await runOurs(0);
  const warmUp = Math.ceil(rounds / 5);
  for (let round = 0; round < warmUp + rounds; round++) {
    if (round === warmUp) times.ours.length = times.hand.length = 0;
    await (round % 2 === 0 ? runOurs(round) : runHand(round));
    await (round % 2 === 0 ? runHand(round) : runOurs(round));
  }
  return {
    engine,
    rows,
    question: name,
    isIndexed,
    records,
    p50: percentile(times.ours, 50),
    p99: percentile(times.ours, 99),
    handP50: percentile(times.hand, 50),
    handP99: percentile(times.hand, 99),
  };
}

function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
}

function report(engine: Engine, rows: number): void {
  const smallest = Math.min(...figures.filter(figure => figure.engine === engine).map(figure => figure.rows));
  console.table(
    figures
      .filter(figure => figure.engine === engine && figure.rows === rows)
      .map(({ question, isIndexed, records, p50, p99, handP50, handP99 }) => ({
        question,
        indexed: isIndexed ? 'yes' : 'no',
        records,
        'p50 ms': rounded(p50),
        'p99 ms': rounded(p99),
        'by hand p50': rounded(handP50),
        'by hand p99': rounded(handP99),
        ratio: rounded(p50 / handP50),
        [`growth from ${smallest}`]: rounded(p50 / (figureOf(engine, smallest, question)?.p50 ?? Number.NaN)),
      })),
  );
}

/**
 * Reports whether the targets for indexed fields on a PostgreSQL server are met. In the largest table, the
 * p50 must be under 10 ms, at most 1.3 times the p50 of the hand-written SQL plus 1 ms, and less than 3 times
 * the p50 in the smallest table.
 */
function reportTargets(): void {
  const own = figures.filter(({ engine, isIndexed }) => engine === 'postgres' && isIndexed);
  const [smallest, largest] = [
    Math.min(...own.map(({ rows }) => rows)),
    Math.max(...own.map(({ rows }) => rows)),
  ];
  for (const { question, p50, handP50 } of own.filter(({ rows }) => rows === largest)) {
    const growth = p50 / (figureOf('postgres', smallest, question)?.p50 ?? Number.NaN);
    const missed = [
      p50 < 10 ? '' : `p50 ${rounded(p50)} ms`,
      p50 <= 1.3 * handP50 + 1 ? '' : `${rounded(p50)} ms, hand-written SQL ${rounded(handP50)} ms`,
      growth < 3 ? '' : `grows ${rounded(growth)} times`,
    ].filter(text => text !== '');
    console.log(
      `${missed.length === 0 ? 'met   ' : 'MISSED'}  ${question}${missed.map(text => `; ${text}`).join('')}`,
    );
  }
}

function figureOf(engine: Engine, rows: number, question: string): Figure | undefined {
  return figures.find(
    figure => figure.engine === engine && figure.rows === rows && figure.question === question,
  );
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
