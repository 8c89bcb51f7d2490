import type { Overview } from '@connector-auth/api/admin';
import type { Kysely } from 'kysely';
import { warnAboutWeakSettings, type Configuration } from '../../platform/config/configuration.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import type { AdminHandlers } from '../../shared/http/handler.ts';
import { packageVersion } from '../../shared/http/openapi.ts';
import { findApplication } from '../../shared/repositories/applications.ts';
import { readInstallationState } from '../../shared/repositories/overview.ts';

type Settings = Pick<
  Configuration,
  'adminToken' | 'bootstrap' | 'databaseUrl' | 'publicUrl' | 'syncIntervalMinutes'
>;

const engineNames = { postgres: 'postgresql', pglite: 'pglite' } as const;

export interface OverviewContext {
  readonly database: Database;
  readonly kinds: KindRegistry;
  readonly settings: Settings;
  /** Reports whether the audit log is written. */
  readonly readAuditState: () => Promise<Overview['audit']>;
}

export function overviewRoutes({
  database,
  kinds,
  settings,
  readAuditState,
}: OverviewContext): Pick<AdminHandlers, 'getOverview'> {
  const version = packageVersion();
  return {
    getOverview: async () => {
      const state = await readInstallationState(database.kysely);
      return {
        version,
        database: engineNames[database.engine],
        time: state.time.toISOString(),
        organizations: state.organizations,
        applications: state.applications,
        customers: state.customers,
        connectors: {
          active: state.active,
          needs_reauth: state.needsReauth,
          disabled: state.disabled,
          frozen: state.frozen,
        },
        failing_sync_jobs: state.failingSyncJobs,
        open_incidents: state.openIncidents,
        default_sync_interval_minutes: settings.syncIntervalMinutes,
        kinds: kinds.all.map(({ key, name }) => ({ key, name })),
        audit: await readAuditState(),
        warnings: await listWarnings(database.kysely, settings),
      };
    },
  };
}

async function listWarnings(db: Kysely<Tables>, settings: Settings): Promise<string[]> {
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
