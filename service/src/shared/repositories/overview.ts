import type { Overview } from '@connector-auth/api/admin';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';

/** What the database counts of the whole installation, by its own clock. */
type InstallationState = { readonly time: Date } & Pick<
  Overview,
  'organizations' | 'applications' | 'customers' | 'connectors' | 'failing_sync_jobs' | 'open_incidents'
>;

/** Failed attempts in a row after which a sync counts as failing. */
export const failuresUntilFailing = 3;

export async function readInstallationState(db: Kysely<Tables>): Promise<InstallationState> {
  const { rows } = await sql<InstallationState>`
    select now() as time,
      (select count(*)::integer from organizations) as organizations,
      (select count(*)::integer from applications) as applications,
      (select count(*)::integer from customers) as customers,
      (
        select json_build_object('active', count(*) filter (where state = 'active'),
          'needs_reauth', count(*) filter (where state = 'needs_reauth'),
          'disabled', count(*) filter (where state = 'disabled'), 'frozen', count(*) filter (where state = 'frozen'))
        from (
          select case when incident_id is not null then 'frozen' when disabled_at is not null then 'disabled'
            else status end as state
          from connectors where delete_at is null
        ) as states
      ) as connectors,
      (select count(*)::integer from synced_entities where failures >= ${failuresUntilFailing}) as failing_sync_jobs,
      (select count(*)::integer from incidents where undone_at is null) as open_incidents`.execute(db);
  const [state] = rows;
  if (state === undefined) throw new Error('A select without a table returns one row');
  return state;
}
