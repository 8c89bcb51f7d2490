import { ConnectorAuthError, type Connector } from '@connector-auth/api';
import { parseGrant, type Kind } from '@connector-auth/connectors/kind';
import type { Kinds } from '../catalog/kinds.ts';
import type { Caller } from '../tokens/caller.ts';
import { requireConnector, toRecord } from './connector.ts';
import { proveGrant } from './prove.ts';
import { renameConnector, replaceGrant, type StoredConnector } from './store.ts';
import { openGrant, sealGrant } from './stored-grant.ts';
import type { VendorAccess } from './vendor-access.ts';

export interface Change {
  readonly name?: string | undefined;
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  readonly replace_account?: boolean | undefined;
}

/**
 * Renames a connector, re-authenticates it in place, or both. New credentials are checked at the vendor first.
 * @throws ConnectorAuthError `connector_not_found`; what is wrong with the credentials; `different_account` when they belong to
 * another vendor account than before, unless the change says to replace it.
 */
export async function updateConnector(
  access: VendorAccess,
  kinds: Kinds,
  caller: Caller,
  id: string,
  change: Change,
  signal: AbortSignal,
): Promise<Connector> {
  const { stored, kind } = await requireConnector(access.db, kinds, caller, id);
  if (change.credentials !== undefined) {
    await reauthenticate(access, kind, stored, change.credentials, change.replace_account ?? false, {
      signal,
      reread: async () => (await requireConnector(access.db, kinds, caller, id)).stored,
    });
  }
  if (change.name !== undefined) await renameConnector(access.db, stored, change.name);
  const { stored: changed } = await requireConnector(access.db, kinds, caller, id);
  return toRecord(changed, kind);
}

async function reauthenticate(
  access: VendorAccess,
  kind: Kind,
  first: StoredConnector,
  credentials: Readonly<Record<string, unknown>>,
  replacesAccount: boolean,
  { signal, reread }: { signal: AbortSignal; reread: () => Promise<StoredConnector> },
): Promise<void> {
  const { settings } = openGrant(access.sealer, first);
  const { grant, account } = await proveGrant(access, kind, parseGrant(kind, credentials, settings), signal);
  // The grant may have been renewed, or replaced by another account's, while the vendor was asked: look again and compare again.
  for (let stored = first; ; stored = await reread()) {
    const isOther = account !== null && stored.account !== null && account !== stored.account;
    if (isOther && !replacesAccount) {
      throw new ConnectorAuthError(
        'different_account',
        `These credentials belong to another ${kind.name} account; send replace_account: true to change over to it`,
      );
    }
    const sealedGrant = sealGrant(access.sealer, stored, grant);
    const columns = { authMethod: grant.method, sealedGrant, account: account ?? stored.account };
    if (await replaceGrant(access.db, stored, stored.grantVersion, columns)) return;
  }
}
