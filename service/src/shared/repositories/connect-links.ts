import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { LinkRef } from '../auth/caller.ts';
import { isEnabled } from './organizations.ts';

/** The status of a connect link by the database's clock. The first one that applies. */
export type LinkStatus = 'used' | 'revoked' | 'expired' | 'confirmed' | 'open';

/** Whether the link's application could still create the link: its source is enabled and its connector usable. */
const isAllowed = sql<boolean>`(
  exists (
    select from applications
    join application_organizations on application_organizations.application_id = applications.id
    where applications.id = connect_links.application_id
      and applications.disabled_at is null
      and application_organizations.organization_id = connect_links.organization_id
  )
  and exists (
    select from organizations
    where organizations.id = connect_links.organization_id
      and ${isEnabled}
      and (connect_links.audience = 'customer' or organizations.guest_connect_links)
      and (organizations.long_connect_links or connect_links.expires_at <= connect_links.created_at + interval '1 day')
      and (
        connect_links.kind is null
        or connect_links.target_id is not null
        or organizations.enabled_kinds is null
        or connect_links.kind = any(organizations.enabled_kinds)
      )
  )
  and not exists (
    select from connectors
    where connectors.organization_id = connect_links.organization_id
      and connectors.id = connect_links.target_id
      and (connectors.disabled_at is not null or connectors.incident_id is not null or connectors.delete_at is not null)
  )
)`;

export const linkStatus = sql<LinkStatus>`case
  when connect_links.used_at is not null then 'used'
  when connect_links.revoked_at is not null or not ${isAllowed} then 'revoked'
  when connect_links.expires_at <= clock_timestamp() then 'expired'
  when connect_links.confirmed_at is not null then 'confirmed'
  else 'open' end`;

/** Returns a link's status, or null if it does not exist. */
export async function findLinkStatus(
  db: Kysely<Tables>,
  { organizationId, id }: LinkRef,
): Promise<LinkStatus | null> {
  const row = await db
    .selectFrom('connect_links')
    .select(linkStatus.as('status'))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.status ?? null;
}

/**
 * Uses up a confirmed link, in the transaction that stores or re-authenticates the connector. Returns false if it cannot
 * be used, or no longer.
 */
export async function spendLink(
  transaction: Kysely<Tables>,
  { organizationId, id }: LinkRef,
  connectorId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('connect_links')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where(linkStatus, '=', 'confirmed')
    .where(sql<boolean>`(target_id is null or target_id = ${connectorId})`)
    .set({ used_at: sql<Date>`now()`, connector_id: connectorId })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
