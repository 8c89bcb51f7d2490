import { execute } from '../backend.ts';
import { daysAgo } from '../format.ts';
import type { SearchPage } from '../search-page.ts';

/** A campaign's figures for a part of a day, as a search returns them. */
export interface AdRow {
  readonly 'campaign.name': string | null;
  /** `customers/<account>/campaigns/<id>` */
  readonly 'campaign.resource_name': string;
  readonly 'segments.date': string;
  /** A string if a number would round it. */
  readonly 'metrics.cost_micros': number | string | null;
  readonly 'metrics.conversions': number | null;
}

export interface AdAccount {
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
  /** The campaigns of the period with the highest spend first. */
  readonly campaigns: readonly (Sum & { readonly name: string })[];
  readonly total: Sum;
  /** The total of the period of the same length before. */
  readonly before: Sum;
}

export interface AdData {
  readonly accounts: readonly AdAccount[];
  /** Figures by account id, with the account that has the most figures first. */
  readonly rows: ReadonlyMap<string, readonly AdRow[]>;
}

export const periodDays = 28;
const dayMs = 86_400_000;
const microsPerUnit = 1_000_000;
const pageSize = 10_000;

const fields = [
  'campaign.name',
  'campaign.resource_name',
  'segments.date',
  'metrics.cost_micros',
  'metrics.conversions',
] as const satisfies (keyof AdRow)[];

/** The days for which a source may have no figures yet. */
const lateDays = 7;

/** Reads the figures of at least the last two periods. */
export async function loadAds(connectorId: string, now: Date): Promise<AdData> {
  const [accounts, rows] = await Promise.all([
    searchAll<AdAccount>(connectorId, 'accounts', {
      query: { filter: { eq: { 'segments.date': null } } },
      fields: ['customer.id', 'customer.descriptive_name', 'customer.currency_code'],
    }),
    searchAll<AdRow>(connectorId, 'campaigns', {
      query: {
        filter: {
          gte: { 'segments.date': daysAgo(2 * periodDays + lateDays, now) },
        },
        sort: ['segments.date'],
      },
      fields,
    }),
  ]);
  const byAccount = [...Map.groupBy(rows, accountOf)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  return { accounts, rows: new Map(byAccount) };
}

async function searchAll<Row>(
  connectorId: string,
  entity: string,
  params: Record<string, unknown>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const page: SearchPage<Row> = (
      await execute<SearchPage<Row>, null>(connectorId, entity, 'search', {
        ...params,
        limit: pageSize,
        ...(cursor === null ? {} : { cursor }),
      })
    ).result;
    rows.push(...page.data);
    ({ cursor } = page.meta);
  } while (cursor !== null);
  return rows;
}

function accountOf(row: AdRow): string {
  return row['campaign.resource_name'].split('/')[1] ?? '';
}

/**
 * Adds the figures of an account up by day and by campaign. The period ends before the newest day, because that is
 * not complete.
 * @param rows in the order of their days.
 */
export function sumAds(rows: readonly AdRow[]): AdFigures {
  const newest = rows.at(-1)?.['segments.date'];
  const period = newest === undefined ? [] : lastDays(newest, periodDays);
  const periodBefore = newest === undefined ? [] : lastDays(period[0] ?? newest, periodDays);
  const byDay = Map.groupBy(rows, row => row['segments.date']);
  const rowsOf = (days: readonly string[]) => days.flatMap(day => byDay.get(day) ?? []);
  const current = rowsOf(period);
  const byCampaign = Map.groupBy(current, row => row['campaign.resource_name']);
  return {
    days: period.map(day => ({ day, ...sumOf(rowsOf([day])) })),
    campaigns: [...byCampaign.values()]
      .map(ofCampaign => ({ name: nameOf(ofCampaign), ...sumOf(ofCampaign) }))
      .toSorted((one, other) => other.spend - one.spend),
    total: sumOf(current),
    before: sumOf(rowsOf(periodBefore)),
  };
}

/** Lists the days before a day, in their order. */
function lastDays(end: string, length: number): readonly string[] {
  return Array.from({ length }, (_, index) => daysBefore(end, length - index));
}

function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * dayMs).toISOString().slice(0, 10);
}

/** Returns the name in the newest row, because older rows may have an older name. */
function nameOf(rows: readonly AdRow[]): string {
  return rows.at(-1)?.['campaign.name'] ?? 'Campaign without a name';
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
