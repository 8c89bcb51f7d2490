import type { Overview } from '@connector-auth/api/admin';
import type { Kysely } from 'kysely';
import type { AuditLog } from '../../platform/audit-log/audit-log.ts';
import { warnAboutWeakSettings } from '../../platform/config/configuration.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Needs, Settings } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { packageVersion } from '../../shared/http/openapi.ts';
import { findApplication } from '../../shared/repositories/applications.ts';
import { readInstallationState } from '../../shared/repositories/overview.ts';
import { readHealth } from './health.ts';
import { createGauges, measurePools, startMeasuring } from './measure.ts';

/** The settings that the overview may warn about. */
type WarnedSettings = Pick<Settings, 'adminToken' | 'bootstrap' | 'databaseUrl' | 'publicUrl'>;

const engineNames = { postgres: 'postgresql', pglite: 'pglite' } as const;

export function overview(
  {
    database,
    kinds,
    audit,
    metrics,
    log,
    syncIntervalMinutes,
  }: Needs<'database' | 'kinds' | 'audit' | 'metrics' | 'log' | 'syncIntervalMinutes'>,
  settings: WarnedSettings,
) {
  const version = packageVersion();
  const gauges = createGauges(metrics);
  measurePools(database, metrics);
  return {
    adminHandlers: {
      // It reads all connectors and counters.
      getHealth: ({ query }) => readHealth(database.search, kinds, query.organization_id),

      getOverview: async () => {
        const { time, ...counts } = await readInstallationState(database.kysely);
        return {
          version,
          database: engineNames[database.engine],
          time: time.toISOString(),
          ...counts,
          default_sync_interval_minutes: syncIntervalMinutes,
          kinds: kinds.all.map(({ key, name }) => ({ key, name })),
          audit: describeAuditLog(audit),
          warnings: await listWarnings(database.kysely, settings),
        };
      },
    },
    start: () => startMeasuring({ db: database.kysely, kinds, gauges, log }),
  } satisfies Feature;
}

/** Returns whether this process can write the audit log, and what waits to be written. */
function describeAuditLog(log: AuditLog): Overview['audit'] {
  const { isWritable, waitingEntries, oldestAt } = log.state();
  return {
    is_writable: isWritable,
    waiting_entries: waitingEntries,
    oldest_at: oldestAt?.toISOString() ?? null,
  };
}

async function listWarnings(db: Kysely<Tables>, settings: WarnedSettings): Promise<string[]> {
  const { adminToken, bootstrap } = settings;
  const bootstrapped = bootstrap && (await findApplication(db, { clientId: bootstrap.clientId }));
  return [
    ...warnAboutWeakSettings(settings),
    ...(adminToken === null
      ? []
      : [
          'ADMIN_TOKEN is set: it has all rights, does not expire and does not show who used it. Create an admin key for each operator, then remove the variable',
        ]),
    ...(bootstrapped?.managedBy === 'operator'
      ? [
          `The BOOTSTRAP_ variables are ignored, because an operator manages the application "${bootstrapped.clientId}": remove them`,
        ]
      : []),
  ];
}
