import { ConnectorAuthError, syncIntervalMinutes, type Organization } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { Notifications } from '../notifications/notifications.ts';
import { notifySyncDue } from '../notifications/sync-due.ts';
import { findOrganization, saveSyncInterval } from '../repositories/organizations.ts';
import { shortenSyncInterval } from '../repositories/sync-state.ts';

export interface OrganizationContext {
  readonly db: Kysely<Tables>;
  readonly notifications: Notifications;
  /** Minutes between two synchronisations, for organizations that have no interval of their own. */
  readonly syncIntervalMinutes: number;
}

/** An organization and its settings. */
export async function readOrganization(context: OrganizationContext, id: string): Promise<Organization> {
  const { name, syncIntervalMinutes: own } = await findOrganization(context.db, id);
  return {
    id,
    name,
    sync_interval_minutes: own,
    default_sync_interval_minutes: context.syncIntervalMinutes,
  };
}

/**
 * Changes an organization's settings. A shorter interval holds for what is waiting already.
 * @throws ConnectorAuthError `invalid_params` for an interval out of bounds.
 */
export async function updateOrganization(
  context: OrganizationContext,
  id: string,
  { sync_interval_minutes: minutes }: { readonly sync_interval_minutes: number | null },
): Promise<Organization> {
  requireWithinBounds(minutes);
  await context.db.transaction().execute(async transaction => {
    await saveSyncInterval(transaction, id, minutes);
    await shortenSyncInterval(transaction, id, minutes ?? context.syncIntervalMinutes);
  });
  await notifySyncDue(context.notifications);
  return readOrganization(context, id);
}

function requireWithinBounds(minutes: number | null): void {
  const { min, max } = syncIntervalMinutes;
  if (minutes === null || (minutes >= min && minutes <= max)) return;
  const path = 'sync_interval_minutes';
  const message = `Give ${min} to ${max} minutes (30 days), or null for the default`;
  throw new ConnectorAuthError('invalid_params', `${path}: ${message}`, { errors: [{ path, message }] });
}
