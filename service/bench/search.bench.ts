/**
 * Compares searches over 10,000, 100,000 and 1,000,000 `ads_reports_daily` records, on both engines, with
 * equivalent hand-written SQL on the same tables in the same run. Both end with the response as bytes of JSON. With more
 * records, such as `--sizes=10000000 --engines=postgres`, these have only the fields that the searches need.
 *
 * Usage: npx -y pnpm@12 bench search [--quick] [--engines=postgres,pglite] [--sizes=10000,100000,1000000]
 */
import { ConnectorAuthError, stringifyJson } from '@connector-auth/api';
import { kinds } from '@connector-auth/connectors';
import { CompiledQuery } from 'kysely';
import type { Position } from '../src/features/search/order.ts';
import { searchRecords, type SearchResponse } from '../src/features/search/search.ts';
import { Secret } from '../src/platform/crypto/secret.ts';
import { SignedCursors } from '../src/platform/crypto/signed-cursors.ts';
import { openDatabase, type Database } from '../src/platform/database/database.ts';
import { silentLog } from '../src/platform/log/log.ts';
import { ensureRecordTables } from '../src/shared/records/ensure.ts';
import { RecordTables } from '../src/shared/records/record-table.ts';
import { addConnector } from '../test/record-fixtures.ts';
import {
  addSamples,
  createDatabase,
  engines,
  inTurns,
  options,
  quantile,
  reportGoal,
  rounded,
  run,
  timeOf,
  type Engine,
} from './harness.ts';
import { fill, narrowed, others } from './search/ads-reports.ts';
import { questionsOf, type Question } from './search/questions.ts';

/** A row of the results table. Times are in milliseconds. */
interface Figure {
  engine: Engine;
  rows: number;
  question: string;
  isIndexed: boolean;
  isJson: boolean;
  records: number;
  /** Why the search does not run. Null if it does. */
  rejection: string | null;
  p50: number;
  p95: number;
  handP50: number;
  handP95: number;
}

const sizes = (options.sizes ?? (options.quick ? '10000' : '10000,100000,1000000')).split(',').map(Number);
const isNarrow = Math.max(...sizes) > 1_000_000;
const tables = new RecordTables(isNarrow ? kinds.map(narrowed) : kinds);
const found = tables.find('tiktok-marketing', 'ads_reports_daily');
if (found === null) throw new Error('Table not found: ads_reports_daily');
const table = found;
const cursors = new SignedCursors<Position>(
  [{ id: 'bench', secret: new Secret(Buffer.alloc(32, 1)) }],
  'search cursor',
);

const figures: Figure[] = [];

await run(async () => {
  for (const engine of engines) {
    // For building the indexes.
    const location = await createDatabase(engine, { maintenance_work_mem: '1GB', max_wal_size: '8GB' });
    const database = await openDatabase(location, {
      log: silentLog,
      statementTimeoutMs: 600_000,
      transactionTimeoutMs: 600_000,
      searchTimeoutMs: 60_000,
    });
    const db = database.kysely;
    await ensureRecordTables(db, tables);
    const connector = await addConnector(db, table.kind);
    let rows = 0;
    // The cost limit that applies by default.
    const limits = { cost: database.searchCostLimit, deadlineMs: database.searchDeadlineMs };
    const search = (params: Record<string, unknown>): Promise<SearchResponse> =>
      searchRecords(
        { db: database.search, cursors, limits },
        {
          table,
          connector,
          readProgress: () =>
            Promise.resolve({ status: 'ready', records: rows, lastSyncedAt: null, columnsVersion: 0 }),
        },
        params,
      );
    for (const size of sizes) {
      const startedAt = performance.now();
      const own = { connector, from: rows, to: size };
      const foreign = rows === 0 ? others.map(other => ({ connector: other, from: 0, to: 5_000 })) : [];
      await fill(db, table, [own, ...foreign]);
      rows = size;
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
      console.log(
        `${engine}: ${size} records for one connector (inserted in ${seconds} s), ${others.length * 5000} for other connectors`,
      );
      for (const question of await questionsOf(table, connector, size, search)) {
        figures.push(await measure(database, search, size, question));
        process.stderr.write('.');
      }
      report(engine, size);
    }
    await database.close();
  }
  reportGoals();
});

/** Runs the search and the hand-written SQL in turns, with the same arguments in each round. */
async function measure(
  { engine, search: db }: Database,
  search: (params: Record<string, unknown>) => Promise<SearchResponse>,
  rows: number,
  { name, isIndexed, isJson = false, ask, byHand, rounds: all }: Question,
): Promise<Figure> {
  const rounds = options.quick ? Math.ceil(all / 10) : all;
  const warmUp = Math.ceil(rounds / 5);
  const counts = { search: 0, byHand: 0 };
  let rejection: string | null = null;
  const ways = {
    search: async (round: number) => {
      try {
        const result = await search(ask(round));
        counts.search = result.data.length ?? 0;
        Buffer.from(stringifyJson({ result }));
      } catch (error) {
        if (!(error instanceof ConnectorAuthError) || error.code !== 'query_too_expensive') throw error;
        rejection = error.message;
      }
    },
    byHand: async (round: number) => {
      const { text, values } = byHand(round);
      const { rows } = await db.executeQuery<{ json?: string; count?: number }>(
        CompiledQuery.raw(text, values),
      );
      Buffer.from(rows[0]?.json ?? stringifyJson({ result: rows }));
      counts.byHand = rows[0]?.count ?? rows.length;
    },
  };
  const times = await inTurns(Object.values(ways), warmUp + rounds, (way, round) => timeOf(() => way(round)));
  // Both queries may read one extra record to detect whether another page follows.
  if (rejection === null && (counts.byHand - counts.search > 1 || counts.byHand < counts.search))
    throw new Error(`${name}: the search returned ${counts.search} records, the SQL ${counts.byHand}`);
  const [ours = [], hand = []] = [...times.values()].map(ofWay => ofWay.slice(warmUp));
  addSamples(`${engine}, ${rows} records: ${name}, in ms`, { search: ours, 'by hand': hand });
  return {
    engine,
    rows,
    question: name,
    isIndexed,
    isJson,
    records: counts.search,
    rejection,
    p50: quantile(ours, 0.5),
    p95: quantile(ours, 0.95),
    handP50: quantile(hand, 0.5),
    handP95: quantile(hand, 0.95),
  };
}

function report(engine: Engine, rows: number): void {
  const smallest = Math.min(...figures.filter(figure => figure.engine === engine).map(figure => figure.rows));
  const measured = figures.filter(figure => figure.engine === engine && figure.rows === rows);
  console.table(
    measured.map(({ question, isIndexed, records, rejection, p50, p95, handP50, handP95 }) => ({
      question,
      indexed: isIndexed ? 'yes' : 'no',
      records: rejection === null ? records : 'rejected',
      'p50 ms': rounded(p50),
      'p95 ms': rounded(p95),
      'by hand p50': rounded(handP50),
      'by hand p95': rounded(handP95),
      'ratio p50': rounded(p50 / handP50),
      'ratio p95': rounded(p95 / handP95),
      [`growth from ${smallest}`]: rounded(p50 / (figureOf(engine, smallest, question)?.p50 ?? Number.NaN)),
    })),
  );
  for (const { question, rejection } of measured) if (rejection) console.log(`${question}: ${rejection}`);
}

/**
 * Reports whether the goals are met in the largest table: a page as JSON takes at most 1.1 times as long as the
 * hand-written SQL, on both engines. Every other question with indexed fields has a p50 under 10 ms on PostgreSQL, at most
 * 1.3 times that of the hand-written SQL plus 1 ms, and less than 3 times that in the smallest table. With more than a
 * million records, each p95 is at most 1.1 times that of the SQL, or the search is rejected.
 */
function reportGoals(): void {
  const smallest = Math.min(...sizes);
  for (const {
    engine,
    rows,
    question,
    isIndexed,
    isJson,
    rejection,
    p50,
    p95,
    handP50,
    handP95,
  } of figures) {
    if (rows !== Math.max(...sizes)) continue;
    if (isNarrow) {
      const ratio = rounded(p95 / handP95);
      const measured = rejection === null ? `${ratio} ×, ${rounded(p95)} ms` : 'rejected';
      reportGoal(`${engine}: ${question}`, 'p95 ≤ 1.1 × by hand, or rejected', measured, ratio <= 1.1);
      continue;
    }
    const growth = p50 / (figureOf(engine, smallest, question)?.p50 ?? Number.NaN);
    if (isJson) {
      const ratio = rounded(p50 / handP50);
      reportGoal(`${engine}: ${question}`, '≤ 1.1 × by hand', `${ratio} ×`, ratio <= 1.1);
    } else if (isIndexed && engine === 'postgres') {
      reportGoal(
        `${engine}: ${question}`,
        '< 10 ms, ≤ 1.3 × by hand + 1 ms, growth < 3',
        `${rounded(p50)} ms, by hand ${rounded(handP50)} ms, growth ${rounded(growth)}`,
        p50 < 10 && p50 <= 1.3 * handP50 + 1 && growth < 3,
      );
    }
  }
}

function figureOf(engine: Engine, rows: number, question: string): Figure | undefined {
  return figures.find(
    figure => figure.engine === engine && figure.rows === rows && figure.question === question,
  );
}
