import { expect, it } from 'vitest';
import { definition } from '../../gallery/fake-service.ts';
import { createSearch, searchDefinitions } from './search.ts';

const catalog = [
  definition({ name: 'Google Ads', description: 'Campaigns' }),
  definition({ name: 'Café Métrique', description: 'Umsätze' }),
  definition({ name: 'Ads Manager', connectorType: 'meta_ads', description: 'Campaigns' }),
];

const found = (query: string) => searchDefinitions(catalog, query).map(({ name }) => name);

it('answers everything, in its order, to an empty query', () => {
  expect(searchDefinitions(catalog, '  ')).toBe(catalog);
});
it('ignores case and accents, on both sides', () => {
  expect(found('CAFE metrique')).toEqual(['Café Métrique']);
  expect(found('umsatze')).toEqual(['Café Métrique']);
});
it('finds every word anywhere: name, kind, description', () => {
  expect(found('campaigns google')).toEqual(['Google Ads']);
  expect(found('meta')).toEqual(['Ads Manager']);
});
it('puts names that begin with the query first', () => {
  expect(found('ads')).toEqual(['Ads Manager', 'Google Ads']);
});
it('finds nothing for a word that is nowhere', () => {
  expect(found('ads salesforce')).toEqual([]);
});
it('finds the same whatever was typed before', () => {
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
    'nobody',
    'ads',
  ]) {
    expect(find(query)).toEqual(searchDefinitions(catalog, query));
  }
});
