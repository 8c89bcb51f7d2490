/** What the customer spends on ads and gets for it, from the imported figures of Google Ads. */
import { search, type SearchPage } from './backend.ts';
import { daysAgo } from './format.ts';

/** A campaign's figures for a part of a day, as a search returns them. */
export interface AdRow {
  /** `customers/<account>/campaigns/<id>` */
  readonly 'campaign.resource_name': string;
  readonly 'segments.date': string;
  /** A string if a number would round it. */
  readonly 'metrics.cost_micros': number | string | null;
  readonly 'metrics.conversions': number | null;
}

interface AdAccount {
  readonly 'customer.id': number | string;
  readonly 'customer.descriptive_name': string | null;
  readonly 'customer.currency_code': string | null;
}

export interface Sum {
  readonly spend: number;
  readonly conversions: number;
}

export interface AdFigures {
  /** All days of the period in order, also those without figures. */
  readonly days: readonly (Sum & { readonly day: string })[];
  readonly total: Sum;
  /** The total of the period of the same length before. */
  readonly before: Sum;
}

export interface Ads extends AdFigures {
  readonly account: string;
  readonly currency: string | null;
}

export const periodDays = 28;
const dayMs = 86_400_000;
const microsPerUnit = 1_000_000;
const pageSize = 10_000;
/** The days for which a source may have no figures yet. */
const lateDays = 7;

/** Reads the figures of the last two periods, of the account that has most of them. Null if there are none. */
export async function loadAds(connectorId: string, now: Date): Promise<Ads | null> {
  const { data: accounts } = await search<AdAccount>(connectorId, 'accounts', {
    query: { filter: { eq: { 'segments.date': null } } },
    fields: ['customer.id', 'customer.descriptive_name', 'customer.currency_code'],
    limit: pageSize,
  });
  const rows = await loadRows(connectorId, daysAgo(2 * periodDays + lateDays, now));
  const byAccount = [...Map.groupBy(rows, row => row['campaign.resource_name'].split('/')[1] ?? '')];
  const [most] = byAccount.toSorted(([, one], [, other]) => other.length - one.length);
  if (!most) return null;
  const [id, ofAccount] = most;
  const account = accounts.find(each => String(each['customer.id']) === id);
  return {
    ...sumAds(ofAccount),
    account: account?.['customer.descriptive_name'] ?? id,
    currency: account?.['customer.currency_code'] ?? null,
  };
}

async function loadRows(connectorId: string, firstDay: string): Promise<readonly AdRow[]> {
  const rows: AdRow[] = [];
  let cursor: string | null = null;
  do {
    const page: SearchPage<AdRow> = await search<AdRow>(connectorId, 'campaigns', {
      query: { filter: { gte: { 'segments.date': firstDay } }, sort: ['segments.date'] },
      fields: ['campaign.resource_name', 'segments.date', 'metrics.cost_micros', 'metrics.conversions'],
      limit: pageSize,
      ...(cursor === null ? {} : { cursor }),
    });
    rows.push(...page.data);
    ({ cursor } = page.meta);
  } while (cursor !== null);
  return rows;
}

/**
 * Adds the figures of an account up by day. The period ends before the newest day, because that is
 * not complete.
 * @param rows in the order of their days.
 */
export function sumAds(rows: readonly AdRow[]): AdFigures {
  const newest = rows.at(-1)?.['segments.date'];
  const period = newest === undefined ? [] : lastDays(newest, periodDays);
  const periodBefore = newest === undefined ? [] : lastDays(period[0] ?? newest, periodDays);
  const byDay = Map.groupBy(rows, row => row['segments.date']);
  const rowsOf = (days: readonly string[]) => days.flatMap(day => byDay.get(day) ?? []);
  return {
    days: period.map(day => ({ day, ...sumOf(rowsOf([day])) })),
    total: sumOf(rowsOf(period)),
    before: sumOf(rowsOf(periodBefore)),
  };
}

/** Lists the days before a day, in their order. */
function lastDays(end: string, length: number): readonly string[] {
  const endMs = Date.parse(`${end}T00:00:00Z`);
  return Array.from({ length }, (_, index) =>
    new Date(endMs - (length - index) * dayMs).toISOString().slice(0, 10),
  );
}

function sumOf(rows: readonly AdRow[]): Sum {
  let micros = 0;
  let conversions = 0;
  for (const row of rows) {
    micros += Number(row['metrics.cost_micros'] ?? 0);
    conversions += row['metrics.conversions'] ?? 0;
  }
  return { spend: micros / microsPerUnit, conversions: Math.round(conversions * 100) / 100 };
}

/** Returns by how much a figure changed, as a share of the figure before; null if there is none to compare. */
export function changeOf(current: number, before: number): number | null {
  return before === 0 ? null : current / before - 1;
}
