import { expect, test } from 'vitest';
import { definition } from '../../gallery/fake-service.ts';
import { createSearch, searchDefinitions } from './search.ts';

const catalog = [
  definition({ name: 'Google Ads', description: 'Campaigns' }),
  definition({ name: 'Café Métrique', description: 'Umsätze' }),
  definition({ name: 'Ads Manager', connectorType: 'meta_ads', description: 'Campaigns' }),
];

const found = (query: string) => searchDefinitions(catalog, query).map(({ name }) => name);

test('returns all sources in their original order for an empty query', () => {
  expect(searchDefinitions(catalog, '  ')).toBe(catalog);
});
test('ignores case and accents in queries and sources', () => {
  expect(found('CAFE metrique')).toEqual(['Café Métrique']);
  expect(found('umsatze')).toEqual(['Café Métrique']);
});
test('finds words in the name, type and description of a source', () => {
  expect(found('campaigns google')).toEqual(['Google Ads']);
  expect(found('meta')).toEqual(['Ads Manager']);
});
test('lists sources whose names begin with the query first', () => {
  expect(found('ads')).toEqual(['Ads Manager', 'Google Ads']);
});
test('finds no source for an unknown word', () => {
  expect(found('ads salesforce')).toEqual([]);
});
test('returns the same results regardless of the previous query', () => {
  const find = createSearch(catalog);
  for (const query of [
    'a',
    'ad',
    'ads',
    'ads ',
    'ads c',
    'ads',
    'a',
    'm',
    '',
    'met',
    'm',
    'google ads',
    'unknown',
    'ads',
  ]) {
    expect(find(query)).toEqual(searchDefinitions(catalog, query));
  }
});
