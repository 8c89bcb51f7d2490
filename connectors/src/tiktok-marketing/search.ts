import type { SearchType } from '../kind/kind.ts';
import { asInteger } from '../kind/record.ts';

/** Creates searchable fields from field names, grouped by type. */
export function searchFields<const N extends Readonly<Partial<Record<SearchType, readonly string[]>>>>(
  namesByType: N,
): FieldsOf<N> {
  const fields = Object.entries(namesByType).flatMap(([type, names]) => names.map(name => [name, type]));
  // FieldsOf describes exactly these entries.
  return Object.fromEntries(fields) as FieldsOf<N>;
}

type Names<List> = List extends readonly (infer Name extends string)[] ? Name : never;
type FieldsOf<N> = {
  readonly [Name in Names<N[keyof N]>]: {
    [Type in keyof N]: Name extends Names<N[Type]> ? Type : never;
  }[keyof N] &
    SearchType;
};

/**
 * Creates a mapper from list records to search records, which contain only the searchable fields and have
 * integer ids.
 */
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
