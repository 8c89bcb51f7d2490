import { isDeepStrictEqual } from 'node:util';
import { ConnectorAuthError, type Connector } from '@connector-auth/api';
import { parseGrant, parseSettings, type Grant, type Kind } from '@connector-auth/connectors/kind';
import { topics } from '../../platform/notifications/topics.ts';
import type { Caller } from '../../shared/auth/caller.ts';
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
import { requireConnector } from '../../shared/tenancy/connectors.ts';
import { notifyLinkUsed, requireLiveLink, spendOwnLink } from '../../shared/tenancy/links.ts';
import { toRecord, visibleTo } from './connector-response.ts';
import type { ConnectorsContext } from './context.ts';
import { logConnectorEvent } from './events.ts';
import { reread } from './reread.ts';
import { changeSettings, changesSync, mergeIntoStored } from './settings.ts';
import { verifyCredentials } from './verify.ts';

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
  { caller, params, body: change, language, signal, reportLimit, audit }: Call<'updateConnector'>,
): Promise<Connector> {
  const { db, credentials, log } = context;
  const { tenant, link, access, rights } = caller;
  const needs = needsOfMembers.filter(({ member }) => change[member] !== undefined);
  const reconnects = needs.some(({ right }) => right === 'reconnect');
  if (reconnects) audit({ action: 'connector.reconnected', targetId: link?.id ?? params.id });
  for (const { right } of needs) rights.requireManagement(right);
  const replaces = change.replace_account === true;
  if (reconnects && replaces && link !== null) {
    throw new ConnectorAuthError(
      'management_not_allowed',
      'A connect link only reconnects the same account: omit replace_account, and use that account at the vendor',
    );
  }
  const intent = needs.some(need => need.intent === 'use') ? 'use' : 'view';
  const { stored, kind } = await requireConnector(context, { caller, audit }, params.id, intent);
  rights.requireSettings(kind, change.replication_config);
  const merged = (row: StoredConnector) =>
    mergeIntoStored(kind, credentials.open(row).settings, change.replication_config);
  const settingsOf = (row: StoredConnector) => parseSettings(kind, merged(row));
  const sender = link !== null ? 'link' : replaces ? 'replacing' : 'other';
  const terms: Terms = { kind, tenant, link, access, sender, settingsOf, signal, reportLimit };
  if (change.credentials !== undefined) {
    const grant = parseGrant(kind, change.credentials, merged(stored));
    await reauthenticate(context, stored, terms, { grant });
  } else if (change.server_side_oauth_secret_id !== undefined) {
    await reauthenticateBySecret(context, stored, terms, change.server_side_oauth_secret_id);
  } else if (change.replication_config !== undefined) {
    await changeSettings(context, kind, stored, { settingsOf, signal });
  }
  if (reconnects) logConnectorEvent(log, 'connector_reconnected', caller, stored);
  if (change.name !== undefined) await renameConnector(db, stored, change.name);
  return visibleTo(caller, await toRecord(context, kind, await reread(db, stored), language));
}

/** What each member of a change needs. Connectors that cannot be used can be renamed. */
const needsOfMembers = [
  { member: 'name', right: 'rename', intent: 'view' },
  { member: 'credentials', right: 'reconnect', intent: 'use' },
  { member: 'server_side_oauth_secret_id', right: 'reconnect', intent: 'use' },
  { member: 'replication_config', right: 'settings', intent: 'use' },
] as const;

/**
 * What new credentials do to the synced records, by their account and by who sends them: the page of a connect link, another
 * caller, or another caller with `replace_account`. A link replaces no account, because that deletes what was synced.
 */
const decisions = {
  same: { link: 'keep', other: 'keep', replacing: 'keep' },
  different: { link: 'reject', other: 'reject', replacing: 'delete' },
  /** The vendor does not report the account of the new credentials. */
  unreported: { link: 'reject', other: 'sync_again', replacing: 'delete' },
  /** The vendor did not report the account of the connector. */
  unknown: { link: 'sync_again', other: 'sync_again', replacing: 'delete' },
} as const;

function compareAccounts(current: string | null, given: string | null): keyof typeof decisions {
  if (current === null) return 'unknown';
  if (given === null) return 'unreported';
  return given === current ? 'same' : 'different';
}

/** What a reauthentication depends on besides the connector and its new grant. */
interface Terms
  extends
    Pick<Caller, 'tenant' | 'link' | 'access'>,
    Pick<Call<'updateConnector'>, 'signal' | 'reportLimit'> {
  readonly kind: Kind;
  readonly sender: keyof (typeof decisions)['same'];
  /** Returns the new settings of a row. The stored ones can change during verification. */
  readonly settingsOf: (stored: StoredConnector) => Grant['settings'];
}

async function reauthenticateBySecret(
  context: ConnectorsContext,
  stored: StoredConnector,
  terms: Terms,
  secretId: string,
): Promise<void> {
  const { kind, tenant, access } = terms;
  const settings = terms.settingsOf(stored);
  const { customerId, id: targetId } = stored;
  const secret = await reserveSecret(context.secrets, { ...tenant, customerId, kind, secretId, targetId });
  if (secret.status === 'redeemed') return requireOwnAccess(stored, access);
  try {
    await reauthenticate(context, stored, terms, { grant: { ...secret.grant, settings }, secret });
  } finally {
    await secret.release();
  }
}

async function reauthenticate(
  context: ConnectorsContext,
  first: StoredConnector,
  terms: Terms,
  /** The new grant, and the reserved secret that it was created from, if any. */
  from: { readonly grant: Grant; readonly secret?: SecretReservation },
): Promise<void> {
  const { db, kinds, credentials, notifications } = context;
  const { kind, link, access, sender, settingsOf, signal, reportLimit } = terms;
  await requireLiveLink(db, link);
  const saveRenewed = from.secret?.replaceGrant;
  const verify = (stored: StoredConnector, grant: Grant) =>
    verifyCredentials(
      context,
      { ...stored, link },
      { kind, grant },
      { knownAs: stored.account, signal, reportLimit, saveRenewed },
    );
  let verified = await verify(first, from.grant);
  // If the stored grant or settings were replaced during verification, read the connector, compare the accounts and merge
  // the settings again. Other settings can be of accounts that the credentials cannot access.
  for (let stored = first; ; stored = await reread(db, stored)) {
    const settings = settingsOf(stored);
    if (!isDeepStrictEqual(settings, verified.grant.settings))
      verified = await verify(stored, { ...verified.grant, settings });
    const { grant, account } = verified;
    const decision = decisions[compareAccounts(stored.account, account)][sender];
    if (decision === 'reject') throw differentAccountError(kind, sender, stored.account, account);
    const columns = {
      authMethod: grant.method,
      sealedGrant: credentials.seal(stored, stored.grantVersion + 1, grant),
      account: account ?? stored.account,
      settings: kind.settings && settings,
      access: access ?? undefined,
      // A link must not give its page more than the connector has.
      keepsLowerAccess: link !== null,
      isReconnected: true,
    };
    const isReplaced = await db.transaction().execute(async transaction => {
      if (!(await replaceGrant(transaction, stored, stored.grantVersion, columns))) return false;
      // The connector may have been disabled while the credentials were being verified.
      requireUsable(await reread(transaction, stored));
      await queueUnusedGrants(transaction, grantMethods(kinds), [stored]);
      await from.secret?.commit(transaction, stored);
      await spendOwnLink(transaction, link, stored.id);
      if (decision === 'delete') await resetSync(transaction, stored);
      else if (
        decision === 'sync_again' ||
        changesSync(kind, credentials.open(stored).settings, columns.settings)
      )
        await restartSync(transaction, stored);
      return true;
    });
    if (!isReplaced) continue;
    await notifications.notify(topics.syncDue);
    await notifications.notify(topics.revocationsDue);
    return notifyLinkUsed(notifications, link);
  }
}

function differentAccountError(
  { name }: Kind,
  sender: Terms['sender'],
  current: string | null,
  given: string | null,
): ConnectorAuthError {
  return sender === 'link' || current === null || given === null
    ? new ConnectorAuthError(
        'different_account',
        `A connect link only reconnects the same account: use credentials that show that they belong to the connector's ${name} account`,
      )
    : new ConnectorAuthError(
        'different_account',
        `These credentials belong to another ${name} account. To switch to it, send replace_account: true`,
        { accounts: { current, given } },
      );
}
