import type { Transaction } from 'kysely';
import type { BootstrapConfiguration } from '../../platform/config/configuration.ts';
import type { Secret } from '../../platform/crypto/secret.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { hashClientSecret, type SecretVerifier } from '../../shared/auth/client-secret.ts';
import type { Needs } from '../../shared/core.ts';
import {
  deleteSecrets,
  findApplication,
  insertApplication,
  insertSecret,
  listBootstrapped,
  lockBootstrap,
  saveAssignments,
  setDisabled,
  type Application,
} from '../../shared/repositories/applications.ts';
import {
  ensureOrganization,
  findOrganization,
  saveOrganization,
} from '../../shared/repositories/organizations.ts';
import type { Revoke } from '../../shared/revocations/revocations.ts';

type BootstrapContext = Needs<'revocations' | 'secrets' | 'log'>;

/** What changed in an application. */
interface Change {
  readonly application_id: string;
  readonly client_id: string;
  readonly changes: readonly string[];
}

/**
 * Applies the `BOOTSTRAP_…` variables: creates the organizations if they do not exist, and makes exactly one of the
 * applications that the variables own work, with this secret, these organizations with their helper's URL, and these
 * redirect URLs. The others
 * are disabled, and without the variables all of them. Revokes the tokens of what no longer applies.
 *
 * Ignores the variables if an operator has taken over the application. Runs at every start and is safe to run in
 * several processes at once. Never deletes an organization.
 */
export async function bootstrap(
  { revocations, secrets, log }: BootstrapContext,
  wanted: BootstrapConfiguration | null,
): Promise<void> {
  const changes = await revocations.run(async (transaction, revoke): Promise<Change[] | 'ignored'> => {
    await lockBootstrap(transaction);
    const present = wanted && (await findApplication(transaction, { clientId: wanted.clientId }));
    if (present?.managedBy === 'operator') return 'ignored';
    const changed: Change[] = [];
    for (const { id, clientId } of await listBootstrapped(transaction)) {
      if (id === present?.id) continue;
      await setDisabled(transaction, id, true);
      await revoke({ applicationId: id });
      changed.push({ application_id: id, client_id: clientId, changes: ['disabled'] });
    }
    if (wanted !== null) {
      changed.push(await apply({ transaction, revoke, secrets }, present, wanted));
    }
    return changed.filter(change => change.changes.length > 0);
  });
  if (changes === 'ignored') {
    log.warn('bootstrap_ignored', {
      client_id: wanted?.clientId,
      reason: 'An operator manages this application: remove the BOOTSTRAP_ variables',
    });
    return;
  }
  for (const change of changes) log.info('application_changed', { by: 'environment', ...change });
}

async function apply(
  context: {
    readonly transaction: Transaction<Tables>;
    readonly revoke: Revoke;
    readonly secrets: SecretVerifier;
  },
  present: Application | null,
  wanted: BootstrapConfiguration,
): Promise<Change> {
  const { transaction, revoke, secrets } = context;
  const changes: string[] = [];
  const id = present?.id ?? (await insertApplication(transaction, wanted.clientId, 'environment'));
  if (present === null) changes.push('created');
  if (present?.isDisabled) {
    await setDisabled(transaction, id, false);
    changes.push('enabled');
  }
  if (!(await hasOnly(secrets, present, wanted.clientSecret))) {
    await deleteSecrets(transaction, id);
    await insertSecret(transaction, id, await hashClientSecret(wanted.clientSecret.reveal()));
    if (present !== null) {
      await revoke({ applicationId: id });
      changes.push('secret');
    }
  }
  const organizationIds: string[] = [];
  for (const name of new Set(wanted.organizations)) {
    const known = present?.organizations.find(organization => organization.name === name);
    const organizationId = known?.id ?? (await ensureOrganization(transaction, name));
    organizationIds.push(organizationId);
    if (await setHelperUrl(transaction, organizationId, wanted.helperUrl)) changes.push('helper_url');
  }
  const presentIds = present?.organizations.map(({ id }) => id) ?? [];
  const removed = presentIds.filter(old => !organizationIds.includes(old));
  for (const organizationId of removed) await revoke({ organizationId, applicationId: id });
  const changesIds = presentIds.join() !== organizationIds.join();
  const changesUrls = present?.redirectUrls.join() !== wanted.redirectUrls.join();
  if (changesIds || changesUrls)
    await saveAssignments(transaction, id, { redirectUrls: wanted.redirectUrls, organizationIds });
  if (present !== null) {
    if (changesIds) changes.push('organizations');
    if (changesUrls) changes.push('redirect_urls');
  }
  return { application_id: id, client_id: wanted.clientId, changes };
}

/** Returns whether the setting of the organization changed. */
async function setHelperUrl(
  transaction: Transaction<Tables>,
  organizationId: string,
  wanted: string | null | undefined,
): Promise<boolean> {
  if (wanted === null || wanted === undefined) return false;
  const { connect_helper_url: current } = await findOrganization(transaction, organizationId);
  if (wanted === current) return false;
  await saveOrganization(transaction, organizationId, { connect_helper_url: wanted });
  return true;
}

async function hasOnly(
  secrets: SecretVerifier,
  present: Application | null,
  clientSecret: Secret,
): Promise<boolean> {
  if (present?.secrets.length !== 1) return false;
  const hashes = present.secrets.map(({ hash }) => hash);
  return (await secrets.findMatch(clientSecret.reveal(), hashes)) !== null;
}
