import { describe, expect, test } from 'vitest';
import { connector, sources } from '../../gallery/fake-service.ts';
import { chooseSources, findSource } from './sources.ts';

describe('list of sources', () => {
  test('filters definitions and connectors by connector type', () => {
    const mine = [connector(), connector({ connector_type: 'gong' })];
    const chosen = chooseSources(sources, mine, [' GONG', 'tiktok_marketing']);
    expect(chosen.definitions.map(({ name }) => name)).toEqual(['Gong', 'TikTok Marketing']);
    expect(chosen.connectors.map(({ connector_type }) => connector_type)).toEqual(['gong']);
  });

  test('returns all sources if no list is given', () => {
    expect(chooseSources(sources, [], null).definitions).toBe(sources);
  });

  test('finds a source regardless of how its type is spelled', () => {
    expect(findSource(sources, 'Google Ads')?.name).toBe('Google Ads');
    expect(findSource(sources, 'google')).toBeUndefined();
    expect(findSource(sources, null)).toBeUndefined();
  });
});
