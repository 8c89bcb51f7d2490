import { systemClock, type Clock } from '@connector-auth/api';
import { CompiledQuery, sql, type Kysely } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { startPeriodicJob } from '../jobs/periodic-job.ts';
import type { Log } from '../log/log.ts';
import type { Database } from './database.ts';
import type { Queryable } from './migrate.ts';
import type { Tables } from './tables.ts';

/** The difference between the clocks of this machine and of the database above which the service is not ready. */
export const maxClockDifferenceMs = 30_000;

const measureEveryMs = 10_000;

/**
 * The time of the database, which all processes share: what one of them issues expires for all at the same time, however
 * wrong the clocks of their machines are.
 */
export interface DatabaseClock extends Clock {
  /** Returns why no requests should be sent to this process, or null. */
  unreadyReason(): string | null;
  close(): Promise<void>;
}

/**
 * Measures the clock of the database repeatedly. Between measurements, the time does not depend on the clock of this
 * machine, which can be set at any time. The embedded database has the clock of this process.
 */
export async function openDatabaseClock(
  { control, isShared }: Pick<Database, 'control' | 'isShared'>,
  log: Log,
  metrics: Registry,
): Promise<DatabaseClock> {
  if (!isShared) return { ...systemClock, unreadyReason: () => null, close: () => Promise.resolve() };
  const query = (text: string) => control.executeQuery(CompiledQuery.raw(text));
  /** The database's time at the origin of this process's monotonic clock. */
  let originMs = NaN;
  const now = (): number => originMs + performance.now();
  const aheadMs = (): number => now() - Date.now();
  const isTooDifferent = (): boolean => Math.abs(aheadMs()) > maxClockDifferenceMs;
  let wasTooDifferent = false;
  const measure = async (): Promise<void> => {
    const { ms, at, errorMs } = await readClock({ query }, () => performance.now());
    // A slow response says little: the previous measurement may be more exact.
    if (!(Math.abs(ms - at - originMs) <= errorMs)) originMs = ms - at;
    if (isTooDifferent() === wasTooDifferent) return;
    wasTooDifferent = !wasTooDifferent;
    const fields = { database_ahead_s: Math.round(aheadMs()) / 1000 };
    if (wasTooDifferent) log.error('clock_differs', fields);
    else log.info('clock_agrees', fields);
  };
  await measure();
  const offset: Gauge = new Gauge({
    name: 'connector_auth_clock_offset_seconds',
    help: "How far the database's clock is ahead of this machine's",
    registers: [metrics],
    collect: () => offset.set(aheadMs() / 1000),
  });
  const measuring = startPeriodicJob(measureEveryMs, measure, error =>
    log.warn('clock_not_measured', { error }),
  );
  return {
    ...systemClock,
    now,
    unreadyReason: () =>
      isTooDifferent()
        ? `the clocks of this machine and of the database differ by ${Math.round(Math.abs(aheadMs()) / 1000)} s`
        : null,
    close: () => measuring.close(),
  };
}

/**
 * Reads the clock of the database.
 * @param now another clock, in milliseconds.
 * @returns the database's time `ms` when the other clock showed `at`, and by how much this can be wrong.
 */
export async function readClock(
  database: Queryable,
  now: () => number,
): Promise<{ ms: number; at: number; errorMs: number }> {
  const before = now();
  const { rows } = await database.query(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  const after = now();
  // The statement returns one row.
  const [{ ms }] = rows as [{ ms: number }];
  return { ms, at: (before + after) / 2, errorMs: (after - before) / 2 };
}

/** Returns whether a time is in the future, by the database's clock, which all processes share. */
export async function isInFuture(db: Kysely<Tables>, time: Date): Promise<boolean> {
  const { rows } = await sql<{ isLater: boolean }>`
    select ${time}::timestamptz > now() as "isLater"`.execute(db);
  return rows[0]?.isLater === true;
}
