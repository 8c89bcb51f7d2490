import { count, day, money, shortMoney } from '../format.ts';
import type { AdFigures } from './ad-figures.ts';
import type { ChartSpec } from './chart-spec.ts';

/** The number of campaigns in the chart. The table lists all of them. */
const maxBars = 6;

export function spendByDay({ days, total }: AdFigures, currency: string | null): ChartSpec {
  const format = (value: number) => money(value, currency);
  return {
    shape: 'line',
    title: 'Spend per day',
    summary: `Ad spend per day. ${format(total.spend)} in ${days.length} days.`,
    points: days.map(({ day, spend }) => ({ at: day, value: spend, text: format(spend) })),
    color: 'var(--series-1)',
    tick: value => shortMoney(value, currency),
    table: { head: ['Day', 'Spend'], rows: days.map(({ day: date, spend }) => [day(date), format(spend)]) },
  };
}

export function conversionsByDay({ days, total }: AdFigures): ChartSpec {
  return {
    shape: 'columns',
    title: 'Conversions per day',
    summary: `Conversions per day. ${count(total.conversions)} in ${days.length} days.`,
    points: days.map(({ day, conversions }) => ({ at: day, value: conversions, text: count(conversions) })),
    color: 'var(--series-2)',
    tick: value => count(value),
    table: {
      head: ['Day', 'Conversions'],
      rows: days.map(({ day: date, conversions }) => [day(date), count(conversions)]),
    },
  };
}

export function spendByCampaign({ campaigns }: AdFigures, currency: string | null): ChartSpec {
  const format = (value: number) => money(value, currency);
  const shown = campaigns.slice(0, maxBars);
  const isPart = campaigns.length > shown.length;
  return {
    shape: 'bars',
    title: isPart ? `Top ${shown.length} of ${campaigns.length} campaigns by spend` : 'Spend by campaign',
    summary: `Ad spend by campaign. ${shown.map(({ name, spend }) => `${name}: ${format(spend)}`).join('. ')}`,
    points: shown.map(({ name, spend, conversions }) => ({
      at: name,
      value: spend,
      text: `${format(spend)} · ${count(Math.round(conversions))} conversions`,
    })),
    color: 'var(--series-1)',
    tick: value => shortMoney(value, currency),
    table: {
      head: ['Campaign', 'Spend', 'Conversions', 'Cost per conversion'],
      rows: campaigns.map(({ name, spend, conversions }) => [
        name,
        format(spend),
        count(conversions),
        conversions === 0 ? '–' : format(spend / conversions),
      ]),
    },
  };
}
