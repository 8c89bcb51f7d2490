import { ConnectorAuthError, type Connector, type SyncState } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { requireSource } from '../catalog/catalog.ts';
import { readSyncStates, syncStateOf } from '../connectors/sync-status.ts';
import type { Tables } from '../database/tables.ts';
import type { Kinds } from '../definitions/registry.ts';
import { findConnector, type StoredConnector, type Tenant } from '../repositories/connectors.ts';
import { requireLivingCustomer } from './customers.ts';

/** Whose connectors a caller may see. */
export function tenantOf(caller: Caller): Tenant {
  return {
    organizationId: caller.organizationId,
    customerId: caller.kind === 'application' ? null : caller.customer.id,
  };
}

/**
 * A connector the caller may use, and its kind. One query, by primary key.
 * @throws ConnectorAuthError `connector_not_found`, also for another tenant's; `source_not_allowed`; `token_invalid` when the token's
 * customer was deleted.
 */
export async function requireConnector(
  db: Kysely<Tables>,
  kinds: Kinds,
  caller: Caller,
  id: string,
): Promise<{ stored: StoredConnector; kind: Kind }> {
  const stored = await findConnector(db, tenantOf(caller), id);
  if (stored === null) {
    await requireLivingCustomer(db, caller);
    throw new ConnectorAuthError('connector_not_found', 'There is no connector with this id');
  }
  const kind = kindOf(kinds, stored);
  requireSource(caller, kind);
  return { stored, kind };
}

/** The kind of a stored connector. */
export function kindOf(kinds: Kinds, stored: Pick<StoredConnector, 'kind'>): Kind {
  const kind = kinds.byKey(stored.kind);
  if (kind !== null) return kind;
  throw new ConnectorAuthError('internal_error', `This build has no connector kind ${stored.kind}`);
}

/** Connectors of one organization as the contract shows them: nothing of their credentials. */
export async function toRecords(
  db: Kysely<Tables>,
  kinds: Kinds,
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

/** A connector as the contract shows it. */
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
