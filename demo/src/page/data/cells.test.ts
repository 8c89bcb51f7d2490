import { expect, test } from 'vitest';
import { detailOf, isNumeric, textOf } from './cells.ts';
import { accountOf, gongNames, googleAdsNames, noNames } from './names.ts';

const ads = googleAdsNames({
  accounts: [{ 'customer.id': 6120459183, 'customer.currency_code': 'GBP' }],
  campaigns: [
    {
      'campaign.id': 9,
      'campaign.name': 'Brand',
      'campaign.resource_name': 'customers/6120459183/campaigns/9',
    },
  ],
  labels: [{ 'label.name': 'core', 'label.resource_name': 'customers/6120459183/labels/1' }],
});
const adGroup = {
  'campaign.id': 9,
  'ad_group.campaign': 'customers/6120459183/campaigns/9',
  'campaign.resource_name': 'customers/6120459183/campaigns/9',
  'campaign.status': 'ENABLED',
  'campaign.labels': ['customers/6120459183/labels/1', 'customers/6120459183/labels/2'],
  'campaign.start_date': '2026-11-02',
  'metrics.cost_micros': 12_500_000,
  'metrics.ctr': 0.0512,
  'segments.hour': 9,
};

test.each([
  ['campaign.id', 'Brand'],
  ['ad_group.campaign', 'Brand'],
  ['campaign.resource_name', 'customers/6120459183/campaigns/9'],
  ['campaign.status', 'Enabled'],
  ['campaign.labels', 'core, customers/6120459183/labels/2'],
  ['campaign.start_date', 'Nov 2, 2026'],
  ['metrics.cost_micros', '£12.50'],
  ['metrics.ctr', '5.1%'],
  ['segments.hour', '09:00'],
  ['metrics.clicks', ''],
])('shows %s of a record as “%s”', (field, expected) => {
  expect(textOf(adGroup, field, ads)).toBe(expected);
});

test('shows a call’s owner and speakers by name, and its length in minutes', () => {
  const names = gongNames([{ id: '8123456789012345671', firstName: 'Petra', lastName: 'Lopes' }]);
  const call = {
    id: '7001234567890123450',
    title: 'QBR',
    primaryUserId: '8123456789012345671',
    duration: 1804,
    parties: [{ name: 'Petra Lopes' }, { emailAddress: 'cfo@acme.example' }],
    isPrivate: false,
  };
  const texts = Object.keys(call).map(field => textOf(call, field, names));
  expect(texts).toEqual([
    '7001234567890123450',
    'QBR',
    'Petra Lopes',
    '30 min',
    'Petra Lopes, cfo@acme.example',
    'No',
  ]);
});

test('shows ids as they are in the list of a record’s values, but names of people', () => {
  expect(detailOf(adGroup, 'campaign.id', ads)).toBe('9');
  expect(detailOf(adGroup, 'campaign.resource_name', ads)).toBe('customers/6120459183/campaigns/9');
  expect(detailOf(adGroup, 'ad_group.campaign', ads)).toBe('Brand');
  const names = gongNames([{ id: '8123456789012345671', firstName: 'Petra', lastName: 'Lopes' }]);
  expect(detailOf({ primaryUserId: '8123456789012345671' }, 'primaryUserId', names)).toBe('Petra Lopes');
});

test('shows the id of a campaign as it is beside its name', () => {
  expect(textOf({ ...adGroup, 'campaign.name': 'Brand' }, 'campaign.id', ads)).toBe('9');
});

test('leaves a title in capital letters as it is', () => {
  expect(textOf({ title: 'QBR' }, 'title', noNames)).toBe('QBR');
});

test('aligns amounts as numbers, but not ids', () => {
  expect(isNumeric(adGroup, 'metrics.cost_micros')).toBe(true);
  expect(isNumeric(adGroup, 'campaign.id')).toBe(false);
});

test('finds the account of a record in its resource names', () => {
  expect(accountOf(adGroup)).toBe('6120459183');
  expect(accountOf({ 'campaign.resource_name': null, title: 'customers/1' })).toBeNull();
});
