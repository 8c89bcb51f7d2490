import { expect, test } from 'vitest';
import { changeOf, periodDays, sumAds, type AdRow } from './ads.ts';

/** The newest day, which is not complete and does not count. */
const today = row(9, '2026-11-23', 7_000_000, 7);

function row(id: number, date: string, micros: number, conversions = 0): AdRow {
  return {
    'campaign.resource_name': `customers/6120459183/campaigns/${id}`,
    'segments.date': date,
    'metrics.cost_micros': micros,
    'metrics.conversions': conversions,
  };
}

test('adds hours and networks up to days, and converts micros to the currency', () => {
  const { days, total } = sumAds([
    row(1, '2026-11-21', 1_250_000, 1.5),
    row(1, '2026-11-21', 750_000),
    row(2, '2026-11-22', 500_000, 2),
    today,
  ]);
  expect(days).toHaveLength(periodDays);
  expect(days.slice(-2)).toEqual([
    { day: '2026-11-21', spend: 2, conversions: 1.5 },
    { day: '2026-11-22', spend: 0.5, conversions: 2 },
  ]);
  expect(total).toEqual({ spend: 2.5, conversions: 3.5 });
});

test('shows days without figures as zero', () => {
  const { days } = sumAds([today]);
  expect(days[0]).toEqual({ day: '2026-10-26', spend: 0, conversions: 0 });
  expect(days.at(-1)?.day).toBe('2026-11-22');
});

test('has no days if there are no figures at all', () => {
  expect(sumAds([])).toMatchObject({ days: [], total: { spend: 0, conversions: 0 } });
});

test('compares with the period before, which does not count in the total', () => {
  const { total, before } = sumAds([
    row(1, '2026-09-27', 1_000_000),
    row(1, '2026-10-25', 4_000_000),
    row(1, '2026-10-26', 5_000_000),
    today,
  ]);
  expect(before.spend).toBe(4);
  expect(total.spend).toBe(5);
  expect(changeOf(total.spend, before.spend)).toBeCloseTo(0.25);
  expect(changeOf(5, 0)).toBeNull();
});
