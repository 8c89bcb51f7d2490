import type { Connector, SourceDefinition } from '@connector-auth/api';

/** The definitions and connectors of these connector types; all of them where there is no list. */
export function chooseSources(
  definitions: readonly SourceDefinition[],
  connectors: readonly Connector[],
  types: readonly string[] | null | undefined,
): { definitions: readonly SourceDefinition[]; connectors: readonly Connector[] } {
  const wanted = types && new Set(types.map(plain));
  if (!wanted) return { definitions, connectors };
  return {
    definitions: definitions.filter(({ connectorType }) => wanted.has(plain(connectorType))),
    connectors: connectors.filter(({ connector_type }) => wanted.has(plain(connector_type))),
  };
}

/** The definition of a connector type; undefined when it is not among them. */
export function findSource(
  definitions: readonly SourceDefinition[],
  type: string | null | undefined,
): SourceDefinition | undefined {
  return type ? definitions.find(({ connectorType }) => plain(connectorType) === plain(type)) : undefined;
}

/** Types are the same whatever their case, spaces, `-` and `_`: as the service reads them. */
function plain(type: string): string {
  return type.toLowerCase().replace(/[\s_-]/g, '');
}
