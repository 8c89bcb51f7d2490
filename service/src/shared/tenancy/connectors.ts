import { ConnectorAuthError, type Endpoint } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import { aboutConnector } from '../../platform/audit-log/entry.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Caller } from '../auth/caller.ts';
import { requireNotFrozen, requireUsable } from '../credentials/usable.ts';
import { readKnownKinds, unavailableKind } from '../definitions/known-kinds.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import type { CallOf } from '../http/handler.ts';
import type { CachedConnectors } from '../repositories/cached-connectors.ts';
import { findLinkStatus } from '../repositories/connect-links.ts';
import { findConnector, type StoredConnector } from '../repositories/connectors.ts';
import { requireExistingCustomer } from './customers.ts';
import { linkEndedError } from './links.ts';

/**
 * What a request intends to do with a connector. `use` needs its grant or its synced records, `delete` ends it or undoes
 * that, and `view` reads or changes only what describes it.
 */
type Intent = 'view' | 'use' | 'delete';

export interface ConnectorSources {
  readonly db: Kysely<Tables>;
  readonly kinds: KindRegistry;
  readonly cached?: CachedConnectors;
}

/** The caller of a request, and how to add details to its entry in the audit log. */
export type AuditedCaller = Pick<CallOf<Endpoint>, 'audit'> & { readonly caller: Caller };

/**
 * Returns a connector that belongs to the caller's tenant, and its kind. Runs one query by primary key, or none with
 * `cached`. Adds the connector to the audit log's entry. A disabled connector cannot be used, and a frozen one can also not be deleted.
 * Only `delete` finds a connector whose deletion can still be undone.
 * @throws ConnectorAuthError `connector_not_found` if the connector does not exist or belongs to another
 * tenant; `source_not_allowed`; `token_invalid` if the token's customer was deleted; `link_revoked`;
 * `connector_disabled`; `connector_frozen`; `connector_unavailable`.
 */
export async function requireConnector(
  { db, kinds, cached }: ConnectorSources,
  { caller, audit }: AuditedCaller,
  id: string,
  intent: Intent,
): Promise<{ stored: StoredConnector; kind: Kind }> {
  const { tenant, link, rights } = caller;
  const presence = intent === 'delete' ? 'present_or_restorable' : 'present';
  const stored = await (cached?.find(tenant, id) ?? findConnector(db, tenant, id, presence));
  if (stored === null) {
    await requireExistingCustomer(db, tenant);
    if (link !== null && (await findLinkStatus(db, link)) === 'revoked') throw linkEndedError('revoked');
    throw new ConnectorAuthError('connector_not_found', 'No connector has this id');
  }
  audit(aboutConnector(stored));
  const kind = kinds.byKey(stored.kind) ?? kindOf(await knownKindsOf(db, kinds, [stored]), stored);
  rights.requireSource(kind);
  if (intent === 'use') {
    requireUsable(stored);
    requireLoaded(kinds, kind);
  }
  if (intent === 'delete') requireNotFrozen(stored);
  return { stored, kind };
}

/** Returns the kinds of these connectors, also if they are not loaded. Runs no query if they are. */
export async function knownKindsOf(
  db: Kysely<Tables>,
  kinds: KindRegistry,
  connectors: readonly Pick<StoredConnector, 'kind'>[],
): Promise<KindRegistry> {
  const isLoaded = connectors.every(({ kind }) => kinds.byKey(kind) !== null);
  return isLoaded ? kinds : await readKnownKinds(db, kinds);
}

/** @param kinds those of {@link knownKindsOf}. */
export function kindOf(kinds: KindRegistry, { kind: key }: Pick<StoredConnector, 'kind'>): Kind {
  // Every process stores its kinds before it serves requests, but the table may have been restored from a backup.
  return kinds.byKey(key) ?? unavailableKind({ key, name: key, definitionId: noDefinition });
}

const noDefinition = '00000000-0000-0000-0000-000000000000';

function requireLoaded(kinds: KindRegistry, { key, name }: Kind): void {
  if (kinds.byKey(key) !== null) return;
  throw new ConnectorAuthError(
    'connector_unavailable',
    `${name} is not available at present, because this service does not load the kind ${key}`,
  );
}
