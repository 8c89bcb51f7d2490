import type { Connector, SyncState } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import type { StoredConnector } from '../repositories/connectors.ts';
import { kindOf } from '../tenancy/connectors.ts';
import { readSyncStates, syncStateOf } from './sync-status.ts';

/** Converts an organization's connectors to response bodies, which never include credentials. */
export async function toRecords(
  db: Kysely<Tables>,
  kinds: KindRegistry,
  rows: readonly StoredConnector[],
): Promise<Connector[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const ids = rows.map(({ id }) => id);
  const states = await readSyncStates(db, first.organizationId, ids);
  return rows.map(stored =>
    describe(stored, kindOf(kinds, stored), states.get(stored.id) ?? syncStateOf([])),
  );
}

export async function toRecord(db: Kysely<Tables>, kind: Kind, stored: StoredConnector): Promise<Connector> {
  const states = await readSyncStates(db, stored.organizationId, [stored.id]);
  return describe(stored, kind, states.get(stored.id) ?? syncStateOf([]));
}

function describe(stored: StoredConnector, kind: Kind, sync: SyncState): Connector {
  return {
    id: stored.id,
    name: stored.name,
    customer_name: stored.customerName,
    connector_type: kind.key,
    definition_id: kind.definitionId,
    auth_method: stored.authMethod,
    status: stored.status,
    sync,
    created_at: stored.createdAt.toISOString(),
    updated_at: stored.updatedAt.toISOString(),
  };
}
