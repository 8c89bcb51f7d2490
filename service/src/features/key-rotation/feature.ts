import { startPeriodicJob } from '../../platform/jobs/periodic-job.ts';
import type { Needs } from '../../shared/core.ts';
import { reencryptOldValues } from '../../shared/credentials/reencrypt.ts';
import type { Feature } from '../../shared/feature.ts';

/** Values need to be re-encrypted only after a start with a new key, and again if that was interrupted. */
const intervalMs = 3_600_000;

export function keyRotation({ db, sealer, log }: Needs<'db' | 'sealer' | 'log'>) {
  return {
    start: () =>
      startPeriodicJob(
        intervalMs,
        closing => reencryptOldValues(db, sealer, log, closing),
        error => log.warn('resealing_interrupted', { error }),
      ),
  } satisfies Feature;
}
