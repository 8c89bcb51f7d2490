import { ConnectorAuthError, syncIntervalMinutes } from '@connector-auth/api';
import type { Transaction } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { saveOrganization, type SettingsChange } from '../../shared/repositories/organizations.ts';
import { shortenSyncInterval } from '../../shared/repositories/sync-state.ts';

/** @throws ConnectorAuthError `invalid_params` if the sync interval is out of range. */
export function requireValidInterval(minutes: number | null | undefined): void {
  if (minutes === undefined || minutes === null) return;
  const { min, max } = syncIntervalMinutes;
  if (minutes >= min && minutes <= max) return;
  const message = `Must be ${min} to ${max} minutes (30 days), or null for the default`;
  throw ConnectorAuthError.invalid('invalid_params', [{ path: 'sync_interval_minutes', message }]);
}

/**
 * Changes an organization's settings. A shorter sync interval also applies to syncs that are already
 * scheduled.
 * @param defaultMinutes the default sync interval.
 */
export async function saveSettings(
  transaction: Transaction<Tables>,
  id: string,
  changes: SettingsChange,
  defaultMinutes: number,
): Promise<void> {
  await saveOrganization(transaction, id, changes);
  const { sync_interval_minutes: minutes } = changes;
  if (minutes !== undefined) await shortenSyncInterval(transaction, id, minutes ?? defaultMinutes);
}

/** Returns the settings of a request as they are stored: null turns a switch off. */
export function settingsOf<Request extends { readonly guest_connect_links?: boolean | null | undefined }>(
  request: Request,
): Request & { readonly guest_connect_links?: boolean | undefined } {
  const { guest_connect_links: wanted } = request;
  return wanted === null
    ? { ...request, guest_connect_links: false }
    : { ...request, guest_connect_links: wanted };
}
