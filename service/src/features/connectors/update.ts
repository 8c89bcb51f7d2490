import { isDeepStrictEqual } from 'node:util';
import { ConnectorAuthError, type AccessLevel, type Connector } from '@connector-auth/api';
import { parseGrant, parseSettings, type Grant, type Kind } from '@connector-auth/connectors/kind';
import { notifyRevocationsDue } from '../../platform/notifications/revocations-due.ts';
import { notifySyncDue } from '../../platform/notifications/sync-due.ts';
import { accessOf, linkOf, requireManagement, type Caller } from '../../shared/auth/caller.ts';
import { requireUsable } from '../../shared/credentials/usable.ts';
import { grantMethods } from '../../shared/definitions/grant-methods.ts';
import type { Call } from '../../shared/http/handler.ts';
import {
  requireOwnAccess,
  reserveSecret,
  type SecretReservation,
} from '../../shared/oauth-sessions/redeem.ts';
import { renameConnector, replaceGrant, type StoredConnector } from '../../shared/repositories/connectors.ts';
import { queueUnusedGrants } from '../../shared/repositories/grant-revocations.ts';
import { resetSync, restartSync } from '../../shared/repositories/sync-state.ts';
import { requireConnector, type AuditedCaller } from '../../shared/tenancy/connectors.ts';
import { notifyLinkUsed, requireLiveLink, spendLinkOf } from '../../shared/tenancy/links.ts';
import { toRecord, visibleTo } from './connector-response.ts';
import type { ConnectorsContext } from './context.ts';
import { logConnectorEvent } from './events.ts';
import { reread } from './reread.ts';
import { changeSettings, changesSync, mergeIntoStored, requireOwnSettings } from './settings.ts';
import { verifyCredentials } from './verify.ts';

export interface Change {
  readonly name?: string | undefined;
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  readonly server_side_oauth_secret_id?: string | undefined;
  readonly replace_account?: boolean | undefined;
  readonly replication_config?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Renames a connector, changes its settings, re-authenticates it in place, or several of these. Verifies new
 * credentials and settings with the vendor before storing them.
 * @throws ConnectorAuthError `management_not_allowed`; `connector_not_found`; `invalid_credentials`; `credentials_refused`;
 * `secret_id_invalid`; `vendor_permission_missing`; `different_account` if the credentials belong to another vendor account and
 * `replace_account` is not true, or do not say theirs and the caller has a connect link; `connector_disabled` and
 * `connector_frozen` unless it only renames.
 */
export async function updateConnector(
  context: ConnectorsContext,
  { caller, audit }: AuditedCaller,
  id: string,
  {
    change,
    language,
    signal,
    reportLimit,
  }: Pick<Call<'updateConnector'>, 'language' | 'signal' | 'reportLimit'> & { readonly change: Change },
): Promise<Connector> {
  const { db, credentials, log } = context;
  if (change.name !== undefined) requireManagement(caller, 'rename');
  const reconnects = change.credentials !== undefined || change.server_side_oauth_secret_id !== undefined;
  if (reconnects) {
    audit({ action: 'connector.reconnected', targetId: linkOf(caller)?.id ?? id });
    requireManagement(caller, 'reconnect');
    requireSameAccount(caller, change);
  }
  if (change.replication_config !== undefined) requireManagement(caller, 'settings');
  const use = reconnects || change.replication_config !== undefined ? 'use' : 'view';
  const { stored, kind } = await requireConnector(context, { caller, audit }, id, use);
  const { replication_config: changes } = change;
  requireOwnSettings(caller, kind, changes);
  const merged = (row: StoredConnector) => mergeIntoStored(kind, credentials.open(row).settings, changes);
  const settingsOf = (row: StoredConnector) => parseSettings(kind, merged(row));
  const options = {
    caller,
    settingsOf,
    replacesAccount: change.replace_account ?? false,
    access: caller.kind === 'application' ? undefined : accessOf(caller),
    signal,
    reportLimit,
  };
  if (change.credentials !== undefined) {
    const grant = parseGrant(kind, change.credentials, merged(stored));
    await reauthenticate(context, kind, stored, { ...options, grant });
  } else if (change.server_side_oauth_secret_id !== undefined) {
    const secretId = change.server_side_oauth_secret_id;
    await reauthenticateBySecret(context, kind, stored, { ...options, secretId });
  } else if (changes !== undefined) {
    await changeSettings(context, kind, stored, { settingsOf, signal });
  }
  if (reconnects) logConnectorEvent(log, 'connector_reconnected', caller, stored);
  if (change.name !== undefined) await renameConnector(db, stored, change.name);
  const { stored: updated } = await requireConnector(context, { caller, audit }, id, 'view');
  return visibleTo(caller, await toRecord(context, kind, updated, language));
}

/** Another account deletes what was synced, which the sender of a connect link did not ask for. */
function requireSameAccount(caller: Caller, { replace_account }: Change): void {
  if (linkOf(caller) === null || replace_account !== true) return;
  throw new ConnectorAuthError(
    'management_not_allowed',
    'A connect link only reconnects the same account: omit replace_account, and use that account at the vendor',
  );
}

interface Reauthentication extends Pick<Call<'updateConnector'>, 'signal' | 'reportLimit'> {
  readonly caller: Caller;
  /** Returns the new settings of a row. The stored ones can change during verification. */
  readonly settingsOf: (stored: StoredConnector) => Grant['settings'];
  readonly replacesAccount: boolean;
  /** The new access, or undefined to keep it. */
  readonly access: AccessLevel | undefined;
}

async function reauthenticateBySecret(
  context: ConnectorsContext,
  kind: Kind,
  stored: StoredConnector,
  given: Reauthentication & { readonly secretId: string },
): Promise<void> {
  const settings = given.settingsOf(stored);
  const { organizationId, customerId, id } = stored;
  const presentation = {
    organizationId,
    customerId,
    kind,
    secretId: given.secretId,
    targetId: id,
    linkId: linkOf(given.caller)?.id ?? null,
  };
  const secret = await reserveSecret(context.secrets, presentation);
  if (secret.status === 'redeemed') return requireOwnAccess(stored, given.access);
  try {
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
  given: Reauthentication & {
    readonly grant: Grant;
    /** The reserved secret that the grant was created from, if any. */
    readonly secret?: SecretReservation;
  },
): Promise<void> {
  const { db, kinds, credentials, notifications } = context;
  const { caller, signal, reportLimit } = given;
  await requireLiveLink(db, caller);
  const verify = ({ customerName, account: knownAs }: StoredConnector, grant: Grant) =>
    verifyCredentials(
      context,
      { caller, customerName },
      { kind, grant },
      { knownAs, signal, reportLimit, saveRenewed: given.secret?.replaceGrant },
    );
  let verified = await verify(first, given.grant);
  // If the stored grant or settings were replaced during verification, read the connector, compare the accounts and merge
  // the settings again. Other settings can be of accounts that the credentials cannot access.
  for (let stored = first; ; stored = await reread(db, stored)) {
    const settings = given.settingsOf(stored);
    if (!isDeepStrictEqual(settings, verified.grant.settings))
      verified = await verify(stored, { ...verified.grant, settings });
    const { grant, account } = verified;
    // Some vendors do not report the account, so the credentials could belong to a different account.
    const { account: current } = stored;
    const isUnknown = account === null || current === null;
    const isOther = account !== null && current !== null && account !== current;
    if (linkOf(caller) !== null && current !== null && account !== current) {
      throw new ConnectorAuthError(
        'different_account',
        `A connect link only reconnects the same account: use credentials that show that they belong to the connector's ${kind.name} account`,
      );
    }
    if (isOther && !given.replacesAccount) {
      throw new ConnectorAuthError(
        'different_account',
        `These credentials belong to another ${kind.name} account. To switch to it, send replace_account: true`,
        { accounts: { current, given: account } },
      );
    }
    const sealedGrant = credentials.seal(stored, stored.grantVersion + 1, grant);
    const columns = {
      authMethod: grant.method,
      sealedGrant,
      account: account ?? stored.account,
      settings: kind.settings && settings,
      access: given.access,
      // A link must not give its page more than the connector has.
      keepsLowerAccess: linkOf(caller) !== null,
    };
    const isReplaced = await db.transaction().execute(async transaction => {
      if (!(await replaceGrant(transaction, stored, stored.grantVersion, columns))) return false;
      // The connector may have been disabled while the credentials were being verified.
      requireUsable(await reread(transaction, stored));
      await queueUnusedGrants(transaction, grantMethods(kinds), [stored]);
      await given.secret?.commit(transaction, stored);
      await spendLinkOf(transaction, caller, stored.id);
      if (isOther || (isUnknown && given.replacesAccount)) await resetSync(transaction, stored);
      else if (isUnknown || changesSync(kind, credentials.open(stored).settings, columns.settings))
        await restartSync(transaction, stored);
      return true;
    });
    if (!isReplaced) continue;
    await notifySyncDue(notifications);
    await notifyRevocationsDue(notifications);
    return notifyLinkUsed(notifications, caller);
  }
}
