import type { Connector, Language } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import type { Caller } from '../../shared/auth/caller.ts';
import type { StoredConnector } from '../../shared/repositories/connectors.ts';
import type { Progress } from '../../shared/repositories/sync-state.ts';
import { kindOf } from '../../shared/tenancy/connectors.ts';
import type { ConnectorsContext } from './context.ts';
import { readProgressOf, syncStateOf } from './sync-status.ts';

type RecordContext = Pick<ConnectorsContext, 'db' | 'credentials'>;

/** Converts an organization's connectors to response bodies, which never include credentials. */
export async function toRecords(
  context: RecordContext & Pick<ConnectorsContext, 'kinds'>,
  rows: readonly StoredConnector[],
  language: Language,
): Promise<Connector[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const ids = rows.map(({ id }) => id);
  const progress = await readProgressOf(context.db, first.organizationId, ids);
  return rows.map(stored =>
    describe(context, { stored, kind: kindOf(context.kinds, stored), language }, progress.get(stored.id)),
  );
}

export async function toRecord(
  context: RecordContext,
  kind: Kind,
  stored: StoredConnector,
  language: Language,
): Promise<Connector> {
  const progress = await readProgressOf(context.db, stored.organizationId, [stored.id]);
  return describe(context, { stored, kind, language }, progress.get(stored.id));
}

function describe(
  { credentials }: RecordContext,
  {
    stored,
    kind,
    language,
  }: { readonly stored: StoredConnector; readonly kind: Kind; readonly language: Language },
  progress: readonly Progress[] = [],
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
    access: stored.access,
    sync: syncStateOf({ kind, status: stored.status, language }, progress),
    created_at: stored.createdAt.toISOString(),
    updated_at: stored.updatedAt.toISOString(),
  };
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
