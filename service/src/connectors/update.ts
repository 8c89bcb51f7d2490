import { ConnectorAuthError, type Connector } from '@connector-auth/api';
import { parseGrant, type Grant, type Kind } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import { requireManagement } from '../auth/caller.ts';
import { requireUsable } from '../credentials/usable.ts';
import type { Tables } from '../database/tables.ts';
import { notifySyncDue } from '../notifications/sync-due.ts';
import { reserveSecret, type SecretReservation } from '../oauth-sessions/redeem.ts';
import {
  findConnector,
  renameConnector,
  replaceGrant,
  type StoredConnector,
} from '../repositories/connectors.ts';
import { resetSync, restartSync } from '../repositories/sync-state.ts';
import { requireConnector, type AuditedCaller } from '../tenancy/connectors.ts';
import { toRecord } from './connector-response.ts';
import type { ConnectorsContext } from './context.ts';
import { logConnectorEvent } from './events.ts';
import { verifyCredentials } from './verify.ts';

export interface Change {
  readonly name?: string | undefined;
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  readonly server_side_oauth_secret_id?: string | undefined;
  readonly replace_account?: boolean | undefined;
}

/**
 * Renames a connector, re-authenticates it in place, or both. Verifies new credentials before storing them.
 * @throws ConnectorAuthError `management_not_allowed`; `connector_not_found`; `invalid_credentials`; `credentials_refused`;
 * `secret_id_invalid`; `different_account` if the credentials belong to another vendor account and
 * `replace_account` is not true; `connector_disabled` and `connector_frozen` unless it only renames.
 */
export async function updateConnector(
  context: ConnectorsContext,
  { caller, audit }: AuditedCaller,
  id: string,
  { change, signal }: { readonly change: Change; readonly signal: AbortSignal },
): Promise<Connector> {
  const { db, credentials, log } = context;
  if (change.name !== undefined) requireManagement(caller, 'rename');
  const reconnects = change.credentials !== undefined || change.server_side_oauth_secret_id !== undefined;
  if (reconnects) {
    audit({ action: 'connector.reconnected' });
    requireManagement(caller, 'reconnect');
  }
  const { stored, kind } = await requireConnector(
    context,
    { caller, audit },
    id,
    reconnects ? 'use' : 'view',
  );
  const replacesAccount = change.replace_account ?? false;
  if (change.credentials !== undefined) {
    const { settings } = credentials.open(stored);
    const grant = parseGrant(kind, change.credentials, settings);
    await reauthenticate(context, kind, stored, { grant, replacesAccount, signal });
  }
  if (change.server_side_oauth_secret_id !== undefined) {
    const secretId = change.server_side_oauth_secret_id;
    await reauthenticateBySecret(context, kind, stored, { secretId, replacesAccount, signal });
  }
  if (reconnects) logConnectorEvent(log, 'connector_reconnected', caller, stored);
  if (change.name !== undefined) await renameConnector(db, stored, change.name);
  const { stored: changed } = await requireConnector(context, { caller, audit }, id, 'view');
  return toRecord(db, kind, changed);
}

async function reauthenticateBySecret(
  context: ConnectorsContext,
  kind: Kind,
  stored: StoredConnector,
  given: { readonly secretId: string; readonly replacesAccount: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { organizationId, customerId, id } = stored;
  const presentation = { organizationId, customerId, kind, secretId: given.secretId, targetId: id };
  const secret = await reserveSecret(context.secrets, presentation);
  if (secret.status === 'redeemed') return;
  try {
    const { settings } = context.credentials.open(stored);
    const grant = { ...secret.grant, settings };
    await reauthenticate(context, kind, stored, { ...given, grant, secret });
  } finally {
    await secret.release();
  }
}

async function reauthenticate(
  context: ConnectorsContext,
  kind: Kind,
  first: StoredConnector,
  given: {
    readonly grant: Grant;
    readonly replacesAccount: boolean;
    readonly signal: AbortSignal;
    /** The reserved secret that the grant was created from, if any. */
    readonly secret?: SecretReservation;
  },
): Promise<void> {
  const { db, credentials, notifications } = context;
  const { grant, account } = await verifyCredentials(
    context,
    first,
    { kind, grant: given.grant },
    { knownAs: first.account, signal: given.signal, saveRenewed: given.secret?.replaceGrant },
  );
  // If the stored grant was refreshed or replaced during verification, read the connector and compare the
  // accounts again.
  for (let stored = first; ; stored = await reread(db, stored)) {
    // Some vendors do not report the account, so the credentials could belong to a different account.
    const isUnknown = account === null || stored.account === null;
    const isOther = !isUnknown && account !== stored.account;
    if (isOther && !given.replacesAccount) {
      throw new ConnectorAuthError(
        'different_account',
        `These credentials belong to another ${kind.name} account. To switch to it, send replace_account: true`,
      );
    }
    const sealedGrant = credentials.seal(stored, stored.grantVersion + 1, grant);
    const columns = { authMethod: grant.method, sealedGrant, account: account ?? stored.account };
    const isReplaced = await db.transaction().execute(async transaction => {
      if (!(await replaceGrant(transaction, stored, stored.grantVersion, columns))) return false;
      // The connector may have been disabled while the credentials were being verified.
      requireUsable(await reread(transaction, stored));
      await given.secret?.commit(transaction, stored);
      if (isOther || (isUnknown && given.replacesAccount)) await resetSync(transaction, stored);
      else if (isUnknown) await restartSync(transaction, stored);
      return true;
    });
    if (isReplaced) return notifySyncDue(notifications);
  }
}

async function reread(
  db: Kysely<Tables>,
  { organizationId, customerId, id }: StoredConnector,
): Promise<StoredConnector> {
  const stored = await findConnector(db, { organizationId, customerId }, id);
  if (stored !== null) return stored;
  throw new ConnectorAuthError('connector_not_found', 'The connector was deleted during this request');
}
