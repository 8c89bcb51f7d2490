import { isDeepStrictEqual } from 'node:util';
import type { Grant, Kind } from '@connector-auth/connectors/kind';
import type { z } from 'zod';
import { topics } from '../../platform/notifications/topics.ts';
import type { Caller } from '../../shared/auth/caller.ts';
import { replaceSettings, type StoredConnector } from '../../shared/repositories/connectors.ts';
import { restartSync } from '../../shared/repositories/sync-state.ts';
import type { ConnectorsContext } from './context.ts';
import { reread } from './reread.ts';

type Settings = Grant['settings'];

/**
 * Returns the settings of a new connector: the given ones, and the defaults of the caller's token for the others.
 * @throws ConnectorAuthError `invalid_credentials` if a page sends a setting that it cannot set.
 */
export function settingsOfNew(caller: Caller, kind: Kind, given?: Settings): Settings {
  caller.rights.requireSettings(kind, given);
  return mergeSettings(caller.replicationDefaults[kind.key], given);
}

/**
 * Merges changes into the settings of a connector. Drops stored settings that its kind no longer accepts, which would
 * otherwise make every change fail, but never the choice of accounts: without one, all accounts would be imported.
 */
export function mergeIntoStored(
  { settings, accounts }: Kind,
  stored: Settings,
  changes?: Settings,
): Settings {
  const fields = new Map(Object.entries<z.ZodType>(settings?.shape ?? {}));
  const valid = Object.entries(stored).filter(
    ([name, value]) => name === accounts?.setting || fields.get(name)?.safeParse(value).success,
  );
  return mergeSettings(Object.fromEntries(valid), changes);
}

/** Merges settings by name, as RFC 7396 does: `null` removes a setting, which then gets its default. */
function mergeSettings(settings: Settings = {}, changes: Settings = {}): Settings {
  const merged = Object.entries({ ...settings, ...changes });
  return Object.fromEntries(merged.filter(([name]) => changes[name] !== null));
}

/** Returns whether a sync must read everything again with the new settings. Without new ones, they do not change. */
export function changesSync(kind: Kind, before: Settings, after: Settings = before): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const name of kind.settingsWithoutSync ?? []) names.delete(name);
  return [...names].some(name => !isDeepStrictEqual(before[name], after[name]));
}

/**
 * Changes a connector's settings after the vendor has accepted the new ones with the stored grant, and starts a full sync if
 * they change what is synced.
 * @param options.settingsOf returns the new settings of a row.
 * @throws ConnectorAuthError `reauthentication_required`; `vendor_permission_missing`; or an error for a vendor failure.
 */
export async function changeSettings(
  { db, credentials, notifications }: Pick<ConnectorsContext, 'db' | 'credentials' | 'notifications'>,
  kind: Kind,
  first: StoredConnector,
  options: { readonly settingsOf: (stored: StoredConnector) => Settings; readonly signal: AbortSignal },
): Promise<void> {
  const { settingsOf, signal } = options;
  // If the connector got another account or other settings during verification, the change is verified with those.
  for (let stored = first; ; stored = await reread(db, stored)) {
    const settings = settingsOf(stored);
    if (isDeepStrictEqual(credentials.open(stored).settings, settings)) return;
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
    if (isStored) return notifications.notify(topics.syncDue);
  }
}
