import { parseJson, stringifyJson } from '@connector-auth/api';
import type { Grant } from '@connector-auth/connectors/kind';
import { z } from 'zod';
import type { Sealer } from '../crypto/seal.ts';
import type { ConnectorRef, StoredConnector } from '../repositories/connectors.ts';

export function sealGrant(
  sealer: Sealer,
  row: ConnectorRef,
  { credentials, state, settings }: Grant,
): Uint8Array {
  return sealer.seal(stringifyJson({ credentials, state, settings }), placeOf(row));
}

export function openGrant(sealer: Sealer, stored: StoredConnector): Grant {
  const text = sealer.open(stored.sealedGrant, placeOf(stored));
  return { method: stored.authMethod, ...sealedMembers.parse(parseJson(text)) };
}

const members = z.record(z.string(), z.unknown());
const sealedMembers = z.object({ credentials: members, state: members, settings: members });

function placeOf({ organizationId, id }: ConnectorRef) {
  return { organizationId, table: 'connectors', column: 'credentials', row: id } as const;
}
