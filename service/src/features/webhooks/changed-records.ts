/** Inserts the event `records.changed`, from the log of the change feed. */
import { recordsChangedSeconds } from '@connector-auth/api';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { Horizon } from '../../shared/records/horizon.ts';
import { isUsable } from '../../shared/repositories/connectors.ts';

/** How many organizations are reported in one statement. */
const organizationsPerStep = 100;

/** Whether the changes of an organization can be reported now: not too early, and to a webhook. */
const isDue = sql`reported_at <= now() - make_interval(secs => ${recordsChangedSeconds}) and exists (
  select from webhooks join organizations on organizations.id = webhooks.organization_id
  where webhooks.organization_id = reported_changes.organization_id and receives_changes(events)
    and deletion_requested_at is null)`;

/** Where reporting continues. Positions of a database that was moved mean nothing. */
const start = sql`least(up_to, (select horizon from change_feed))`;

/**
 * Inserts an event for each connector with changes that readers can read and that were not reported yet. Several processes can
 * run it concurrently.
 */
export async function reportChangedRecords(db: Kysely<Tables>, horizon: Horizon): Promise<void> {
  const { rows } = await sql`
    select from reported_changes where ${isDue} and exists (
      select from record_changes where record_changes.organization_id = reported_changes.organization_id and xid >= ${start})
    limit 1`.execute(db);
  if (rows.length === 0) return;
  await horizon.advance();
  while ((await reportStep(db)) === organizationsPerStep);
}

/** Reports the changes of up to {@link organizationsPerStep} organizations. Returns the number of organizations. */
async function reportStep(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with due as (
      select organization_id, ${start} as start, (select horizon from change_feed) as horizon
      from reported_changes
      where ${isDue} and exists (
        select from record_changes
        where record_changes.organization_id = reported_changes.organization_id and xid >= ${start}
          and xid < (select horizon from change_feed))
      order by organization_id limit ${organizationsPerStep} for update skip locked
    ), moved as (
      update reported_changes set up_to = due.horizon, reported_at = now()
      from due where reported_changes.organization_id = due.organization_id
    ), first_changes as (
      -- What the feed skips is reported when it no longer does.
      select distinct on (log.organization_id, log.connector_id)
        log.organization_id, log.connector_id, log.customer_id, log.kind, log.xid, log.sequence, log.changed_at
      from due
        join record_changes as log on log.organization_id = due.organization_id
          and log.xid >= due.start and log.xid < due.horizon
        left join connectors on connectors.organization_id = due.organization_id and connectors.id = log.connector_id
      where case when log.entity is null then connectors.id is null else connectors.id is not null and ${isUsable} end
      order by log.organization_id, log.connector_id, log.xid, log.sequence
    ), reported as (
      insert into webhook_events (organization_id, type, data, read_from)
      select first_changes.organization_id, 'records.changed',
        event_about(first_changes.organization_id, connector_id, customers.name, kind),
        -- All of its changes are below the horizon.
        feed_position(xid, sequence, changed_at, xid)
      from first_changes left join customers
        on customers.organization_id = first_changes.organization_id and customers.id = first_changes.customer_id
    )
    select count(*)::integer as count from due`.execute(db);
  return rows[0]?.count ?? 0;
}
