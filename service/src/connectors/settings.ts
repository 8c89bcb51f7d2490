import { isDeepStrictEqual } from 'node:util';
import { ConnectorAuthError } from '@connector-auth/api';
import { integratorSettings, type Grant, type Kind } from '@connector-auth/connectors/kind';
import type { Caller } from '../auth/caller.ts';
import { notifySyncDue } from '../notifications/sync-due.ts';
import { replaceSettings, type StoredConnector } from '../repositories/connectors.ts';
import { restartSync } from '../repositories/sync-state.ts';
import type { ConnectorsContext } from './context.ts';
import { reread } from './reread.ts';

type Settings = Grant['settings'];

/**
 * Returns the settings of a new connector: the given ones, and the defaults of the caller's token for the others.
 * @throws ConnectorAuthError `invalid_credentials` if a page sends a setting that only the integrator may set.
 */
export function settingsOfNew(caller: Caller, kind: Kind, given: Settings = {}): Settings {
  requireOwnSettings(caller, kind, given);
  const defaults = caller.kind === 'application' ? {} : caller.replicationDefaults[kind.key];
  return { ...defaults, ...given };
}

/**
 * Returns the settings that replace a connector's current ones. A page leaves unchanged what only the integrator may set.
 * @throws ConnectorAuthError `invalid_credentials` if a page sends a setting that only the integrator may set.
 */
export function settingsOfChange(caller: Caller, kind: Kind, given: Settings, current: Settings): Settings {
  if (caller.kind !== 'widget') return given;
  requireOwnSettings(caller, kind, given);
  const names = integratorSettings(kind).filter(name => Object.hasOwn(current, name));
  return { ...Object.fromEntries(names.map(name => [name, current[name]])), ...given };
}

function requireOwnSettings(caller: Caller, kind: Kind, given: Settings): void {
  if (caller.kind !== 'widget') return;
  const forbidden = integratorSettings(kind).filter(name => Object.hasOwn(given, name));
  if (forbidden.length === 0) return;
  const message = `A page cannot set this: name it in replication_defaults when your server requests the token`;
  throw ConnectorAuthError.invalid(
    'invalid_credentials',
    forbidden.map(name => ({ path: `replication_config.${name}`, message })),
  );
}

/** Returns whether a sync must read everything again with the new settings. Without new ones, they do not change. */
export function changesSync(kind: Kind, before: Settings, after: Settings = before): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const name of kind.settingsWithoutSync ?? []) names.delete(name);
  return [...names].some(name => !isDeepStrictEqual(before[name], after[name]));
}

/**
 * Replaces a connector's settings after the vendor has accepted them with the stored grant, and starts a full sync if they
 * change what is synced.
 * @throws ConnectorAuthError `reauthentication_required`; `vendor_permission_missing`; or an error for a vendor failure.
 */
export async function changeSettings(
  { db, credentials, notifications }: Pick<ConnectorsContext, 'db' | 'credentials' | 'notifications'>,
  kind: Kind,
  first: StoredConnector,
  { settings, signal }: { readonly settings: Settings; readonly signal: AbortSignal },
): Promise<void> {
  if (isDeepStrictEqual(credentials.open(first).settings, settings)) return;
  // If the connector got another account during verification, the settings are verified with that account.
  for (let stored = first; ; stored = await reread(db, stored)) {
    const vendor = await credentials
      .connect(kind, { ...stored, settings })
      .vendorFor({ repeatable: true, signal });
    const { account } = await kind.check.run(vendor, stored.account);
    const isStored = await db.transaction().execute(async transaction => {
      const columns = { settings, account: account ?? stored.account };
      if (!(await replaceSettings(transaction, stored, columns))) return false;
      if (changesSync(kind, credentials.open(stored).settings, settings)) {
        await restartSync(transaction, stored);
      }
      return true;
    });
    if (isStored) return notifySyncDue(notifications);
  }
}
