import type { Connector, Language } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { Caller } from '../../shared/auth/caller.ts';
import { readHighlights } from '../../shared/records/highlights.ts';
import type { RecordTable } from '../../shared/records/record-table.ts';
import type { StoredConnector } from '../../shared/repositories/connectors.ts';
import { readSync, type ConnectorSync } from '../../shared/repositories/sync-state.ts';
import { kindOf, knownKindsOf } from '../../shared/tenancy/connectors.ts';
import type { ConnectorsContext } from './context.ts';
import { syncStateOf, unavailable } from './sync-status.ts';

type RecordContext = Pick<ConnectorsContext, 'db' | 'kinds' | 'credentials'>;

/** Converts connectors to response bodies, which never include credentials. */
export async function toRecords(
  context: RecordContext,
  rows: readonly StoredConnector[],
  language: Language,
): Promise<Connector[]> {
  const syncs = await readSync(context.db, rows);
  const kinds = await knownKindsOf(context.db, context.kinds, rows);
  return rows.map(stored =>
    describe(context, { stored, kind: kindOf(kinds, stored), language }, syncs.get(stored.id)),
  );
}

export async function toRecord(
  context: RecordContext,
  kind: Kind,
  stored: StoredConnector,
  language: Language,
): Promise<Connector> {
  const syncs = await readSync(context.db, [stored]);
  return describe(context, { stored, kind, language }, syncs.get(stored.id));
}

function describe(
  { kinds, credentials }: RecordContext,
  {
    stored,
    kind,
    language,
  }: { readonly stored: StoredConnector; readonly kind: Kind; readonly language: Language },
  /** Missing if the connector was deleted during the request. */
  { status: storedStatus, entities }: ConnectorSync = { status: stored.status, entities: [] },
): Connector {
  const status = kinds.byKey(kind.key) === null ? unavailable(storedStatus) : storedStatus;
  return {
    id: stored.id,
    name: stored.name,
    customer_name: stored.customerName,
    connector_type: kind.key,
    definition_id: kind.definitionId,
    auth_method: stored.authMethod,
    status,
    replication_config: credentials.settingsOf(kind, stored),
    access: stored.access,
    sync: syncStateOf(kind, { status, entities }, language),
    created_at: stored.createdAt.toISOString(),
    updated_at: stored.updatedAt.toISOString(),
  };
}

/**
 * Adds what is shown of the records of the entities that were synced: their dates and, for callers that may search, the
 * newest ones. `tables` are those of the kind.
 */
export async function withHighlights(
  db: Kysely<Tables>,
  tables: readonly RecordTable[],
  connector: Connector,
  { link, rights, tenant }: Caller,
): Promise<Connector> {
  const maySearch = link === null && rights.granted.allowedActions.includes('search');
  const { entities } = connector.sync;
  const isSynced = ({ entity }: RecordTable) => (entities[entity]?.last_synced_at ?? null) !== null;
  const found = await readHighlights(db, tables.filter(isSynced), {
    organizationId: tenant.organizationId,
    id: connector.id,
  });
  const added = Object.entries(entities).map(([name, entity]) => {
    const { dates = null, latest = [] } = found.get(name) ?? {};
    return [name, { ...entity, dates, ...(maySearch && { latest }) }] as const;
  });
  return { ...connector, sync: { ...connector.sync, entities: Object.fromEntries(added) } };
}

/** Returns what a caller sees of a connector: without its settings and sync errors if the token is a connect link's. */
export function visibleTo({ link }: Caller, connector: Connector): Connector {
  if (link === null) return connector;
  const { sync } = connector;
  const entities = Object.entries(sync.entities).map(
    ([name, entity]) => [name, { ...entity, last_error: null, last_error_code: null }] as const,
  );
  return {
    ...connector,
    replication_config: null,
    sync: { ...sync, entities: Object.fromEntries(entities) },
  };
}
