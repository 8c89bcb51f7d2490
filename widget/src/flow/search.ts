import type { SourceDefinition } from '@connector-auth/api';

/**
 * The entries whose name, kind or description holds every word of the query, ignoring case and accents. Entries whose
 * name begins with the query come first; otherwise the order stays.
 */
export function searchDefinitions(
  definitions: readonly SourceDefinition[],
  query: string,
): readonly SourceDefinition[] {
  const wanted = fold(query.trim());
  if (wanted === '') return definitions;
  const words = wanted.split(/\s+/);
  const first: SourceDefinition[] = [];
  const rest: SourceDefinition[] = [];
  for (const definition of definitions) {
    const text = searchTextOf(definition);
    if (words.every(word => text.includes(word))) (text.startsWith(wanted) ? first : rest).push(definition);
  }
  return [...first, ...rest];
}

const searchTexts = new WeakMap<SourceDefinition, string>();

function searchTextOf(definition: SourceDefinition): string {
  let text = searchTexts.get(definition);
  if (text === undefined) {
    text = fold(`${definition.name} ${definition.connectorType} ${definition.description}`);
    searchTexts.set(definition, text);
  }
  return text;
}

function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
