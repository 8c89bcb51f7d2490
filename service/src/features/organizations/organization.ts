import type {
  ListOrganizationsResponse,
  Organization,
  SetLogoRequest,
  UpdateOrganizationRequest,
} from '@connector-auth/api';
import { notifySyncDue } from '../../platform/notifications/sync-due.ts';
import type { Needs } from '../../shared/core.ts';
import { logoUrl } from '../../shared/http/logo-path.ts';
import { listOrganizationsOf } from '../../shared/repositories/applications.ts';
import { findOrganization, saveLogo } from '../../shared/repositories/organizations.ts';
import { parseLogo } from './logo.ts';
import { orFalse, requireValidInterval, saveSettings } from './settings.ts';

export type OrganizationContext = Needs<'db' | 'notifications' | 'syncIntervalMinutes' | 'publicUrl'>;

/** Returns the enabled organizations of an application, in the order that the operator configured. */
export async function listOwnOrganizations(
  { db }: OrganizationContext,
  applicationId: string,
): Promise<ListOrganizationsResponse> {
  const organizations = await listOrganizationsOf(db, [applicationId]);
  const enabled = organizations.filter(({ isDisabled }) => !isDisabled);
  return { data: enabled.map(({ id, name }) => ({ id, name })) };
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
    connect_helper_url: settings.connectHelperUrl,
    guest_connect_links: settings.guestConnectLinks,
  };
}

/** @throws ConnectorAuthError `invalid_params` if the interval is out of range. */
export async function updateOrganization(
  context: OrganizationContext,
  id: string,
  request: UpdateOrganizationRequest,
): Promise<Organization> {
  const { sync_interval_minutes: minutes } = request;
  requireValidInterval(minutes);
  const changes = {
    displayName: request.name,
    supportUrl: request.support_url,
    connectHelperUrl: request.connect_helper_url,
    guestConnectLinks: orFalse(request.guest_connect_links),
    syncIntervalMinutes: minutes,
  };
  await context.db
    .transaction()
    .execute(transaction => saveSettings(transaction, id, changes, context.syncIntervalMinutes));
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
