import { ConnectorAuthError, type Issue, type SetLogoRequest } from '@connector-auth/api';
import type {
  AdminOrganization,
  CreateOrganizationRequest,
  EditOrganizationRequest,
} from '@connector-auth/api/admin';
import type { Transaction } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { isUniqueViolation } from '../../platform/database/unique-violation.ts';
import type { Log } from '../../platform/log/log.ts';
import { topics } from '../../platform/notifications/topics.ts';
import type { Needs } from '../../shared/core.ts';
import { readKnownKinds } from '../../shared/definitions/known-kinds.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import { unknownKind } from '../../shared/definitions/resolve-kind.ts';
import { changedFields } from '../../shared/http/edited-fields.ts';
import { logoUrl } from '../../shared/http/logo-path.ts';
import type { OperatorFields } from '../../shared/http/operator-fields.ts';
import { isNamedByEnvironment } from '../../shared/repositories/applications.ts';
import {
  findCountedOrganization,
  insertOrganization,
  lockOrganization,
  pickSettings,
  saveLogo,
  setOrganizationDisabled,
  settingNames,
  type CountedOrganization,
  type Organization,
  type SettingsChange,
} from '../../shared/repositories/organizations.ts';
import { parseLogo } from './logo.ts';
import type { OrganizationContext } from './organization.ts';
import { requireAgentSignIn, requireValidInterval, saveSettings, settingsOf } from './settings.ts';

export type AdministrationContext = OrganizationContext & Needs<'kinds' | 'revocations' | 'log'>;

/**
 * Creates an organization.
 * @throws ConnectorAuthError `already_exists`; `unknown_connector_type`; `helper_url_missing`; `invalid_params`.
 */
export async function createOrganization(
  context: AdministrationContext,
  operator: OperatorFields,
  request: CreateOrganizationRequest,
): Promise<AdminOrganization> {
  requireValidInterval(request.sync_interval_minutes);
  const kinds = await readKnownKinds(context.db, context.kinds);
  const id = await withUniqueName(() =>
    context.db.transaction().execute(async transaction => {
      const id = await insertOrganization(transaction, {
        ...settingsOf(request),
        name: request.name,
        enabled_kinds: kindKeys(kinds, request.enabled_kinds),
      });
      await requireAgentSignIn(transaction, id, context.publicUrl);
      return id;
    }),
  );
  logChange(context.log, operator, id, ['created']);
  return readAdminOrganization(context, id);
}

/**
 * Changes an organization's settings.
 * @throws ConnectorAuthError `organization_not_found`; `organization_being_deleted`; `edit_conflict`; `already_exists`;
 * `managed_by_environment`; `unknown_connector_type`; `helper_url_missing`; `invalid_params`.
 */
export async function editOrganization(
  context: AdministrationContext,
  operator: OperatorFields,
  id: string,
  request: EditOrganizationRequest,
): Promise<AdminOrganization> {
  requireValidInterval(request.sync_interval_minutes);
  const { version, ...settings } = request;
  const kinds = await readKnownKinds(context.db, context.kinds);
  const wanted: SettingsChange = {
    ...settingsOf(settings),
    enabled_kinds: kindKeys(kinds, settings.enabled_kinds),
  };
  const changes = await withUniqueName(() =>
    context.db.transaction().execute(async transaction => {
      const current = await requireLocked(transaction, id);
      const changes = changedFields(
        { seen: version, current: current.version },
        settingNames.map(path => ({ path, current: current[path], wanted: wanted[path] })),
      );
      if (changes.length === 0) return changes;
      if (changes.includes('name')) await requireRenamable(transaction, id);
      await saveSettings(transaction, id, wanted, context);
      return changes;
    }),
  );
  if (changes.length > 0) logChange(context.log, operator, id, changes);
  if (changes.includes('sync_interval_minutes')) await context.notifications.notify(topics.syncDue);
  return readAdminOrganization(context, id);
}

/**
 * Sets an organization's logo, or deletes it if `request` is null.
 * @throws ConnectorAuthError `organization_not_found`; `invalid_params` if the image is invalid or too large.
 */
export async function changeLogo(
  context: AdministrationContext,
  operator: OperatorFields,
  id: string,
  request: SetLogoRequest | null,
): Promise<void> {
  const logo = request && parseLogo(Buffer.from(request.image, 'base64'));
  if (!(await saveLogo(context.db, id, logo))) throw organizationNotFound();
  logChange(context.log, operator, id, ['logo']);
}

/**
 * Disables an organization: ends its tokens and OAuth sessions, and stops its syncs.
 * @throws ConnectorAuthError `organization_not_found`.
 */
export async function disableOrganization(
  context: AdministrationContext,
  operator: OperatorFields,
  id: string,
): Promise<AdminOrganization> {
  await context.revocations.run(async (transaction, revoke) => {
    if ((await lockOrganization(transaction, id)) === null) throw organizationNotFound();
    await setOrganizationDisabled(transaction, id, true);
    await revoke({ organizationId: id });
  });
  logChange(context.log, operator, id, ['disabled']);
  return readAdminOrganization(context, id);
}

/** @throws ConnectorAuthError `organization_not_found`; `organization_being_deleted`. */
export async function enableOrganization(
  context: AdministrationContext,
  operator: OperatorFields,
  id: string,
): Promise<AdminOrganization> {
  await context.db.transaction().execute(async transaction => {
    await requireLocked(transaction, id);
    await setOrganizationDisabled(transaction, id, false);
  });
  logChange(context.log, operator, id, ['enabled']);
  await context.notifications.notify(topics.syncDue);
  return readAdminOrganization(context, id);
}

/** @throws ConnectorAuthError `organization_not_found`. */
export async function readAdminOrganization(
  context: AdministrationContext,
  id: string,
): Promise<AdminOrganization> {
  const organization = await findCountedOrganization(context.db, id);
  if (organization === null) throw organizationNotFound();
  return toAdminOrganization(organization, context.publicUrl);
}

export function toAdminOrganization(organization: CountedOrganization, publicUrl: string): AdminOrganization {
  const { id, version, customers, connectors } = organization;
  return {
    ...pickSettings(organization, settingNames),
    id,
    version,
    logo_url: logoUrl(publicUrl, id, organization.logoVersion),
    status: statusOf(organization),
    customers,
    connectors,
    created_at: organization.createdAt.toISOString(),
  };
}

function statusOf({ isBeingDeleted, isDisabled }: Organization): AdminOrganization['status'] {
  if (isBeingDeleted) return 'deleting';
  return isDisabled ? 'disabled' : 'active';
}

/** Returns the keys of kinds, also of those that are not loaded, in the order of the registry, so that equal sets are equal lists. */
function kindKeys<Names extends readonly string[] | null | undefined>(
  kinds: KindRegistry,
  names: Names,
): string[] | Exclude<Names, readonly string[]> {
  if (names === null || names === undefined) return names as Exclude<Names, readonly string[]>;
  const issues: Issue[] = [];
  const wanted = new Set<string>();
  for (const [index, name] of names.entries()) {
    const kind = kinds.byName(name);
    if (kind === null) issues.push({ path: `enabled_kinds.${index}`, message: unknownKind(kinds, name) });
    else wanted.add(kind.key);
  }
  if (issues.length > 0) throw ConnectorAuthError.invalid('unknown_connector_type', issues);
  return kinds.all.map(({ key }) => key).filter(key => wanted.has(key));
}

async function withUniqueName<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const message = 'Another organization has this name';
    throw ConnectorAuthError.invalid('already_exists', [{ path: 'name', message }]);
  }
}

/**
 * The next start would create an organization with the old name, and move the application there.
 * @throws ConnectorAuthError `managed_by_environment`.
 */
async function requireRenamable(transaction: Transaction<Tables>, id: string): Promise<void> {
  if (!(await isNamedByEnvironment(transaction, id))) return;
  const message =
    'BOOTSTRAP_ORGANIZATION refers to this name. Set display_name instead, or adopt the application first';
  throw ConnectorAuthError.invalid('managed_by_environment', [{ path: 'name', message }]);
}

async function requireLocked(transaction: Transaction<Tables>, id: string): Promise<Organization> {
  const organization = await lockOrganization(transaction, id);
  if (organization === null) throw organizationNotFound();
  if (organization.isBeingDeleted) {
    throw new ConnectorAuthError('organization_being_deleted', 'This organization is being deleted');
  }
  return organization;
}

function organizationNotFound(): ConnectorAuthError {
  return new ConnectorAuthError('organization_not_found', 'No organization has this id');
}

function logChange(log: Log, operator: OperatorFields, id: string, changes: readonly string[]): void {
  log.info('organization_changed', { ...operator, organization_id: id, changes });
}
