import { parseJson, stringifyJson } from '@connector-auth/api';
import type { Grant } from '@connector-auth/connectors/kind';
import { z } from 'zod';
import type { SealContext, Sealer } from '../crypto/seal.ts';
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

/** A sealed grant with what it was sealed for. */
export type SealedGrant = GrantOwner & Pick<StoredConnector, 'authMethod' | 'sealedGrant' | 'grantVersion'>;

export function openGrant(sealer: Sealer, stored: SealedGrant): Grant {
  const text = sealer.open(stored.sealedGrant, contextOf(stored, stored.grantVersion));
  return { method: stored.authMethod, ...sealedMembers.parse(parseJson(text)) };
}

const members = z.record(z.string(), z.unknown());
const sealedMembers = z.object({ credentials: members, state: members, settings: members });

function contextOf({ organizationId, id, customerId, kind }: GrantOwner, version: number): SealContext {
  const owner = { customerId, kind, version };
  return { organizationId, table: 'connectors', column: 'credentials', row: id, owner };
}
