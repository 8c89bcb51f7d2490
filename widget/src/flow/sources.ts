import type { Connector, SourceDefinition } from '@connector-auth/api';

/** The definitions and connectors of these connector types; all of them where there is no list. */
export function chooseSources(
  definitions: readonly SourceDefinition[],
  connectors: readonly Connector[],
  types: readonly string[] | null,
): { definitions: readonly SourceDefinition[]; connectors: readonly Connector[] } {
  if (types === null) return { definitions, connectors };
  const wanted = new Set(types.map(plain));
  return {
    definitions: definitions.filter(({ connectorType }) => wanted.has(plain(connectorType))),
    connectors: connectors.filter(({ connector_type }) => wanted.has(plain(connector_type))),
  };
}

/** The definition of a connector type; undefined when it is not among them. */
export function findSource(
  definitions: readonly SourceDefinition[],
  type: string | null,
): SourceDefinition | undefined {
  return definitions.find(({ connectorType }) => type !== null && plain(connectorType) === plain(type));
}

/** Types are the same whatever their case, spaces, `-` and `_`: as the service reads them. */
function plain(type: string): string {
  return type.toLowerCase().replace(/[\s_-]/g, '');
}
