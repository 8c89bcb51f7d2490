import { expect, test } from 'vitest';
import { fieldsOf, labelOf, unitOf } from './fields.ts';

test.each([
  ['campaign.name', 'Campaign'],
  ['campaign.campaign_budget', 'Campaign budget'],
  ['ad_group.cpc_bid_micros', 'Ad group CPC bid'],
  ['metrics.ctr', 'CTR'],
  ['segments.date', 'Day of figures'],
  ['primaryUserId', 'Owner'],
  ['emailAddress', 'Email address'],
  ['advertiser_id', 'Advertiser ID'],
])('names the field %s “%s”', (name, label) => {
  expect(labelOf(name)).toBe(label);
});

test('takes a field’s type from the first record that has a value, or else from its name', () => {
  const types = fieldsOf([
    { id: '7', hour: null, open: null, labels: [], owner: null, note: null, 'metrics.clicks': null },
    {
      id: '8',
      hour: 9,
      open: false,
      labels: ['a'],
      owner: { name: 'Petra' },
      note: null,
      'metrics.clicks': null,
    },
  ]).map(({ name, type }) => [name, type]);
  expect(Object.fromEntries(types)).toEqual({
    id: 'text',
    hour: 'number',
    open: 'boolean',
    labels: 'list',
    owner: 'object',
    note: 'text',
    'metrics.clicks': 'number',
  });
});

test('reads micros as money and seconds as minutes', () => {
  expect(unitOf('metrics.cost_micros')).toEqual({ stored: 1_000_000, name: 'money' });
  expect(unitOf('duration')).toEqual({ stored: 60, name: 'minutes' });
  expect(unitOf('metrics.clicks')).toBeNull();
});
