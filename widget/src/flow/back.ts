import type { Connector, SourceDefinition } from '@connector-auth/api';
import type { Catalog, State } from './flow.ts';

/** Returns the catalog, at the row from which the user came. */
export function toCatalog(catalog: Catalog, cameFrom: string | null): State {
  return { name: 'catalog', catalog, cameFrom };
}

/** Goes back to where a source was opened: its row, or the connector to reconnect. */
export function backFrom(
  { catalog, target }: { readonly catalog: Catalog; readonly target: Connector | null },
  { sourceDefinitionId }: SourceDefinition,
): State {
  return target === null
    ? toCatalog(catalog, sourceDefinitionId)
    : { name: 'managing', catalog, connector: target };
}
