import { kinds } from '@connector-auth/connectors';
import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/platform/database/database.ts';
import { schemaLock } from '../src/platform/database/schema-locks.ts';
import { silentLog } from '../src/platform/log/log.ts';
import { ensureRecordTables } from '../src/shared/records/ensure.ts';
import { RecordTables } from '../src/shared/records/record-table.ts';
import { makeDatabase } from './engines.ts';
import { until } from './until.ts';

const statementTimeoutMs = 500;

test('creating record tables waits longer than the statement timeout for another process to change the schema', async () => {
  const place = await makeDatabase('postgres');
  onTestFinished(place.remove);
  if (!('databaseUrl' in place.location)) throw new Error('A server has a URL');
  const database = await openDatabase(place.location, { log: silentLog, statementTimeoutMs });
  onTestFinished(() => database.close());
  const other = new Client({ connectionString: place.location.databaseUrl });
  await other.connect();
  onTestFinished(() => other.end());
  const { rows: started } = await other.query<{ at: string }>(
    'select clock_timestamp()::text as at, pg_advisory_lock($1)',
    [schemaLock],
  );

  const made = ensureRecordTables(database.kysely, new RecordTables(kinds)).then(
    () => 'made',
    (error: unknown) => error,
  );
  const waited = until(async () => {
    const { rows } = await other.query<{ ms: number }>(
      'select extract(epoch from clock_timestamp() - $1::timestamptz) * 1000 as ms',
      [started[0]?.at],
    );
    expect(Number(rows[0]?.ms)).toBeGreaterThan(2 * statementTimeoutMs);
  });
  await Promise.race([waited, made]);
  await other.query('select pg_advisory_unlock($1)', [schemaLock]);
  expect(await made).toBe('made');
  // The usual timeout applies to later statements.
  const { rows } = await sql<{ limit: string }>`
      select current_setting('statement_timeout') as limit`.execute(database.kysely);
  expect(rows).toEqual([{ limit: `${statementTimeoutMs}ms` }]);
});
