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
  /** The default sync interval. */
  readonly syncIntervalMinutes: number;
}

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
 * Changes an organization's settings. A shorter sync interval also applies to syncs that are already
 * scheduled.
 * @throws ConnectorAuthError `invalid_params` if the interval is out of range.
 */
export async function updateOrganization(
  context: OrganizationContext,
  id: string,
  { sync_interval_minutes: minutes }: { readonly sync_interval_minutes: number | null },
): Promise<Organization> {
  requireValidInterval(minutes);
  await context.db.transaction().execute(async transaction => {
    await saveSyncInterval(transaction, id, minutes);
    await shortenSyncInterval(transaction, id, minutes ?? context.syncIntervalMinutes);
  });
  await notifySyncDue(context.notifications);
  return readOrganization(context, id);
}

function requireValidInterval(minutes: number | null): void {
  const { min, max } = syncIntervalMinutes;
  if (minutes === null || (minutes >= min && minutes <= max)) return;
  const message = `Must be ${min} to ${max} minutes (30 days), or null for the default`;
  throw ConnectorAuthError.invalid('invalid_params', [{ path: 'sync_interval_minutes', message }]);
}
