import type { Kysely } from 'kysely';
import { createSecretVerifier, hashClientSecret } from '../auth/client-secret.ts';
import type { Tables } from '../database/tables.ts';
import type { Log } from '../log/log.ts';
import { findApplication, saveApplication } from '../repositories/applications.ts';
import { ensureOrganization } from '../repositories/organizations.ts';

/** The organizations and the application that the operator configured. */
export interface Bootstrap {
  readonly organizations: readonly [string, ...string[]];
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUrls: readonly string[];
}

/**
 * Creates the configured organizations and application if they do not exist, and updates the application's
 * secret, redirect URLs and organizations. Runs at every start and is safe to run in several processes at
 * once. Never deletes an organization.
 */
export async function bootstrap(db: Kysely<Tables>, wanted: Bootstrap, log: Log): Promise<void> {
  const present = await findApplication(db, wanted.clientId);
  const secretHash =
    present !== null && (await createSecretVerifier().matches(wanted.clientSecret, present.secretHash))
      ? present.secretHash
      : await hashClientSecret(wanted.clientSecret);
  await db.transaction().execute(async transaction => {
    const organizationIds: string[] = [];
    for (const name of new Set(wanted.organizations)) {
      organizationIds.push(await ensureOrganization(transaction, name));
    }
    await saveApplication(transaction, { ...wanted, secretHash, organizationIds });
  });
  log.info('application_bootstrapped', { client_id: wanted.clientId, is_new: present === null });
}
