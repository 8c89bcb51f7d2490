import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { tiktokMarketing } from './index.ts';
import { commonDecimals, conversionDecimals } from './report-row.ts';

/** The field tables of the specification: `records` for lists, `search` for search. */
const specification = JSON.parse(
  readFileSync(new URL('fixtures/specification.json', import.meta.url), 'utf8'),
) as Record<'records' | 'search', Record<string, Record<string, string>>>;

/**
 * Decimals that are sent as strings. Search declares them as decimals, so that it compares them as numbers.
 */
const decimals: readonly string[] = [...commonDecimals, ...conversionDecimals, 'cash_spend', 'voucher_spend'];

const entities = Object.entries(tiktokMarketing.entities);

describe('the TikTok specification', () => {
  test('declares exactly the specified entities', () => {
    const names = entities.map(([name]) => name).toSorted();
    expect(names).toEqual(Object.keys(specification.records).toSorted());
    expect(names).toEqual(Object.keys(specification.search).toSorted());
  });

  test.each(entities)(
    '%s declares exactly the specified record fields with their types',
    (name, { actions, search }) => {
      const { properties = {} } = z.toJSONSchema(actions.list.record, { unrepresentable: 'any' });
      const declared = Object.entries(properties).map(([field, schema]) => [field, notation(schema)]);
      // TikTok omits fields that the specification requires; only a record's own id is always present.
      const expected = Object.entries(specification.records[name] ?? {}).map(([field, type]) => [
        field,
        type.endsWith('?') || field === search.primaryKey[0] ? type : `${type}?`,
      ]);
      expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(expected));
    },
  );

  test.each(entities)(
    '%s declares exactly the specified searchable fields with their types',
    (name, { search }) => {
      const expected = Object.entries(specification.search[name] ?? {}).map(([field, type]) => [
        field,
        decimals.includes(field) ? 'decimal' : type,
      ]);
      expect(search.fields).toEqual(Object.fromEntries(expected));
    },
  );

  test.each(entities)('%s indexes and identifies records by searchable fields', (_name, { search }) => {
    for (const field of [...search.primaryKey, ...search.indexed, ...search.text]) {
      expect(search.fields).toHaveProperty([field]);
    }
  });
});

/** Describes a JSON Schema in the notation of the specification: `string`, `integer?` and so on. */
function notation(schema: unknown): string {
  const types = typesOf(schema);
  const isNullable = types.delete('null');
  return `${[...types].join('|')}${isNullable ? '?' : ''}`;
}

/** Returns the types in a JSON Schema. A `bigint` adds none, because JSON Schema cannot represent it. */
function typesOf(schema: unknown): Set<string> {
  const { type = [], anyOf = [] } = schema as { type?: string | string[]; anyOf?: readonly unknown[] };
  return new Set([type, ...anyOf.map(one => [...typesOf(one)])].flat());
}
