import { ConnectorAuthError } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import {
  deleteSetUpCodes,
  insertSetUpCode,
  isLiveSetUpCode,
  isNew,
  lockSetUp,
} from '../../shared/repositories/setup-codes.ts';
import { createAdminKey, type NewAdminKey } from './keys.ts';
import { generateSetUpCode, hashSetUpCode, setUpCodeForm } from './secrets.ts';

export const setUpCodeLifetimeMinutes = 15;

/** Returns whether the service waits for its first admin key. */
export async function isSetUpOpen(db: Kysely<Tables>, hasAdminToken: boolean): Promise<boolean> {
  return !hasAdminToken && (await isNew(db));
}

/**
 * Issues a set-up code that every process of the installation accepts once. Returns null if the service is set up
 * already.
 */
export async function issueSetUpCode(db: Kysely<Tables>, hasAdminToken: boolean): Promise<string | null> {
  return db.transaction().execute(async transaction => {
    await lockSetUp(transaction);
    await deleteSetUpCodes(transaction, 'expired');
    if (!(await isSetUpOpen(transaction, hasAdminToken))) return null;
    const code = generateSetUpCode();
    await insertSetUpCode(transaction, {
      hash: hashSetUpCode(code),
      lifetimeSeconds: setUpCodeLifetimeMinutes * 60,
    });
    return code;
  });
}

/**
 * Exchanges a set-up code for the first admin key, once for all codes.
 * @throws ConnectorAuthError `set_up_complete` or `setup_code_invalid`.
 */
export async function exchangeSetUpCode(
  db: Kysely<Tables>,
  {
    code,
    name,
    hasAdminToken,
  }: { readonly code: string; readonly name: string; readonly hasAdminToken: boolean },
): Promise<NewAdminKey> {
  return db.transaction().execute(async transaction => {
    await lockSetUp(transaction);
    if (!(await isSetUpOpen(transaction, hasAdminToken))) throw alreadySetUp(hasAdminToken);
    if (!(await isLiveSetUpCode(transaction, hashSetUpCode(code)))) throw invalidCode();
    await deleteSetUpCodes(transaction, 'all');
    return createAdminKey(transaction, { name, access: 'write', expiresAt: undefined });
  });
}

function alreadySetUp(hasAdminToken: boolean): ConnectorAuthError {
  return new ConnectorAuthError(
    'set_up_complete',
    hasAdminToken
      ? 'ADMIN_TOKEN is set: sign in with it'
      : 'The service has an application or an admin key already: sign in with an admin key, or set ADMIN_TOKEN',
  );
}

function invalidCode(): ConnectorAuthError {
  return new ConnectorAuthError(
    'setup_code_invalid',
    `This is not a set-up code of the last ${setUpCodeLifetimeMinutes} minutes. It has ${setUpCodeForm}, and the service prints it in its terminal when it starts. Check it, or restart the service for a new one`,
  );
}
