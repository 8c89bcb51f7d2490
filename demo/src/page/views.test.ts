import { expect, test } from 'vitest';
import { inOrderOfTime, labelOf, queryOf, textOf, viewOf } from './views.ts';

test('builds a query from the search, the filters and what always applies', () => {
  const view = viewOf('google-ads', 'campaigns');
  expect(queryOf(view, { text: ' 5% off ', filters: { 'campaign.status': 'ENABLED' } })).toEqual({
    filter: {
      and: [
        { eq: { 'segments.date': null } },
        { neq: { 'campaign.status': 'REMOVED' } },
        { eq: { 'campaign.status': 'ENABLED' } },
        { like: { 'campaign.name': String.raw`%5\% off%` } },
      ],
    },
    sort: ['campaign.status'],
  });
  expect(queryOf(viewOf('unknown', 'unknown'))).toEqual({});
});

test('puts calls in the order of their times, whatever their offset', () => {
  const calls = ['2026-11-20T23:30:00-08:00', '2026-11-21T07:00:00Z', '2026-11-21T12:00:00+09:00'];
  const rows = calls.toSorted().map(started => ({ started }));
  expect(inOrderOfTime(rows, viewOf('gong', 'calls')).map(({ started }) => started)).toEqual(calls);
  const notes = [{ title: 'A' }, { title: 'B' }];
  expect(inOrderOfTime(notes, viewOf('granola', 'notes'))).toEqual(notes);
});

test.each([
  ['campaign.name', 'Campaign'],
  ['campaign.serving_status', 'Serving status'],
  ['primaryUserId', 'Owner'],
  ['workspaceId', 'Workspace ID'],
])('names the field %s', (name, label) => {
  expect(labelOf(name)).toBe(label);
});

test.each([
  ['campaign_budget.amount_micros', 66_000_000, '€66.00'],
  ['campaign.status', 'ENABLED', 'Enabled'],
  ['campaign.id', 320_411, '320411'],
  ['title', 'ENABLED', 'ENABLED'],
  ['owner', { name: 'Amina', email: 'a@b.example' }, 'Amina'],
  ['labels', ['one', 'two'], 'one, two'],
  ['active', false, 'No'],
  ['purpose', null, ''],
])('shows %s %j as “%s”', (field, value, text) => {
  expect(textOf({ [field]: value }, field, 'EUR')).toBe(text);
});
