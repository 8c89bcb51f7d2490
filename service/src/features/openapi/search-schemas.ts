import type { JsonObject } from '@connector-auth/api';
import {
  comparisonOperators,
  isIdName,
  type Searchable,
  type SearchType,
} from '@connector-auth/connectors/kind';

const integer = { type: 'integer', format: 'int64' };
const digits = { type: 'string', pattern: '^-?\\d+$' };

/** The values that a field of each type can be compared with. */
const operands: Readonly<Record<SearchType, JsonObject>> = {
  string: { type: 'string' },
  integer,
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  array: { type: 'array', items: {} },
  object: { type: 'object', additionalProperties: true },
  decimal: { anyOf: [{ type: 'number' }, { type: 'string' }] },
};

/** The values of a field of each type in a record. */
const values: Readonly<Record<SearchType, JsonObject>> = { ...operands, decimal: { type: 'string' } };

const ordered: readonly SearchType[] = ['string', 'integer', 'number', 'decimal'];
const text: readonly SearchType[] = ['string', 'decimal'];

/** The properties that every search response has besides its records. */
export const searchMeta: JsonObject = {
  type: 'object',
  properties: {
    has_more: { type: 'boolean' },
    cursor: { type: ['string', 'null'], description: 'Cursor of the next page; null on the last page' },
    took_ms: { type: 'number' },
    sync: {
      type: 'object',
      properties: {
        status: {
          type: 'string',
          enum: ['building', 'preview', 'ready'],
          description:
            '`building` before the first page is synced, `preview` until all records have been synced once, then `ready`',
        },
        last_synced_at: {
          type: ['string', 'null'],
          format: 'date-time',
          description: 'End of the last sync run; null before the first one has ended',
        },
      },
      required: ['status', 'last_synced_at'],
    },
  },
  required: ['has_more', 'cursor', 'took_ms', 'sync'],
};

const anyOperand = { additionalProperties: true };

/** A filter on the elements of an array. Its fields are paths inside an element. */
export const elementFilter: JsonObject = {
  type: 'object',
  description: 'A filter on array elements. Fields are paths inside an element; `*` is the element itself.',
  properties: {
    ...Object.fromEntries(comparisonOperators.map(operator => [operator, { type: 'object', ...anyOperand }])),
    any: { type: 'object', additionalProperties: { $ref: '#/components/schemas/SearchElementFilter' } },
    not: { $ref: '#/components/schemas/SearchElementFilter' },
    and: { type: 'array', items: { $ref: '#/components/schemas/SearchElementFilter' } },
    or: { type: 'array', items: { $ref: '#/components/schemas/SearchElementFilter' } },
  },
  additionalProperties: false,
};

/** Adds the schemas of an entity's search: params, filter, sort order and record. */
export function addSearchSchemas(
  schemas: Record<string, unknown>,
  prefix: string,
  { fields }: Searchable,
): void {
  const names = Object.entries(fields);
  const ref = (name: string) => ({ $ref: `#/components/schemas/${prefix}Search${name}` });
  const inObjects = names.some(([, type]) => type === 'object');
  /** An object with a member for each field of the given types, and for paths inside objects if there are any. */
  const byField = (
    types: readonly SearchType[],
    schemaOf: (name: string, type: SearchType) => JsonObject,
  ) => ({
    type: 'object',
    properties: Object.fromEntries(
      names.filter(([, type]) => types.includes(type)).map(([name, type]) => [name, schemaOf(name, type)]),
    ),
    additionalProperties: inObjects,
  });
  const every = names.map(([, type]) => type);
  const equalTo = (name: string, type: SearchType): JsonObject =>
    isIdName(name) && (type === 'string' || type === 'integer')
      ? { anyOf: [integer, digits] }
      : operands[type];
  const sortable = names
    .filter(([, type]) => type === 'boolean' || ordered.includes(type))
    .map(([name]) => name);
  const arrays: readonly SearchType[] = ['array'];

  schemas[`${prefix}SearchEquals`] = byField(every, (name, type) => orNull(equalTo(name, type)));
  schemas[`${prefix}SearchBounds`] = byField(ordered, (name, type) =>
    type === 'integer' && isIdName(name) ? { anyOf: [integer, digits] } : operands[type],
  );
  schemas[`${prefix}SearchText`] = byField(text, () => ({ type: 'string' }));
  schemas[`${prefix}SearchFilter`] = {
    type: 'object',
    description: 'All operators and fields must match.',
    properties: {
      eq: described(
        ref('Equals'),
        'Null matches records without the field. A day matches times on that day in UTC.',
      ),
      neq: described(
        ref('Equals'),
        'Also matches records without the field. Null matches records with the field.',
      ),
      gt: ref('Bounds'),
      gte: ref('Bounds'),
      lt: ref('Bounds'),
      lte: ref('Bounds'),
      in: byField(every, (name, type) => ({ type: 'array', items: equalTo(name, type) })),
      like: described(ref('Text'), '`%` matches any text and `_` any character. Ignores case.'),
      fuzzy: described(ref('Text'), 'Matches the words in the given order. Ignores case.'),
      keyword: described(ref('Text'), 'Matches any of the given words. Ignores case.'),
      contains: byField(arrays, () => ({})),
      any: byField(arrays, () => ({ $ref: '#/components/schemas/SearchElementFilter' })),
      not: ref('Filter'),
      and: { type: 'array', items: ref('Filter') },
      or: { type: 'array', items: ref('Filter') },
    },
    additionalProperties: false,
  };
  const field = inObjects
    ? { type: 'string', description: `One of ${sortable.join(', ')}, or a path inside an object` }
    : { type: 'string', enum: sortable };
  const direction = { type: 'string', enum: ['asc', 'desc'] };
  schemas[`${prefix}SearchSort`] = {
    description: 'A field, or `-` and a field for descending order, or an object.',
    anyOf: [
      inObjects ? { type: 'string' } : { type: 'string', enum: sortable.flatMap(name => [name, `-${name}`]) },
      {
        type: 'object',
        properties: { field, order: direction },
        required: ['field'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: Object.fromEntries(sortable.map(name => [name, direction])),
        additionalProperties: inObjects ? direction : false,
      },
    ],
  };
  schemas[`${prefix}SearchParams`] = {
    type: 'object',
    properties: {
      query: {
        type: 'object',
        properties: {
          filter: ref('Filter'),
          sort: { anyOf: [ref('Sort'), { type: 'array', items: ref('Sort'), maxItems: 32 }] },
        },
        additionalProperties: false,
      },
      limit: { type: 'integer', minimum: 1, maximum: 10_000, default: 1000 },
      cursor: {
        type: 'string',
        description: '`meta.cursor` of the previous page, with the same filter and sort',
      },
      fields: {
        type: 'array',
        minItems: 1,
        maxItems: 1000,
        items: inObjects ? { type: 'string' } : { type: 'string', enum: names.map(([name]) => name) },
        description: 'The fields to return. Default: all.',
      },
    },
    required: ['query'],
    additionalProperties: false,
  };
  schemas[`${prefix}SearchRecord`] = {
    type: 'object',
    description: 'Contains the requested fields.',
    properties: Object.fromEntries(names.map(([name, type]) => [name, orNull(values[type])])),
    ...(inObjects ? { additionalProperties: true } : {}),
  };
}

function orNull(schema: JsonObject): JsonObject {
  // Generators read a type list or an `anyOf` with null as a nullable type.
  return Array.isArray(schema['anyOf'])
    ? { anyOf: [...(schema['anyOf'] as JsonObject[]), { type: 'null' }] }
    : { ...schema, type: [schema['type'], 'null'] };
}

function described(schema: JsonObject, description: string): JsonObject {
  return { ...schema, description };
}
