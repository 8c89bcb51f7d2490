import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { everything, filters, sorts } from '../../../test/search/arbitrary.ts';
import { recordTableOf } from '../../shared/records/record-table.ts';
import { costOf, requireAffordable } from './cost.ts';
import { readQuery } from './query.ts';

const table = recordTableOf('searchable', 'things', everything);
const runs = { numRuns: Number(process.env['SEARCH_SETS'] ?? 0) * 100 || 2_000, seed: 20261122 };

interface Params {
  readonly query: { readonly filter?: unknown; readonly sort?: readonly unknown[] };
  readonly limit?: number;
  readonly fields?: readonly string[];
}

const unitsOf = (params: Params, records: number): number =>
  costOf(table, readQuery(table, { ...params }), records).units;
const someRecords = fc.integer({ min: 0, max: 1_000_000 });

test('never lowers the cost of a search when a condition is added', () => {
  const property = fc.property(filters, filters, someRecords, (filter, added, records) => {
    const units = unitsOf({ query: { filter } }, records);
    for (const larger of [{ and: [filter, added] }, { or: [added, filter] }, { not: filter }]) {
      expect(unitsOf({ query: { filter: larger } }, records)).toBeGreaterThanOrEqual(units);
    }
  });
  fc.assert(property, runs);
});

test('never lowers the cost of a search when it gets more sort fields, output fields, results or records', () => {
  const fields = fc.uniqueArray(fc.constantFrom('id', 'note', 'labels', 'owner.name', 'owner.a.b'), {
    minLength: 1,
  });
  const query = fc.record({ filter: filters, sort: sorts });
  const property = fc.property(
    query,
    fields,
    someRecords,
    ({ filter, sort: sortForms }, [first = 'id', ...others], records) => {
      const sort = [sortForms].flat();
      const params = { query: { filter, sort }, fields: [first], limit: 100 };
      const units = unitsOf(params, records);
      for (const fewer of [
        unitsOf({ ...params, query: { filter, sort: sort.slice(0, -1) } }, records),
        unitsOf({ ...params, limit: 99 }, records),
        unitsOf(params, Math.floor(records / 2)),
      ]) {
        expect(fewer).toBeLessThanOrEqual(units);
      }
      expect(unitsOf({ ...params, fields: [first, ...others] }, records)).toBeGreaterThanOrEqual(units);
    },
  );
  fc.assert(property, runs);
});

const likes = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ any: { labels: { like: { name: `%${n}%` } } } }));

test.each([
  [{ query: { filter: { or: [{ eq: { id: 1 } }, ...likes(990)] } } }, 'query.filter.any.labels.like.name'],
  [{ query: { filter: { keyword: { note: 'a b '.repeat(250) } } } }, 'query.filter.keyword.note'],
  [
    {
      query: {
        filter: { and: Array.from({ length: 500 }, () => ({ not: { contains: { 'owner.tags': 1 } } })) },
      },
    },
    'query.filter.contains.owner.tags',
  ],
  [{ query: { sort: ['a', 'b', 'c'].map(name => ({ [`owner.${name}`]: 'asc' })) } }, 'query.sort.owner.a'],
  [{ query: {}, limit: 10_000, fields: Array.from({ length: 1000 }, (_, n) => `owner.n${n}`) }, 'fields'],
])('rejects a search that is too expensive and names its costliest part (%#)', (params, path) => {
  const query = readQuery(table, params);
  const { units, costliest } = costOf(table, query, 20_000);
  expect(costliest.path).toBe(path);
  const check = (limit: number) => requireAffordable(table, query, { records: 20_000, limit });
  expect(() => check(units)).not.toThrow();
  expect(() => check(units - 1)).toThrow(
    expect.objectContaining({
      code: 'query_too_expensive',
      status: 422,
      message: expect.stringContaining(`Its costliest part is ${path} (`),
      errors: [
        {
          path: `params.${path}`,
          message: expect.stringMatching(
            /^Its cost is [\d,]+, and the limit for the whole search is [\d,]+$/,
          ),
        },
      ],
    }),
  );
});

test('counts each word of a keyword operator and each level of any operators', () => {
  const unitsOfFilter = (filter: unknown) => unitsOf({ query: { filter } }, 100_000);
  const words = (count: number) => unitsOfFilter({ keyword: { note: 'word '.repeat(count) } });
  expect(words(200) / words(100)).toBeCloseTo(2, 1);
  const nested = (depth: number): object =>
    depth === 0 ? { like: { '*': '%a%' } } : { any: { '*': nested(depth - 1) } };
  const levels = (count: number) => unitsOfFilter({ any: { labels: nested(count) } });
  expect(levels(2) / levels(1)).toBeGreaterThan(9);
});

const spend = { gte: { spend: 1 } };

test.each([
  ['no filter', {}],
  ['a range of the field it sorts by', { filter: spend, sort: ['-spend'] }],
  ['a range of the key', { filter: { and: [{ gte: { id: 1 } }, { lt: { id: 9 } }] } }],
])('does not ask the planner about a search that an index serves in its order: %s', (_title, query) => {
  const search = readQuery(table, { query, limit: 100 });
  expect(requireAffordable(table, search, { records: 1e9, limit: 10_000 })).toBeNull();
});

test.each([
  [
    'a condition on another field',
    { filter: { ...spend, eq: { note: 'x' } }, sort: ['-spend'] },
    'query.filter.gte.spend',
  ],
  [
    'an alternative',
    { filter: { or: [spend, { lt: { spend: 0 } }] }, sort: ['-spend'] },
    'query.filter.gte.spend',
  ],
  ['another order', { filter: spend, sort: ['ratio'] }, 'query.sort.ratio'],
  ['a second order', { filter: spend, sort: ['-spend', 'ratio'] }, 'query.sort.ratio'],
  ['an order by a property', { sort: ['owner.name'] }, 'query.sort.owner.name'],
  ['words', { filter: { keyword: { note: 'summer sale' } } }, 'query.filter.keyword.note'],
])('rejects a search of many records that the planner expects to be slow: %s', (_title, query, path) => {
  const search = readQuery(table, { query, limit: 100 });
  const check = requireAffordable(table, search, { records: 10_000_000, limit: 10_000 });
  expect(() => check?.(10_000)).not.toThrow();
  expect(() => check?.(400_000)).toThrow(
    expect.objectContaining({
      code: 'query_too_expensive',
      message: expect.stringMatching(
        /^The estimated cost of this search is [\d,]+, and the limit is 10,000,000\. Its costliest part is .* × 10,000,000 records\)\. /,
      ),
      errors: [expect.objectContaining({ path: `params.${path}` })],
    }),
  );
  // Operators can raise the limit, and fewer records need no plan.
  const higher = requireAffordable(table, search, { records: 10_000_000, limit: 1_000_000_000 });
  expect(() => higher?.(400_000)).not.toThrow();
  expect(requireAffordable(table, search, { records: 10_000, limit: 10_000 })).toBeNull();
});

test('always accepts a search with few comparisons, because an index may serve it', () => {
  const filter = { keyword: { note: 'summer sale' }, gte: { clicks: 1 }, eq: { 'campaign.name': 'x' } };
  const query = readQuery(table, { query: { filter, sort: [{ spend: 'desc' }] }, limit: 100 });
  requireAffordable(table, query, { records: 1e9, limit: 10_000 });
});
