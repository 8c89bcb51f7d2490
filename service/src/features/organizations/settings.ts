import { ConnectorAuthError, organizationSettings, syncIntervalMinutes } from '@connector-auth/api';
import type { Transaction } from 'kysely';
import type { z } from 'zod';
import type { Tables } from '../../platform/database/tables.ts';
import {
  saveOrganization,
  type OrganizationSettings,
  type SettingsChange,
} from '../../shared/repositories/organizations.ts';
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

/** Returns the settings of a request as they are stored: null restores the default of the contract, which is often null. */
export function settingsOf(request: {
  readonly [Name in keyof OrganizationSettings]?: OrganizationSettings[Name] | null | undefined;
}): SettingsChange {
  const declared: Readonly<Record<string, z.ZodType>> = organizationSettings;
  const stored = Object.entries(request).map(([name, value]) => [
    name,
    value === null ? (declared[name]?.safeParse(undefined).data ?? null) : value,
  ]);
  return Object.fromEntries(stored) as SettingsChange;
}
