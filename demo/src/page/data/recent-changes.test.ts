import { expect, test } from 'vitest';
import { googleAdsNames } from './names.ts';
import { RecentChanges } from './recent-changes.ts';

const resource = 'customers/6120459183/campaigns/9';
const label = 'customers/6120459183/labels/5';
const changedAt = Date.parse('2026-11-23T12:00:00Z');
const rows = [
  { 'campaign.resource_name': resource, 'campaign.status': 'ENABLED', 'campaign.id': 9 },
  { 'campaign.resource_name': 'customers/6120459183/campaigns/10', 'campaign.status': 'ENABLED' },
];

function pausedAndLabelled(): RecentChanges {
  const changes = new RecentChanges();
  const record = { 'campaign.status': 'PAUSED', 'campaign.labels': [label] };
  changes.add(resource, { record, labels: new Map([[label, 'spring']]) }, changedAt);
  return changes;
}

test('shows a change that the last sync did not see', () => {
  const shown = pausedAndLabelled().apply(rows, '2026-11-23T11:30:00Z');
  expect(shown[0]).toMatchObject({
    'campaign.id': 9,
    'campaign.status': 'PAUSED',
    'campaign.labels': [label],
  });
  expect(shown[1]).toBe(rows[1]);
});

test('shows it even if a sync ends right after it, because that may have begun before', () => {
  expect(pausedAndLabelled().apply(rows, '2026-11-23T12:00:10Z')[0]).toMatchObject({
    'campaign.status': 'PAUSED',
  });
});

test('shows what search returns after a later sync', () => {
  expect(pausedAndLabelled().apply(rows, '2026-11-23T12:30:00Z')).toEqual(rows);
});

test('names new labels', () => {
  const names = pausedAndLabelled().withLabels(
    googleAdsNames({
      accounts: [],
      campaigns: [],
      labels: [{ 'label.name': 'core', 'label.resource_name': 'customers/6120459183/labels/1' }],
    }),
  );
  expect(names.byResource(label)).toBe('spring');
  expect([...names.labelsOf('6120459183').keys()]).toEqual(['core', 'spring']);
  expect(names.labelsOf('1').size).toBe(0);
});
