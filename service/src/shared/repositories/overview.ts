import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';

/** The state of the whole installation. */
export interface InstallationState {
  /** By the database's clock. */
  readonly time: Date;
  readonly organizations: number;
  readonly applications: number;
  readonly customers: number;
  readonly active: number;
  readonly needsReauth: number;
  readonly disabled: number;
  readonly frozen: number;
  readonly failingSyncJobs: number;
  readonly openIncidents: number;
}

/** Failed attempts in a row after which a sync counts as failing. */
export const failuresUntilFailing = 3;

export async function readInstallationState(db: Kysely<Tables>): Promise<InstallationState> {
  const { rows } = await sql<InstallationState>`
    select now() as time,
      (select count(*)::integer from organizations) as organizations,
      (select count(*)::integer from applications) as applications,
      (select count(*)::integer from customers) as customers,
      (select count(*)::integer from synced_entities where failures >= ${failuresUntilFailing}) as "failingSyncJobs",
      (select count(*)::integer from incidents where undone_at is null) as "openIncidents",
      connectors.*
    from (
      select count(*) filter (where state = 'active')::integer as active,
        count(*) filter (where state = 'needs_reauth')::integer as "needsReauth",
        count(*) filter (where state = 'disabled')::integer as disabled,
        count(*) filter (where state = 'frozen')::integer as frozen
      from (
        select case when incident_id is not null then 'frozen' when disabled_at is not null then 'disabled'
          else status end as state
        from connectors where delete_at is null
      ) as states
    ) as connectors`.execute(db);
  const [state] = rows;
  if (state === undefined) throw new Error('An aggregate returns one row');
  return state;
}
