import type { z } from 'zod';
import type { SearchType } from '../kind/kind.ts';
import { asInteger } from '../kind/record.ts';
import { searchFieldsOf, type SearchFieldsOf } from '../kind/search-fields.ts';

/** Ids that searches return as integers, although TikTok lists them as strings. */
const integerIds = ['ad_id', 'adgroup_id', 'advertiser_id', 'campaign_id'] as const;
type IntegerId = (typeof integerIds)[number];

/** Derives searchable fields from a record: those with these names, by default all. */
export function searchFields<R extends z.ZodObject, const Name extends keyof R['shape'] & string>(
  record: R,
  // Without names, Name stands for all of them.
  names: readonly Name[] = Object.keys(record.shape).toSorted() as Name[],
): { readonly [N in Name]: N extends IntegerId ? 'integer' : SearchFieldsOf<R>[N] } {
  const types = searchFieldsOf(record);
  const fields = names.map(name => [name, isIntegerId(name) ? 'integer' : types[name]]);
  // The type makes the same distinction.
  return Object.fromEntries(fields) as ReturnType<typeof searchFields<R, Name>>;
}

function isIntegerId(name: string): name is IntegerId {
  return (integerIds as readonly string[]).includes(name);
}

/**
 * Creates a mapper from list records to search records, which contain only the searchable fields and have
 * integer ids.
 */
export function searchMapping(
  fields: Readonly<Record<string, SearchType>>,
): (record: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> {
  const names = Object.entries(fields);
  return record => {
    const mapped: Record<string, unknown> = {};
    for (const [name, type] of names) {
      const value = record[name] ?? null;
      mapped[name] = type === 'integer' && typeof value === 'string' ? asInteger(value) : value;
    }
    return mapped;
  };
}
