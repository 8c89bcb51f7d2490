import { randomBytes } from 'node:crypto';
import { ConnectorAuthError, type Issue } from '@connector-auth/api';
import {
  maxLiveSecrets,
  type AdminApplication,
  type CreateApplicationRequest,
  type CreatedApplication,
  type CreatedSecret,
  type EditApplicationRequest,
  type Reference,
} from '@connector-auth/api/admin';
import type { Kysely, Transaction } from 'kysely';
import { isRedirectUrl, redirectUrlRule } from '../../platform/config/redirect-url.ts';
import { isInFuture } from '../../platform/database/clock.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Log } from '../../platform/log/log.ts';
import { generateClientSecret, hashGeneratedSecret } from '../../shared/auth/client-secret.ts';
import type { Needs } from '../../shared/core.ts';
import { changedFields } from '../../shared/http/edited-fields.ts';
import type { OperatorFields } from '../../shared/http/operator-fields.ts';
import {
  deleteSecrets,
  findApplication,
  insertApplication,
  insertSecret,
  isNameTaken,
  lockApplication,
  saveAssignments,
  saveEdit,
  setDisabled,
  setManager,
  type Application,
  type ApplicationSecret,
} from '../../shared/repositories/applications.ts';
import { findOrganizationNames } from '../../shared/repositories/organizations.ts';
import type { Revoke } from '../../shared/revocations/revocations.ts';

export type ApplicationsContext = Needs<'db' | 'revocations' | 'log'>;

/**
 * Creates an application with a generated client id and its first secret, which is returned only here.
 * @throws ConnectorAuthError `already_exists`; `invalid_params`.
 */
export async function createApplication(
  context: ApplicationsContext,
  operator: OperatorFields,
  request: CreateApplicationRequest,
): Promise<CreatedApplication> {
  const { name, redirect_urls: redirectUrls = [] } = request;
  requireRedirectUrls(redirectUrls);
  const clientSecret = generateClientSecret();
  const application = await context.db.transaction().execute(async transaction => {
    const organizations = await requireOrganizations(transaction, request.organization_ids);
    if (await isNameTaken(transaction, name)) throw nameTaken(name, 'Choose another name');
    const id = await insertApplication(transaction, generateClientId(), 'operator', name);
    await insertSecret(transaction, id, hashGeneratedSecret(clientSecret));
    await saveAssignments(transaction, id, { redirectUrls, organizationIds: idsOf(organizations) });
    return requireApplication(transaction, id);
  });
  logChange(context.log, operator, application, ['created']);
  return { ...toAdminApplication(application), client_secret: clientSecret };
}

/**
 * Changes an application's name, organizations or redirect URLs. Ends its tokens for the organizations that it
 * loses.
 * @throws ConnectorAuthError `application_not_found`; `managed_by_environment`; `edit_conflict`; `already_exists`;
 * `invalid_params`.
 */
export async function editApplication(
  context: ApplicationsContext,
  operator: OperatorFields,
  id: string,
  request: EditApplicationRequest,
): Promise<AdminApplication> {
  const { name, redirect_urls: redirectUrls } = request;
  if (redirectUrls !== undefined) requireRedirectUrls(redirectUrls);
  const { application } = await changeApplication(
    context,
    operator,
    id,
    async (transaction, revoke, current) => {
      const organizations =
        request.organization_ids && (await requireOrganizations(transaction, request.organization_ids));
      const changes = changedFields({ seen: request.version, current: current.version }, [
        { path: 'name', current: current.name, wanted: name },
        {
          path: 'organization_ids',
          current: current.organizations.map(each => each.name),
          wanted: organizations?.map(each => each.name),
        },
        { path: 'redirect_urls', current: current.redirectUrls, wanted: redirectUrls },
      ]);
      if (changes.length === 0) return { changes };
      if (name !== undefined && changes.includes('name') && (await isNameTaken(transaction, name, id))) {
        throw nameTaken(name, 'Choose another name');
      }
      const organizationIds = idsOf(organizations ?? current.organizations);
      const lost = idsOf(current.organizations).filter(old => !organizationIds.includes(old));
      for (const organizationId of lost) await revoke({ organizationId, applicationId: id });
      await saveEdit(transaction, id, name);
      await saveAssignments(transaction, id, {
        redirectUrls: redirectUrls ?? current.redirectUrls,
        organizationIds,
      });
      return { changes };
    },
  );
  return toAdminApplication(application);
}

/**
 * Disables an application and ends its tokens.
 * @throws ConnectorAuthError `application_not_found`; `managed_by_environment`.
 */
export async function disableApplication(
  context: ApplicationsContext,
  operator: OperatorFields,
  id: string,
): Promise<AdminApplication> {
  const { application } = await changeApplication(context, operator, id, async (transaction, revoke) => {
    await setDisabled(transaction, id, true);
    await revoke({ applicationId: id });
    return { changes: ['disabled'] };
  });
  return toAdminApplication(application);
}

/**
 * @throws ConnectorAuthError `application_not_found`; `managed_by_environment`; `already_exists` if an application that
 * was created in the meantime has its name.
 */
export async function enableApplication(
  context: ApplicationsContext,
  operator: OperatorFields,
  id: string,
): Promise<AdminApplication> {
  const { application } = await changeApplication(context, operator, id, async (transaction, _, current) => {
    if (current.isDisabled && (await isNameTaken(transaction, current.name, id))) {
      throw nameTaken(current.name, 'Rename one of them first');
    }
    await setDisabled(transaction, id, false);
    return { changes: ['enabled'] };
  });
  return toAdminApplication(application);
}

/**
 * Takes over an application from the `BOOTSTRAP_…` variables, which the service then ignores.
 * @throws ConnectorAuthError `application_not_found`.
 */
export async function adoptApplication(
  { db, log }: Pick<ApplicationsContext, 'db' | 'log'>,
  operator: OperatorFields,
  id: string,
): Promise<AdminApplication> {
  const application = await db.transaction().execute(async transaction => {
    await requireLocked(transaction, id);
    await setManager(transaction, id, 'operator');
    return requireApplication(transaction, id);
  });
  logChange(log, operator, application, ['adopted']);
  return toAdminApplication(application);
}

/**
 * Adds a generated secret, which is returned only here. The other secret continues to work.
 * @throws ConnectorAuthError `application_not_found`; `managed_by_environment`; `too_many_secrets`;
 * `invalid_params` if the secret would expire in the past.
 */
export async function createSecret(
  context: ApplicationsContext,
  operator: OperatorFields,
  id: string,
  expiresAt: Date | null,
): Promise<CreatedSecret> {
  const clientSecret = generateClientSecret();
  const { application, secret } = await changeApplication(
    context,
    operator,
    id,
    async (transaction, _, current) => {
      if (expiresAt !== null && !(await isInFuture(transaction, expiresAt))) {
        throw invalid([{ path: 'expires_at', message: 'Must be in the future' }]);
      }
      requireRoom(current.secrets);
      const secret = await insertSecret(transaction, id, hashGeneratedSecret(clientSecret), expiresAt);
      return { secret, changes: ['secret_created'] };
    },
  );
  return { ...toSecret(secret), client_id: application.clientId, client_secret: clientSecret };
}

/**
 * Deletes a secret.
 * @param options.force deletes it even if no other secret could replace it.
 * @param options.revokeTokens also ends the tokens that the application has now.
 * @throws ConnectorAuthError `application_not_found`; `client_secret_not_found`; `managed_by_environment`;
 * `last_client_secret`.
 */
export async function deleteSecret(
  context: ApplicationsContext,
  operator: OperatorFields,
  { applicationId, secretId }: { readonly applicationId: string; readonly secretId: string },
  options: { readonly force: boolean; readonly revokeTokens: boolean },
): Promise<void> {
  await changeApplication(context, operator, applicationId, async (transaction, revoke, { secrets }) => {
    const secret = secrets.find(({ id }) => id === secretId.toLowerCase());
    if (secret === undefined) {
      throw new ConnectorAuthError(
        'client_secret_not_found',
        'The application has no client secret with this id',
      );
    }
    if (!options.force) requireReplacement(secret, secrets);
    await deleteSecrets(transaction, applicationId, secret.id);
    if (options.revokeTokens) await revoke({ applicationId });
    return { changes: options.revokeTokens ? ['secret_deleted', 'tokens_revoked'] : ['secret_deleted'] };
  });
}

export function toAdminApplication(application: Application): AdminApplication {
  const { id, version, name, clientId, isDisabled, managedBy, organizations, redirectUrls } = application;
  return {
    id,
    version,
    name,
    client_id: clientId,
    status: isDisabled ? 'disabled' : 'active',
    managed_by: managedBy,
    organizations: organizations.map(organization => ({ id: organization.id, name: organization.name })),
    redirect_urls: [...redirectUrls],
    secrets: application.secrets.map(toSecret),
    created_at: application.createdAt.toISOString(),
  };
}

/** @throws ConnectorAuthError `application_not_found`. */
export async function requireApplication(db: Kysely<Tables>, id: string): Promise<Application> {
  const application = await findApplication(db, { id });
  if (application !== null) return application;
  throw new ConnectorAuthError('application_not_found', 'No application has this id');
}

/** What changed in an application, for the log. */
interface Change {
  readonly changes: readonly string[];
}

/** Changes an application that an operator manages, one change at a time. Returns the changed application. */
async function changeApplication<Result extends Change>(
  { revocations, log }: ApplicationsContext,
  operator: OperatorFields,
  id: string,
  change: (transaction: Transaction<Tables>, revoke: Revoke, current: Application) => Promise<Result>,
): Promise<Result & { readonly application: Application }> {
  const changed = await revocations.run(async (transaction, revoke) => {
    const current = await requireLocked(transaction, id);
    if (current.managedBy === 'environment') {
      throw new ConnectorAuthError(
        'managed_by_environment',
        'The BOOTSTRAP_ variables own this application: change them and restart the service, or adopt the application first',
      );
    }
    const result = await change(transaction, revoke, current);
    return { ...result, application: await requireApplication(transaction, id) };
  });
  if (changed.changes.length > 0) logChange(log, operator, changed.application, changed.changes);
  return changed;
}

async function requireLocked(transaction: Transaction<Tables>, id: string): Promise<Application> {
  await lockApplication(transaction, id);
  return requireApplication(transaction, id);
}

/** The prefix shows what the id is for. */
function generateClientId(): string {
  return `ca_app_${randomBytes(12).toString('base64url')}`;
}

function requireRedirectUrls(urls: readonly string[]): void {
  const issues = urls.flatMap((url, index) =>
    isRedirectUrl(url)
      ? []
      : [{ path: `redirect_urls.${index}`, message: `Must be one of the ${redirectUrlRule}` }],
  );
  if (issues.length > 0) throw invalid(issues);
}

/** Returns each organization once, in the order of the ids. */
async function requireOrganizations(db: Kysely<Tables>, ids: readonly string[]): Promise<Reference[]> {
  const wanted = [...new Set(ids.map(id => id.toLowerCase()))];
  const names = await findOrganizationNames(db, wanted);
  const issues = ids.flatMap((id, index) =>
    names.has(id.toLowerCase())
      ? []
      : [{ path: `organization_ids.${index}`, message: 'No organization has this id' }],
  );
  if (issues.length > 0) throw invalid(issues);
  return wanted.map(id => ({ id, name: names.get(id) ?? '' }));
}

function idsOf(organizations: readonly Pick<Reference, 'id'>[]): string[] {
  return organizations.map(({ id }) => id);
}

function requireRoom(secrets: readonly ApplicationSecret[]): void {
  if (secrets.length < maxLiveSecrets) return;
  const [unused] = secrets.toSorted((one, other) => lastUseOf(one) - lastUseOf(other));
  const use = unused?.lastUsedAt ? `was last used at ${unused.lastUsedAt.toISOString()}` : 'was never used';
  throw new ConnectorAuthError(
    'too_many_secrets',
    `An application can have ${maxLiveSecrets} client secrets. Delete one first: ${unused?.id} ${use}`,
  );
}

function lastUseOf({ lastUsedAt }: ApplicationSecret): number {
  return lastUsedAt?.getTime() ?? 0;
}

function requireReplacement(secret: ApplicationSecret, secrets: readonly ApplicationSecret[]): void {
  const others = secrets.filter(({ id }) => id !== secret.id);
  const isInUse = secret.lastUsedAt !== null;
  if (others.some(({ lastUsedAt }) => lastUsedAt !== null || !isInUse)) return;
  throw new ConnectorAuthError(
    'last_client_secret',
    others.length === 0
      ? 'The application has no other client secret. Add one and deploy it first, or set force to end the application'
      : 'The other client secret was never used, so the application still depends on this one. Deploy the other one first, or set force',
  );
}

function toSecret({
  id,
  createdAt,
  expiresAt,
  lastUsedAt,
}: Omit<ApplicationSecret, 'hash'>): AdminApplication['secrets'][number] {
  return {
    id,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}

function nameTaken(name: string, advice: string): ConnectorAuthError {
  const message = `Another active application has the name “${name}”. ${advice}`;
  return ConnectorAuthError.invalid('already_exists', [{ path: 'name', message }]);
}

function invalid(issues: readonly Issue[]): ConnectorAuthError {
  return ConnectorAuthError.invalid('invalid_params', issues);
}

function logChange(
  log: Log,
  operator: OperatorFields,
  { id, clientId }: Pick<Application, 'id' | 'clientId'>,
  changes: readonly string[],
): void {
  log.info('application_changed', { ...operator, application_id: id, client_id: clientId, changes });
}
