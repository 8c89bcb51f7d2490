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
 * Searches a connector's synced records of one entity. Returns null if the entity is not searchable.
 * @throws ConnectorAuthError `invalid_params`, `query_too_slow`, `rate_limited`.
 */
export type Search = (
  connector: StoredConnector,
  entity: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<unknown> | null;

export interface ExecuteContext {
  readonly db: Kysely<Tables>;
  readonly kinds: KindRegistry;
  readonly credentials: Credentials;
  readonly search: Search;
}

/**
 * Runs an action on a connector. Either searches the connector's synced records or calls the vendor with the
 * stored credentials. Runs only one database query before calling the vendor.
 * @throws ConnectorAuthError `action_not_allowed` if the token does not allow the action;
 * `connector_not_found`; errors from the operation, such as `unknown_action`; errors from the vendor, such as
 * `reauthentication_required`.
 */
export async function executeAction(
  { db, kinds, credentials, search }: ExecuteContext,
  caller: Caller,
  id: string,
  { operation, signal }: { readonly operation: Operation; readonly signal: AbortSignal },
): Promise<ExecuteResponse> {
  // `execute` rejects unknown actions with an error that lists the known ones.
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
  // Kinds declare the result as an object or null, but the return type of `execute` is wider.
  return { result, connector_metadata: (connector_metadata ?? null) as Record<string, unknown> | null };
}
