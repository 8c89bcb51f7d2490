import type { SourceDefinition } from '@connector-auth/api';

/**
 * Creates a search for sources whose name, type or description contains every word of the query, ignoring
 * case and accents. Sources whose names begin with the query come first. If a query extends the previous one,
 * only the previous results are searched.
 */
export function createSearch(
  definitions: readonly SourceDefinition[],
): (query: string) => readonly SourceDefinition[] {
  const texts = new Map<SourceDefinition, string>();
  /** The results for the prefixes of the last query, shortest first. */
  const steps = [{ wanted: '', matching: definitions, found: definitions }];
  return query => {
    const wanted = fold(query.trim());
    // The first prefix is the empty string, with which every query starts.
    while (!wanted.startsWith(steps.at(-1)?.wanted ?? '')) steps.pop();
    const before = steps.at(-1);
    if (before?.wanted === wanted) return before.found;
    const words = wanted.split(/\s+/);
    const matching = (before?.matching ?? definitions).filter(definition => {
      const text = textOf(definition);
      return words.every(word => text.includes(word));
    });
    const isFirst = (definition: SourceDefinition) => textOf(definition).startsWith(wanted);
    const found = [...matching.filter(isFirst), ...matching.filter(definition => !isFirst(definition))];
    steps.push({ wanted, matching, found });
    return found;
  };

  function textOf(definition: SourceDefinition): string {
    let text = texts.get(definition);
    if (text === undefined) {
      text = fold(`${definition.name} ${definition.connectorType} ${definition.description}`);
      texts.set(definition, text);
    }
    return text;
  }
}

/** Searches the sources for a single query, as {@link createSearch} does. */
export function searchDefinitions(
  definitions: readonly SourceDefinition[],
  query: string,
): readonly SourceDefinition[] {
  return createSearch(definitions)(query);
}

/** Removes case and accents. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
