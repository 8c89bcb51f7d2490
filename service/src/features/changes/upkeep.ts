import type { Kysely } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Tables } from '../../platform/database/tables.ts';
import { startPeriodicJob, type Job } from '../../platform/jobs/periodic-job.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Horizon } from '../../shared/records/horizon.ts';
import type { RecordTables } from '../../shared/records/record-table.ts';
import { deleteOldChanges, reportSkipped } from '../../shared/repositories/record-changes.ts';

interface UpkeepContext {
  readonly db: Kysely<Tables>;
  readonly tables: RecordTables;
  readonly horizon: Horizon;
  readonly log: Log;
  readonly gauge: Gauge;
}

export function createHorizonGauge(registry: Registry): Gauge {
  return new Gauge({
    name: 'connector_auth_changes_horizon_age_seconds',
    help: 'How long a transaction of the database server has kept newer changes from being delivered',
    registers: [registry],
  });
}

const intervalMs = 60_000;

/**
 * Moves the horizon every minute, so that cursors of readers stay young while nothing changes, reports what readers have skipped before
 * this process had loaded it, and deletes old changes. Safe to run in several processes at once.
 */
export function startFeedUpkeep({ db, tables, horizon, log, gauge }: UpkeepContext, days: number): Job {
  return startPeriodicJob(
    intervalMs,
    async closing => {
      await reportSkipped(db, tables.all);
      const { horizonAgeSeconds } = await horizon.advance();
      gauge.set(horizonAgeSeconds);
      await deleteOldChanges(db, days, closing);
    },
    error => log.warn('changes_upkeep_interrupted', { error }),
  );
}
