import {
  ConnectorAuthError,
  syncIntervalMinutes,
  type Organization,
  type SetLogoRequest,
  type UpdateOrganizationRequest,
} from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { logoUrl } from '../http/logo-path.ts';
import type { Notifications } from '../notifications/notifications.ts';
import { notifySyncDue } from '../notifications/sync-due.ts';
import { findOrganization, saveLogo, saveOrganization } from '../repositories/organizations.ts';
import { shortenSyncInterval } from '../repositories/sync-state.ts';
import { parseLogo } from './logo.ts';

export interface OrganizationContext {
  readonly db: Kysely<Tables>;
  readonly notifications: Notifications;
  /** The default sync interval. */
  readonly syncIntervalMinutes: number;
  /** Public base URL, without a trailing slash. */
  readonly publicUrl: string;
}

export async function readOrganization(context: OrganizationContext, id: string): Promise<Organization> {
  const settings = await findOrganization(context.db, id);
  return {
    id,
    name: settings.displayName ?? settings.name,
    logo_url: logoUrl(context.publicUrl, id, settings.logoVersion),
    support_url: settings.supportUrl,
    sync_interval_minutes: settings.syncIntervalMinutes,
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
  { name, support_url, sync_interval_minutes: minutes }: UpdateOrganizationRequest,
): Promise<Organization> {
  if (minutes !== undefined) requireValidInterval(minutes);
  await context.db.transaction().execute(async transaction => {
    await saveOrganization(transaction, id, {
      displayName: name,
      supportUrl: support_url,
      syncIntervalMinutes: minutes,
    });
    if (minutes !== undefined)
      await shortenSyncInterval(transaction, id, minutes ?? context.syncIntervalMinutes);
  });
  if (minutes !== undefined) await notifySyncDue(context.notifications);
  return readOrganization(context, id);
}

/** @throws ConnectorAuthError `invalid_params` if the image is invalid or too large. */
export async function setLogo(
  context: OrganizationContext,
  id: string,
  { image }: SetLogoRequest,
): Promise<Organization> {
  await saveLogo(context.db, id, parseLogo(Buffer.from(image, 'base64')));
  return readOrganization(context, id);
}

function requireValidInterval(minutes: number | null): void {
  const { min, max } = syncIntervalMinutes;
  if (minutes === null || (minutes >= min && minutes <= max)) return;
  const message = `Must be ${min} to ${max} minutes (30 days), or null for the default`;
  throw ConnectorAuthError.invalid('invalid_params', [{ path: 'sync_interval_minutes', message }]);
}
