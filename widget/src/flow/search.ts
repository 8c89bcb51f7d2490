import type { SourceDefinition } from '@connector-auth/api';

/** What a search finds: a source, or a connector. */
type Searched = Pick<SourceDefinition, 'name' | 'connectorType' | 'description'>;

/** A source with the text in which it is searched, without case and accents. */
interface Entry<T> {
  readonly definition: T;
  readonly text: string;
}

/**
 * Creates a search for sources whose name, type or description contains every word of the query, ignoring
 * case and accents. Sources whose names begin with the query come first. If a query extends the previous one,
 * only the previous results are searched.
 */
export function createSearch<T extends Searched>(definitions: readonly T[]): (query: string) => readonly T[] {
  /** The results for the prefixes of the last query, shortest first. The first prefix is the empty string. */
  const steps: {
    wanted: string;
    entries: readonly Entry<T>[];
    found: typeof definitions;
  }[] = [];
  return query => {
    const wanted = fold(query.trim());
    if (!wanted) return definitions;
    if (!steps.length) steps.push({ wanted: '', entries: definitions.map(entryOf), found: definitions });
    while (!wanted.startsWith(steps.at(-1)?.wanted ?? '')) steps.pop();
    const before = steps.at(-1);
    if (!before || before.wanted === wanted) return before?.found ?? definitions;
    const words = wanted.split(/\s+/);
    const entries = before.entries.filter(({ text }) => words.every(word => text.includes(word)));
    const first: T[] = [];
    const others: T[] = [];
    for (const { definition, text } of entries) {
      (text.startsWith(wanted) ? first : others).push(definition);
    }
    const found = first.concat(others);
    steps.push({ wanted, entries, found });
    return found;
  };
}

/** Searches the sources for a single query, as {@link createSearch} does. */
export function searchDefinitions(
  definitions: readonly SourceDefinition[],
  query: string,
): readonly SourceDefinition[] {
  return createSearch(definitions)(query);
}

function entryOf<T extends Searched>(definition: T): Entry<T> {
  const { name, connectorType, description } = definition;
  return { definition, text: fold(`${name} ${connectorType} ${description}`) };
}

/** Removes case and accents. */
export function fold(text: string): string {
  // Most texts have no accents, and a regular expression finds that faster than it is normalized.
  const plain = /[^\0-\x7f]/.test(text) ? text.normalize('NFD').replace(/\p{M}/gu, '') : text;
  return plain.toLowerCase();
}
