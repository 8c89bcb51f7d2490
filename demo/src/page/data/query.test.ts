import { expect, test } from 'vitest';
import type { FieldType } from './fields.ts';
import { operatorsOf, toQuery, type Condition } from './query.ts';

const types: Readonly<Record<string, FieldType>> = {
  title: 'text',
  duration: 'number',
  'metrics.cost_micros': 'number',
  'campaign.id': 'number',
  isPrivate: 'boolean',
  labels: 'list',
};
const typeOf = (field: string) => types[field] ?? 'text';
const query = (...conditions: Condition[]) => toQuery({ conditions, sort: null }, typeOf);

test('puts the conditions of different fields and operators into one filter', () => {
  expect(
    query(
      { field: 'title', operator: 'contains', value: 'renewal' },
      { field: 'isPrivate', operator: 'is', value: 'false' },
      { field: 'campaign.id', operator: 'isAnyOf', value: '4, 5,' },
      { field: 'labels', operator: 'isNotEmpty', value: '' },
    ),
  ).toEqual({
    filter: {
      like: { title: '%renewal%' },
      eq: { isPrivate: false },
      in: { 'campaign.id': [4, 5] },
      neq: { labels: null },
    },
  });
});

test('keeps two conditions with the same field and operator', () => {
  expect(
    query(
      { field: 'title', operator: 'contains', value: 'demo' },
      { field: 'title', operator: 'contains', value: 'acme' },
    ),
  ).toEqual({ filter: { like: { title: '%demo%' }, and: [{ like: { title: '%acme%' } }] } });
});

test('searches for the characters %, _ and \\ as they are', () => {
  expect(query({ field: 'title', operator: 'contains', value: '50%_\\' })).toEqual({
    filter: { like: { title: '%50\\%\\_\\\\%' } },
  });
});

test('leaves out conditions without a value, and sends no filter if none is left', () => {
  expect(query({ field: 'title', operator: 'contains', value: ' ' })).toEqual({});
});

test('converts money to micros and minutes to seconds', () => {
  expect(
    query(
      { field: 'metrics.cost_micros', operator: 'atLeast', value: '12.5' },
      { field: 'duration', operator: 'below', value: '30' },
    ),
  ).toEqual({ filter: { gte: { 'metrics.cost_micros': 12_500_000 }, lt: { duration: 1800 } } });
});

test('keeps all digits of a long id', () => {
  expect(query({ field: 'campaign.id', operator: 'is', value: '7001234567890123451' })).toEqual({
    filter: { eq: { 'campaign.id': '7001234567890123451' } },
  });
});

test('sorts in both directions', () => {
  expect(toQuery({ conditions: [], sort: { field: 'title', direction: 'asc' } }, typeOf)).toEqual({
    sort: ['title'],
  });
  expect(toQuery({ conditions: [], sort: { field: 'title', direction: 'desc' } }, typeOf)).toEqual({
    sort: ['-title'],
  });
});

test('offers only operators that the type has', () => {
  expect(operatorsOf('boolean')).not.toContain('contains');
  expect(operatorsOf('list')[0]).toBe('includes');
  expect(operatorsOf('object')).toEqual(['isEmpty', 'isNotEmpty']);
});
