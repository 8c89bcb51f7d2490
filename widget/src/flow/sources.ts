import type { Connector, SourceDefinition } from '@connector-auth/api';
import type { Catalog } from './flow.ts';

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

/**
 * Groups sources by category, in alphabetical order and those without a category last. Returns the sources in
 * this order, and the category of the first source of each group. A list that fits a screen has no groups.
 */
export function groupSources(definitions: readonly SourceDefinition[]): {
  readonly sources: readonly SourceDefinition[];
  readonly starts: ReadonlyMap<SourceDefinition, string>;
} {
  const starts = new Map<SourceDefinition, string>();
  if (definitions.length <= ungrouped) return { sources: definitions, starts };
  const groups = new Map<string, SourceDefinition[]>();
  for (const source of definitions) {
    const category = source.category?.trim() ?? '';
    const group = groups.get(category);
    if (group) group.push(source);
    else groups.set(category, [source]);
  }
  if (groups.size < 2) return { sources: definitions, starts };
  const sorted = [...groups].sort(([a], [b]) => Number(!a) - Number(!b) || a.localeCompare(b));
  for (const [category, [first]] of sorted) if (first) starts.set(first, category);
  return { sources: sorted.flatMap(([, members]) => members), starts };
}

/** The number of sources up to which they are not grouped. */
const ungrouped = 12;

/** Normalizes a connector type as the service does, by ignoring case, spaces, `-` and `_`. */
export function normalized(type: string): string {
  return type.toLowerCase().replace(/[\s_-]/g, '');
}

/** Returns a connector's source definition, or undefined if the token does not allow this source. */
export function sourceOf(catalog: Catalog, { definition_id }: Connector) {
  return catalog.definitions.find(({ sourceDefinitionId }) => sourceDefinitionId === definition_id);
}
