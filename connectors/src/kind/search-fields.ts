import { z } from 'zod';
import type { SearchType } from './kind.ts';

/** The searchable fields that correspond to a record's fields. */
export type SearchFieldsOf<R extends z.ZodObject> = {
  readonly [Name in keyof R['shape'] & string]: SearchTypeOf<R['shape'][Name]>;
};

type SearchTypeOf<Field> = Field extends z.ZodNullable<infer Inner> | z.ZodOptional<infer Inner>
  ? SearchTypeOf<Inner>
  : Field extends z.ZodNumberFormat
    ? 'integer'
    : Field extends z.ZodType<infer Value>
      ? [Value] extends [string]
        ? 'string'
        : [Value] extends [number]
          ? 'number'
          : [Value] extends [number | bigint]
            ? 'integer'
            : [Value] extends [boolean]
              ? 'boolean'
              : [Value] extends [readonly unknown[]]
                ? 'array'
                : 'object'
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
  if (field instanceof z.ZodNullable || field instanceof z.ZodOptional) return searchTypeOf(field.unwrap());
  if (field instanceof z.core.$ZodString || field instanceof z.core.$ZodEnum) return 'string';
  if (field instanceof z.core.$ZodNumberFormat || field instanceof z.core.$ZodBigInt) return 'integer';
  if (field instanceof z.core.$ZodNumber) return 'number';
  if (field instanceof z.core.$ZodBoolean) return 'boolean';
  if (field instanceof z.core.$ZodLiteral) return literalTypes[typeof field._zod.def.values[0]] ?? 'object';
  if (field instanceof z.core.$ZodUnion) return unionType(field._zod.def.options);
  return field instanceof z.core.$ZodArray ? 'array' : 'object';
}

const literalTypes: Readonly<Record<string, SearchType>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
};

/** A union of integers, or of texts, is one; values of any other are objects. */
function unionType(options: readonly z.core.$ZodType[]): SearchType {
  const [type = 'object', ...others] = new Set(options.map(searchTypeOf));
  return others.length === 0 ? type : 'object';
}
