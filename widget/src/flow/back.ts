import type { Connector, SourceDefinition } from '@connector-auth/api';
import type { Catalog, State } from './flow.ts';

/** Returns the catalog with focus on the row that the user opened. */
export function toCatalog(catalog: Catalog, cameFrom: string | null): State {
  return { name: 'catalog', catalog, cameFrom };
}

/** Returns the state from which the source was opened: the catalog or the connector to reconnect. */
export function backFrom(
  { catalog, target }: { readonly catalog: Catalog; readonly target: Connector | null },
  { sourceDefinitionId }: SourceDefinition,
): State {
  return target === null
    ? toCatalog(catalog, sourceDefinitionId)
    : { name: 'managing', catalog, connector: target, cameFrom: 'reconnect' };
}
