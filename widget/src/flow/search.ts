import type { SourceDefinition } from '@connector-auth/api';

/**
 * A search in a catalog: the entries whose name, kind or description holds every word of the query, ignoring case and
 * accents. Entries whose name begins with the query come first; otherwise the order stays. What is typed on narrows what
 * was found before; what is taken back was found before.
 */
export function createSearch(
  definitions: readonly SourceDefinition[],
): (query: string) => readonly SourceDefinition[] {
  const texts = new Map<SourceDefinition, string>();
  /** What was found for the beginnings of the last query, the shortest first. */
  const steps = [{ wanted: '', matching: definitions, found: definitions }];
  return query => {
    const wanted = fold(query.trim());
    // The first one is the beginning of everything.
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

/** {@link createSearch}, once. */
export function searchDefinitions(
  definitions: readonly SourceDefinition[],
  query: string,
): readonly SourceDefinition[] {
  return createSearch(definitions)(query);
}

function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
