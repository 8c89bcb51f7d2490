import type { SearchType } from '../kind/kind.ts';
import { asInteger } from '../kind/record.ts';

/** Searchable fields and their types, from names by type. */
export function searchFields(
  namesByType: Readonly<Partial<Record<SearchType, readonly string[]>>>,
): Readonly<Record<string, SearchType>> {
  return Object.fromEntries(
    Object.entries(namesByType).flatMap(([type, names]) =>
      // The keys of the argument are search types.
      names.map(name => [name, type as SearchType] as const),
    ),
  );
}

/** Makes a search record of a list record: the searchable fields only, ids as integers. */
export function searchMapping(
  fields: Readonly<Record<string, SearchType>>,
): (record: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> {
  const names = Object.entries(fields);
  return record =>
    Object.fromEntries(
      names.map(([name, type]) => [
        name,
        type === 'integer' && typeof record[name] === 'string'
          ? asInteger(record[name])
          : (record[name] ?? null),
      ]),
    );
}
