import type { Connector, SourceDefinition } from '@connector-auth/api';

/**
 * Filters definitions and connectors by connector type. Returns all of them if no list is given, and the types in
 * the list that no definition has.
 */
export function chooseSources(
  definitions: readonly SourceDefinition[],
  connectors: readonly Connector[],
  types: readonly string[] | null | undefined,
): {
  definitions: readonly SourceDefinition[];
  connectors: readonly Connector[];
  unknown: readonly string[];
} {
  const wanted = types && new Set(types.map(normalized));
  if (!wanted) return { definitions, connectors, unknown: [] };
  return {
    unknown: types.filter(type => !findSource(definitions, type)),
    definitions: definitions.filter(({ connectorType }) => wanted.has(normalized(connectorType))),
    connectors: connectors.filter(({ connector_type }) => wanted.has(normalized(connector_type))),
  };
}

/** Finds the source definition for a connector type. */
export function findSource(
  definitions: readonly SourceDefinition[],
  type: string | null | undefined,
): SourceDefinition | undefined {
  return type
    ? definitions.find(({ connectorType }) => normalized(connectorType) === normalized(type))
    : undefined;
}

/** Normalises a connector type as the service does, by ignoring case, spaces, `-` and `_`. */
function normalized(type: string): string {
  return type.toLowerCase().replace(/[\s_-]/g, '');
}
