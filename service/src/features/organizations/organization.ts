import {
  organizationSettings,
  type ListOrganizationsResponse,
  type Organization,
  type SetLogoRequest,
  type UpdateOrganizationRequest,
} from '@connector-auth/api';
import { topics } from '../../platform/notifications/topics.ts';
import type { Needs } from '../../shared/core.ts';
import { logoUrl } from '../../shared/http/logo-path.ts';
import { listOrganizationsOf } from '../../shared/repositories/applications.ts';
import { findOrganization, pickSettings, saveLogo } from '../../shared/repositories/organizations.ts';
import { parseLogo } from './logo.ts';
import { requireValidInterval, saveSettings, settingsOf } from './settings.ts';

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
  const organization = await findOrganization(context.db, id);
  return {
    ...pickSettings(organization, sharedNames),
    id,
    name: organization.display_name ?? organization.name,
    logo_url: logoUrl(context.publicUrl, id, organization.logoVersion),
    default_sync_interval_minutes: context.syncIntervalMinutes,
  };
}

// `organizationSettings` has exactly these keys.
const sharedNames = Object.keys(organizationSettings) as (keyof typeof organizationSettings)[];

/** @throws ConnectorAuthError `invalid_params`; `helper_url_missing`. */
export async function updateOrganization(
  context: OrganizationContext,
  id: string,
  request: UpdateOrganizationRequest,
): Promise<Organization> {
  const { name: display_name, ...settings } = request;
  requireValidInterval(settings.sync_interval_minutes);
  const changes = settingsOf({ ...settings, display_name });
  await context.db.transaction().execute(transaction => saveSettings(transaction, id, changes, context));
  if (settings.sync_interval_minutes !== undefined) await context.notifications.notify(topics.syncDue);
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
