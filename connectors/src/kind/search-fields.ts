import { z } from 'zod';
import type { SearchType } from './kind.ts';

/** The searchable fields that correspond to a record's fields. */
export type SearchFieldsOf<R extends z.ZodObject> = {
  readonly [Name in keyof R['shape'] & string]: SearchTypeOf<R['shape'][Name]>;
};

type SearchTypeOf<Field> =
  Field extends z.ZodNullable<infer Inner>
    ? SearchTypeOf<Inner>
    : Field extends z.ZodString
      ? 'string'
      : Field extends z.ZodNumberFormat
        ? 'integer'
        : Field extends z.ZodNumber
          ? 'number'
          : Field extends z.ZodBoolean
            ? 'boolean'
            : Field extends z.ZodArray
              ? 'array'
              : 'object';

/** Derives searchable fields from the record that an entity lists, in alphabetical order. */
export function searchFieldsOf<R extends z.ZodObject>(record: R): SearchFieldsOf<R> {
  const fields = Object.entries(record.shape)
    .map(([name, field]) => [name, searchTypeOf(field)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  // SearchTypeOf makes the same distinctions.
  return Object.fromEntries(fields) as unknown as SearchFieldsOf<R>;
}

function searchTypeOf(field: z.core.$ZodType): SearchType {
  if (field instanceof z.ZodNullable) return searchTypeOf(field.unwrap());
  if (field instanceof z.ZodString) return 'string';
  if (field instanceof z.ZodNumberFormat) return 'integer';
  if (field instanceof z.ZodNumber) return 'number';
  if (field instanceof z.ZodBoolean) return 'boolean';
  return field instanceof z.ZodArray ? 'array' : 'object';
}
