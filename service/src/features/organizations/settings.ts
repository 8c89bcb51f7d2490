import { ConnectorAuthError, organizationSettings, syncIntervalMinutes } from '@connector-auth/api';
import type { Transaction } from 'kysely';
import type { z } from 'zod';
import type { Tables } from '../../platform/database/tables.ts';
import type { Needs } from '../../shared/core.ts';
import { takeSharedMcpAddress } from '../../shared/repositories/agents.ts';
import {
  findOrganization,
  saveOrganization,
  type OrganizationSettings,
  type SettingsChange,
} from '../../shared/repositories/organizations.ts';
import { revokeAgents } from '../../shared/repositories/revocations.ts';
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
 * @throws ConnectorAuthError as {@link requireAgentSignIn} does.
 */
export async function saveSettings(
  transaction: Transaction<Tables>,
  id: string,
  changes: SettingsChange,
  { syncIntervalMinutes: defaultMinutes, publicUrl }: Needs<'syncIntervalMinutes' | 'publicUrl'>,
): Promise<void> {
  await saveOrganization(transaction, id, changes);
  const { sync_interval_minutes: minutes } = changes;
  if (minutes !== undefined) await shortenSyncInterval(transaction, id, minutes ?? defaultMinutes);
  // Otherwise, enabling it again would bring back what people have forgotten.
  if (changes.agent_sign_in === false) await revokeAgents(transaction, { organizationId: id });
  await requireAgentSignIn(transaction, id, publicUrl);
}

/**
 * Checks what the sign-in of agents needs, if it is enabled for the organization.
 * @throws ConnectorAuthError `helper_url_missing`; `invalid_params` if the service is not at the root of its host.
 */
export async function requireAgentSignIn(
  transaction: Transaction<Tables>,
  id: string,
  publicUrl: string,
): Promise<void> {
  const { agent_sign_in: isEnabled, connect_helper_url: helperUrl } = await findOrganization(transaction, id);
  if (!isEnabled) return;
  if (helperUrl === null) {
    throw new ConnectorAuthError(
      'helper_url_missing',
      'agent_sign_in needs connect_helper_url, where the helper confirms who signs in',
    );
  }
  if (new URL(publicUrl).pathname !== '/') {
    // Clients look for an authorization server with a path at different addresses.
    const message = 'Sign-in needs a PUBLIC_URL without a path: give the service a host name of its own';
    throw ConnectorAuthError.invalid('invalid_params', [{ path: 'agent_sign_in', message }]);
  }
  await takeSharedMcpAddress(transaction, id);
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
