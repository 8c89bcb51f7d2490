import { expect, test } from 'vitest';
import { conversionsByDay, spendByCampaign, spendByDay } from './ad-charts.ts';
import type { AdFigures } from './ad-figures.ts';

const campaigns = Array.from({ length: 9 }, (_, index) => ({
  name: `Campaign ${index + 1}`,
  spend: 900 - index * 100,
  conversions: index === 8 ? 0 : 10,
}));
const figures: AdFigures = {
  days: [
    { day: '2026-11-21', spend: 12.5, conversions: 3 },
    { day: '2026-11-22', spend: 0, conversions: 0 },
  ],
  campaigns,
  total: { spend: 12.5, conversions: 3 },
  before: { spend: 10, conversions: 2 },
};

test('has a table with the same days as the chart', () => {
  for (const spec of [spendByDay(figures, 'EUR'), conversionsByDay(figures)]) {
    expect(spec.table.rows).toHaveLength(spec.points.length);
    expect(spec.table.rows.map(([, value]) => value)).toEqual(spec.points.map(({ text }) => text));
  }
});

test('draws the campaigns with the highest spend, and lists all of them in the table', () => {
  const spec = spendByCampaign(figures, 'EUR');
  expect(spec.title).toBe('Top 6 of 9 campaigns by spend');
  expect(spec.points.map(({ at }) => at)).toEqual(campaigns.slice(0, 6).map(({ name }) => name));
  expect(spec.table.rows).toHaveLength(9);
  expect(spec.table.rows.at(-1)).toEqual(['Campaign 9', '€100.00', '0', '–']);
});

test('says in words what the chart shows', () => {
  expect(spendByDay(figures, 'EUR').summary).toBe('Ad spend per day. €12.50 in 2 days.');
});
