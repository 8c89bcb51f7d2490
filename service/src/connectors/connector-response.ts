import type { Connector, SyncState } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import type { StoredConnector } from '../repositories/connectors.ts';
import { kindOf } from '../tenancy/connectors.ts';
import type { ConnectorsContext } from './context.ts';
import { readSyncStates, syncStateOf } from './sync-status.ts';

type RecordContext = Pick<ConnectorsContext, 'db' | 'credentials'>;

/** Converts an organization's connectors to response bodies, which never include credentials. */
export async function toRecords(
  context: RecordContext & Pick<ConnectorsContext, 'kinds'>,
  rows: readonly StoredConnector[],
): Promise<Connector[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const ids = rows.map(({ id }) => id);
  const states = await readSyncStates(context.db, first.organizationId, ids);
  return rows.map(stored =>
    describe(context, stored, kindOf(context.kinds, stored), states.get(stored.id) ?? syncStateOf([])),
  );
}

export async function toRecord(
  context: RecordContext,
  kind: Kind,
  stored: StoredConnector,
): Promise<Connector> {
  const states = await readSyncStates(context.db, stored.organizationId, [stored.id]);
  return describe(context, stored, kind, states.get(stored.id) ?? syncStateOf([]));
}

function describe(
  { credentials }: RecordContext,
  stored: StoredConnector,
  kind: Kind,
  sync: SyncState,
): Connector {
  return {
    id: stored.id,
    name: stored.name,
    customer_name: stored.customerName,
    connector_type: kind.key,
    definition_id: kind.definitionId,
    auth_method: stored.authMethod,
    status: stored.status,
    replication_config: credentials.settingsOf(kind, stored),
    sync,
    created_at: stored.createdAt.toISOString(),
    updated_at: stored.updatedAt.toISOString(),
  };
}
