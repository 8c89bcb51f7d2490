import { describe, expect, it } from 'vitest';
import { connector, sources } from '../../gallery/fake-service.ts';
import { chooseSources, findSource } from './sources.ts';

describe('the list of sources', () => {
  it('narrows what can be connected and what is shown as connected', () => {
    const mine = [connector(), connector({ connector_type: 'gong' })];
    const chosen = chooseSources(sources, mine, [' GONG', 'tiktok_marketing']);
    expect(chosen.definitions.map(({ name }) => name)).toEqual(['Gong', 'TikTok Marketing']);
    expect(chosen.connectors.map(({ connector_type }) => connector_type)).toEqual(['gong']);
  });

  it('that is not given narrows nothing', () => {
    expect(chooseSources(sources, [], null).definitions).toBe(sources);
  });

  it('finds a source however its type is written', () => {
    expect(findSource(sources, 'Google Ads')?.name).toBe('Google Ads');
    expect(findSource(sources, 'google')).toBeUndefined();
    expect(findSource(sources, null)).toBeUndefined();
  });
});
