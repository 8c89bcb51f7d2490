import { actionNames, type ExecuteResponse } from '@connector-auth/api';
import { execute, type Operation } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import { requireAction, type Caller } from '../auth/caller.ts';
import type { Credentials } from '../credentials/credentials.ts';
import type { Tables } from '../database/tables.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import type { StoredConnector } from '../repositories/connectors.ts';
import { requireConnector } from '../tenancy/connectors.ts';

/**
 * Searches an entity of a connector; null when the entity has no search.
 * @throws ConnectorAuthError what is wrong with the search, or `rate_limited`.
 */
export type Search = (
  connector: StoredConnector,
  entity: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<unknown> | null;

/** What actions run with. */
export interface ExecuteContext {
  readonly db: Kysely<Tables>;
  readonly kinds: KindRegistry;
  readonly credentials: Credentials;
  readonly search: Search;
}

/**
 * Runs an action with a connector: a search over its synchronised records, any other at the vendor with its stored credentials. Costs
 * one query beside the vendor's time.
 * @throws ConnectorAuthError `action_not_allowed` by the token; `connector_not_found`; what is wrong with the operation; what the
 * vendor made of it, `reauthentication_required` among it.
 */
export async function executeAction(
  { db, kinds, credentials, search }: ExecuteContext,
  caller: Caller,
  id: string,
  { operation, signal }: { readonly operation: Operation; readonly signal: AbortSignal },
): Promise<ExecuteResponse> {
  // A word that is no action at all is left to the executor, which says which ones there are.
  const action = actionNames.find(name => name === operation.action);
  if (action !== undefined) requireAction(caller, action);
  const { stored, kind } = await requireConnector(db, kinds, caller, id);
  if (operation.action === 'search') {
    const found = await search(stored, operation.entity, operation.params ?? {}, signal);
    if (found !== null) return { result: found, connector_metadata: null };
  }
  const { result, connector_metadata } = await execute(credentials.connect(kind, stored), operation, {
    signal,
  });
  // KindRegistry declare it as an object or null; the executor's type leaves it open.
  return { result, connector_metadata: (connector_metadata ?? null) as Record<string, unknown> | null };
}
