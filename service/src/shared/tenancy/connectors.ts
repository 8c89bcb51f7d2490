import { ConnectorAuthError, type Endpoint } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import { aboutConnector } from '../../platform/audit-log/entry.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Caller } from '../auth/caller.ts';
import { requireNotFrozen, requireUsable } from '../credentials/usable.ts';
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
 * `connector_disabled`; `connector_frozen`.
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
  const kind = kindOf(kinds, stored);
  rights.requireSource(kind);
  if (intent === 'use') requireUsable(stored);
  if (intent === 'delete') requireNotFrozen(stored);
  return { stored, kind };
}

/** @throws ConnectorAuthError `internal_error` if this build no longer includes the kind. */
export function kindOf(kinds: KindRegistry, stored: Pick<StoredConnector, 'kind'>): Kind {
  const kind = kinds.byKey(stored.kind);
  if (kind !== null) return kind;
  throw new ConnectorAuthError(
    'internal_error',
    `This build does not have the connector kind ${stored.kind}`,
  );
}
