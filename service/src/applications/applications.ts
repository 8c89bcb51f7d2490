import type { Transaction } from 'kysely';
import { generateClientSecret, hashGeneratedSecret } from '../auth/client-secret.ts';
import { Secret } from '../crypto/secret.ts';
import type { Tables } from '../database/tables.ts';
import type { Log } from '../log/log.ts';
import {
  deleteSecrets,
  expireSecret,
  findApplication,
  insertApplication,
  insertSecret,
  lockApplication,
  saveAccess,
  setDisabled,
  setManager,
  type Application,
} from '../repositories/applications.ts';
import { ensureOrganization } from '../repositories/organizations.ts';
import type { Revocations } from '../revocations/revocations.ts';

export interface ApplicationsContext {
  readonly revocations: Revocations;
  readonly log: Log;
}

/** Creates an application with a generated secret, which is returned only here. */
export async function createApplication(
  { revocations, log }: ApplicationsContext,
  wanted: {
    readonly clientId: string;
    readonly organizations: readonly string[];
    readonly redirectUrls: readonly string[];
  },
): Promise<{ readonly id: string; readonly clientSecret: Secret }> {
  const clientSecret = generateClientSecret();
  const id = await revocations.run(async transaction => {
    const organizationIds: string[] = [];
    for (const name of new Set(wanted.organizations)) {
      organizationIds.push(await ensureOrganization(transaction, name));
    }
    const id = await insertApplication(transaction, wanted.clientId, 'operator');
    await insertSecret(transaction, id, hashGeneratedSecret(clientSecret));
    await saveAccess(transaction, id, { redirectUrls: wanted.redirectUrls, organizationIds });
    return id;
  });
  logChange(log, { id, clientId: wanted.clientId }, ['created']);
  return { id, clientSecret: new Secret(clientSecret) };
}

/**
 * Replaces an application's secret with a generated one, which is returned only here. The newest secret until now
 * works for `graceSeconds` more, any other is deleted. Without a grace period, revokes the application's tokens.
 * @throws Error if the application does not exist or if the `BOOTSTRAP_…` variables own it.
 */
export async function rotateSecret(
  { revocations, log }: ApplicationsContext,
  id: string,
  { graceSeconds }: { readonly graceSeconds: number },
): Promise<Secret> {
  const clientSecret = generateClientSecret();
  const application = await revocations.run(async (transaction, revoke) => {
    const application = await requireOwn(transaction, id);
    const newest = application.secrets.at(-1);
    if (newest !== undefined && graceSeconds > 0) {
      await deleteSecrets(transaction, id, [newest.id]);
      await expireSecret(transaction, id, { id: newest.id, seconds: graceSeconds });
    } else {
      await deleteSecrets(transaction, id);
      await revoke({ applicationId: id });
    }
    await insertSecret(transaction, id, hashGeneratedSecret(clientSecret));
    return application;
  });
  logChange(log, application, ['secret']);
  return new Secret(clientSecret);
}

/**
 * Disables an application and revokes its tokens.
 * @throws Error if the application does not exist or if the `BOOTSTRAP_…` variables own it.
 */
export async function disableApplication(
  { revocations, log }: ApplicationsContext,
  id: string,
): Promise<void> {
  const application = await revocations.run(async (transaction, revoke) => {
    const application = await requireOwn(transaction, id);
    await setDisabled(transaction, id, true);
    await revoke({ applicationId: id });
    return application;
  });
  logChange(log, application, ['disabled']);
}

/**
 * Takes over an application from the `BOOTSTRAP_…` variables, which the service then ignores.
 * @throws Error if the application does not exist.
 */
export async function adoptApplication({ revocations, log }: ApplicationsContext, id: string): Promise<void> {
  const application = await revocations.run(async transaction => {
    const application = await requireApplication(transaction, id);
    await setManager(transaction, id, 'operator');
    return application;
  });
  logChange(log, application, ['adopted']);
}

async function requireOwn(transaction: Transaction<Tables>, id: string): Promise<Application> {
  const application = await requireApplication(transaction, id);
  if (application.managedBy === 'operator') return application;
  throw new Error(
    'This application is managed by the BOOTSTRAP_ variables: change them, or adopt the application first',
  );
}

async function requireApplication(transaction: Transaction<Tables>, id: string): Promise<Application> {
  const exists = await lockApplication(transaction, id);
  const application = exists ? await findApplication(transaction, { id }) : null;
  if (application === null) throw new Error('No application has this id');
  return application;
}

function logChange(
  log: Log,
  { id, clientId }: Pick<Application, 'id' | 'clientId'>,
  changes: string[],
): void {
  log.info('application_changed', { by: 'operator', application_id: id, client_id: clientId, changes });
}
