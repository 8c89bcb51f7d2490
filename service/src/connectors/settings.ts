import { isDeepStrictEqual } from 'node:util';
import type { Grant, Kind } from '@connector-auth/connectors/kind';
import { notifySyncDue } from '../notifications/sync-due.ts';
import { replaceSettings, type StoredConnector } from '../repositories/connectors.ts';
import { restartSync } from '../repositories/sync-state.ts';
import type { ConnectorsContext } from './context.ts';
import { reread } from './reread.ts';

type Settings = Grant['settings'];

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
