import { kinds } from '@connector-auth/connectors';
import { sql } from 'kysely';
import { silentLog } from '../../src/platform/log/log.ts';
import { buildMissingIndexes } from '../../src/shared/records/build-indexes.ts';
import { ensureRecordTables } from '../../src/shared/records/ensure.ts';
import { fillOrganizations } from '../../src/shared/records/fill-organizations.ts';
import { RecordTables } from '../../src/shared/records/record-table.ts';
import { upsertRecords } from '../../src/shared/records/store.ts';
import { addConnector, createOlderTable } from '../../test/record-fixtures.ts';
import { options, quantile, query, repeat, reportGoal, rounded } from '../harness.ts';
import { openNew, printStatements, resetStatements } from './installation.ts';

const rows = Number(options.sizes ?? (options.quick ? 50_000 : 1_000_000));
const maxWriteMs = 1_000;

/** Adds the organization to the records of an older version, while a process writes others. */
export async function measureFill(): Promise<void> {
  const { location, database } = await openNew();
  const { databaseUrl } = location;
  const db = database.kysely;
  const tables = new RecordTables(kinds);
  const table = tables.find('granola', 'notes');
  if (table === null) throw new Error('The kind has no notes');
  await createOlderTable(db, table);
  const connector = await addConnector(db, 'granola');
  await query(
    databaseUrl,
    `insert into ${table.name} ("$connector", "$generation", id, title, created_at)
     select '${connector.id}', 1, 'note-' || n, 'Weekly ' || n, '2026-01-01T00:00:' || n
     from generate_series(1, ${rows}) as n`,
  );
  await ensureRecordTables(db, tables);
  const over = new AbortController();
  await buildMissingIndexes({ database, databaseUrl, tables, log: silentLog }, over.signal);
  await query(databaseUrl, `vacuum analyze ${table.name}`);
  // Records all over the table, so that the writer meets the rows of each step.
  let page = 0;
  const write = async (): Promise<void> => {
    page += 1;
    const records = Array.from({ length: 100 }, (_, index) => ({
      id: `note-${1 + ((index * Math.floor(rows / 100) + page) % rows)}`,
      title: `Changed ${page}`,
      created_at: 'now',
    }));
    await upsertRecords(db, table, { connector, seenRun: null }, records);
  };
  await resetStatements(databaseUrl);
  const writes = repeat(write, over.signal);
  const startedAt = performance.now();
  await fillOrganizations(db, tables, over.signal);
  const filledMs = performance.now() - startedAt;
  over.abort();
  const during = await writes;
  const [{ wal, steps } = {}] = await query(
    databaseUrl,
    `select sum(wal_bytes)::float8 as wal, sum(calls)::int as steps from pg_stat_statements where query like '%skip locked%'`,
  );
  const after = await repeat(write, AbortSignal.timeout(Math.min(Math.ceil(filledMs), 30_000)));
  const { rows: left } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.id(table.name)} where "$organization" is null`.execute(db);
  console.table({
    [`${rows} records`]: {
      'filled, s': rounded(filledMs / 1000),
      'records per second': Math.round((rows * 1000) / filledMs),
      'WAL bytes per record': Math.round(Number(wal) / rows),
      steps,
    },
  });
  console.table({ 'writes while filling': during.figures(), 'writes later': after.figures() });
  await printStatements(databaseUrl, 'of the filling and the writer');
  const failures = during.failures + (left[0]?.count ?? NaN);
  reportGoal('failed writes and records left', '0', String(failures), failures === 0);
  reportGoal(
    'longest write while records get their organization',
    `≤ ${maxWriteMs} ms`,
    `${during.longestMs} ms, p99 ${rounded(quantile(during.times, 0.99) / quantile(after.times, 0.99))} × later`,
    during.longestMs <= maxWriteMs,
  );
}
