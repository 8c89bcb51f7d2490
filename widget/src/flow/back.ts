import type { Connector, SourceDefinition } from '@connector-auth/api';
import type { Catalog, State } from './flow.ts';

/** The catalog, at the row one came from. */
export function toCatalog(catalog: Catalog, cameFrom: string | null): State {
  return { name: 'catalog', catalog, cameFrom };
}

/** Back to where a source was opened from: its row, or the connector that was to be reconnected. */
export function backFrom(
  { catalog, target }: { readonly catalog: Catalog; readonly target: Connector | null },
  { sourceDefinitionId }: SourceDefinition,
): State {
  return target === null
    ? toCatalog(catalog, sourceDefinitionId)
    : { name: 'managing', catalog, connector: target };
}
