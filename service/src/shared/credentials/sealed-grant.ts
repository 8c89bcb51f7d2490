// oxlint-disable-next-line no-restricted-imports -- reads what this service sealed
import { parseJson, stringifyJson } from '@connector-auth/api';
import type { Grant } from '@connector-auth/connectors/kind';
import { z } from 'zod';
import type { SealContext, Sealer } from '../../platform/crypto/seal.ts';
import type { ConnectorRef, StoredConnector } from '../repositories/connectors.ts';

/** Identifies a connector and its owner. */
export type GrantOwner = ConnectorRef & Pick<StoredConnector, 'customerId' | 'kind'>;

/** @param version the version under which the grant will be stored. */
export function sealGrant(
  sealer: Sealer,
  owner: GrantOwner,
  version: number,
  { credentials, state, settings }: Grant,
): Uint8Array {
  return sealer.seal(stringifyJson({ credentials, state, settings }), contextOf(owner, version));
}

/** A sealed grant with what it was sealed for, and the settings that replace the sealed ones, if any. */
export type SealedGrant = GrantOwner &
  Pick<StoredConnector, 'authMethod' | 'sealedGrant' | 'grantVersion'> &
  Partial<Pick<StoredConnector, 'settings'>>;

/** Decrypts a grant. Settings that were changed after it was sealed replace the sealed ones. */
export function openGrant(sealer: Sealer, stored: SealedGrant): Grant {
  const text = sealer.open(stored.sealedGrant, contextOf(stored, stored.grantVersion));
  const sealed = sealedMembers.parse(parseJson(text));
  return { method: stored.authMethod, ...sealed, settings: stored.settings ?? sealed.settings };
}

const members = z.record(z.string(), z.unknown());
const sealedMembers = z.object({ credentials: members, state: members, settings: members });

function contextOf({ organizationId, id, customerId, kind }: GrantOwner, version: number): SealContext {
  const owner = { customerId, kind, version };
  return { organizationId, table: 'connectors', column: 'credentials', row: id, owner };
}
