import { describe, expect, test } from 'vitest';
import { fixture } from '../../test/google-ads.ts';
import { asArray, asObject } from '../kind/record.ts';
import { googleAds } from './index.ts';
import { searchRecordOf } from './search-record.ts';

interface VendorField {
  field: string;
  json: string;
  type: string;
  wire: string;
  absent: null | [];
}
const vendorFields = fixture('search_fields') as Record<string, VendorField[]>;
const entityNames = Object.keys(vendorFields);
type Searched = 'campaigns';

/** By type, a value as Google sends it and the same value in a search record. */
const values: Record<string, [unknown, unknown]> = {
  'string (int64)': ['20411122233', 20_411_122_233],
  'string (enum name)': ['ENABLED', 'ENABLED'],
  'array of string': [['a'], ['a']],
  'array of string (enum name)': [['A'], ['A']],
  boolean: [false, false],
  number: [0, 0],
  string: ['2026-01-12 23:59:59', '2026-01-12 23:59:59'],
};

function put(row: Record<string, unknown>, path: string, value: unknown): void {
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let object = row;
  for (const step of steps) object = (object[step] ??= {}) as Record<string, unknown>;
  object[last] = value;
}

describe('Google Ads search records', () => {
  test.each(entityNames)('maps every field of a %s row to the search record', entity => {
    // The names are those of searchable entities.
    const { fields } = googleAds.entities[entity as Searched].search;
    const row: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const { field, json, wire } of vendorFields[entity] ?? []) {
      const [sent, shown] = values[wire] ?? [];
      put(row, json, sent);
      expected[field] =
        field === 'campaign.start_date' || field === 'campaign.end_date' ? '2026-01-12' : shown;
    }
    expect(searchRecordOf({ from: '', fields })(row)).toEqual(expected);
    const types = Object.fromEntries((vendorFields[entity] ?? []).map(({ field, type }) => [field, type]));
    expect(fields).toEqual(types);
  });

  test.each(entityNames)('maps an empty %s row to a complete search record', entity => {
    const { fields } = googleAds.entities[entity as Searched].search;
    const absent = Object.fromEntries(
      (vendorFields[entity] ?? []).map(({ field, absent }) => [field, absent]),
    );
    expect(searchRecordOf({ from: '', fields })({})).toEqual(absent);
  });

  const { fields } = googleAds.entities.campaigns.search;
  const campaignRecords = (name: string) =>
    asArray(asObject(fixture(name))['results']).map(row =>
      searchRecordOf({ from: '', fields })(asObject(row)),
    );

  test('maps integers and micros to integers', () => {
    const [first, second] = campaignRecords('search_campaigns_4_sync_query_v25');
    expect(first).toMatchObject({
      'campaign.id': 20_411_122_233,
      'campaign.start_date': '2026-01-12',
      'campaign.end_date': null,
      'campaign.labels': [],
      'campaign.network_settings.target_content_network': false,
      'campaign_budget.amount_micros': 15_000_000,
      'metrics.cost_micros': 18_230_000,
      'metrics.average_cpc': 444634.1463414634,
      'segments.hour': 14,
      'segments.ad_network_type': 'SEARCH',
    });
    expect(second).toMatchObject({ 'segments.hour': 0, 'metrics.clicks': 0, 'metrics.average_cpc': null });
  });

  test('maps campaign days in versions up to v22', () => {
    const [record] = campaignRecords('search_campaigns_3_v22_start_date');
    expect(record).toMatchObject({ 'campaign.start_date': '2026-01-12', 'campaign.end_date': '2037-12-30' });
  });

  test('preserves all digits of integers outside the safe range', () => {
    const record = searchRecordOf({ from: '', fields })({ campaign: { id: '9223372036854775807' } });
    expect(record['campaign.id']).toBe(9_223_372_036_854_775_807n);
  });
});
