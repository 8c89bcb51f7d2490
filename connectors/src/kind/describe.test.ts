import { expect, test } from 'vitest';
import { kinds } from '../kinds.ts';
import { describeSettings, integratorSettings } from './describe.ts';

test('names the settings that only the integrator may set', () => {
  const byKind = Object.fromEntries(kinds.map(kind => [kind.key, integratorSettings(kind)]));

  expect(byKind).toStrictEqual({
    gong: [],
    'google-ads': ['conversion_window_days', 'api_version', 'access_level'],
    granola: [],
    'tiktok-marketing': [],
  });
});

test('states the audience of every setting in the JSON Schema', () => {
  const audiences = kinds.flatMap(kind => {
    const fields = Object.entries(describeSettings(kind)?.['properties'] ?? {});
    // Each property of a JSON Schema of settings is an object.
    return fields.map(([name, field]) => [kind.key, name, (field as Record<string, unknown>)['x-audience']]);
  });

  expect(audiences).toContainEqual(['google-ads', 'api_version', 'integrator']);
  expect(audiences).toContainEqual(['tiktok-marketing', 'advertiser_ids', 'customer']);
  expect(audiences.filter(([, , audience]) => audience === undefined)).toStrictEqual([]);
});
