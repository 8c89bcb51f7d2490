import { formatDay, HOUR_WEIGHTS } from '../advertising/calendar.ts';
import { addOnto, partsOf } from '../advertising/split.ts';
import type { Account } from './account.ts';
import { divide } from './breakdowns.ts';
import { NO_COUNTS, type Counts } from './delivery.ts';
import { CODES, TikTokError } from './envelope.ts';
import { ACCOUNT_METRICS, METRICS } from './metrics.ts';
import { cutPage, type PageInfo, type Parameters } from './parameters.ts';
import type { Level } from './portfolio.ts';
import { ATTRIBUTES } from './report-attributes.ts';
import type { ReportFilter } from './report-filter.ts';
import type { ReportRequest } from './report-request.ts';

/** The data of a report response. */
export interface Report {
  readonly list: unknown[];
  readonly page_info: PageInfo;
  readonly total_metrics?: Record<string, string>;
}

/** A row before its numbers are computed. */
interface RowKey {
  readonly account: Account;
  /** The object's index; -1 for the ad account itself. */
  readonly index: number;
  /** 0 for a row that spans the whole range. */
  readonly day: number;
}

interface Row extends RowKey {
  readonly hour: number | undefined;
  readonly values: Record<string, string>;
  readonly counts: Counts;
}

/** The maximum number of ads in a synchronous report. */
const MAX_ADS = 10_000;
const SIZES = { fallback: 10, max: 1000 };
const HOUR_SUM = HOUR_WEIGHTS.reduce<number>((sum, weight) => sum + weight, 0);

/**
 * Runs a report: newest objects first and days in order, unless the request orders by a metric. Throws code
 * 40067 for more than `maxRows` rows; 0 means no limit.
 */
export function runReport(
  accounts: readonly Account[],
  request: ReportRequest,
  parameters: Parameters,
  maxRows: number,
): Report {
  const keys = accounts.flatMap(account => listKeys(account, request));
  if (maxRows > 0 && keys.length > maxRows) {
    throw new TikTokError(CODES.tooLarge, 'query too large, reduce the query size or the time range');
  }
  const isSimple = !request.order && request.filter.metrics.length === 0;
  // If no numbers are needed to select and order the rows, only the page's rows are computed.
  if (isSimple && request.time !== 'hour' && request.breakdowns.length === 0 && !request.wantsTotals) {
    const { rows, pageInfo } = cutPage(parameters, SIZES, keys);
    return {
      list: rows.flatMap(key => drawRows(key, request)).map(row => render(row, request)),
      page_info: pageInfo,
    };
  }
  const all = sortRows(
    keys.flatMap(key => drawRows(key, request)).filter(row => fitsMetrics(row, request)),
    request,
  );
  const { rows, pageInfo } = cutPage(parameters, SIZES, all);
  return {
    list: rows.map(row => render(row, request)),
    page_info: pageInfo,
    ...(request.wantsTotals && pageInfo.page === 1 && { total_metrics: totalMetrics(all, request) }),
  };
}

/** Returns the number of ads in a report, for the throttle header. */
export function countAds(accounts: readonly Account[], request: ReportRequest): number {
  if (request.level !== 'ad' || !request.hasId) return 0;
  return accounts.reduce((sum, account) => sum + listIndexes(account, 'ad', request.filter).length, 0);
}

function listIndexes(
  account: Account,
  level: Level,
  filter: ReportFilter,
): ArrayLike<number> & Iterable<number> {
  if (!filter.isNarrow && !filter.includesDeleted) return account.reported(level);
  const indexes: number[] = [];
  const nodes = account.portfolio[level];
  for (let index = nodes.count - 1; index >= 0; index--) {
    const node = nodes.at(index);
    if (node.isDeleted && !filter.includesDeleted) continue;
    if (node.buyingType !== 'AUCTION') continue;
    if (filter.hasObject(account, level, node)) indexes.push(index);
  }
  return indexes;
}

/** Returns the indexes of the report's objects; -1 stands for the ad account itself. */
function listCovered(account: Account, { level, hasId, filter }: ReportRequest): number[] {
  if (level === 'account' || !hasId) return account.portfolio.ad.count > 0 ? [-1] : [];
  return Array.from(listIndexes(account, level, filter)).slice(0, level === 'ad' ? MAX_ADS : undefined);
}

function listKeys(account: Account, request: ReportRequest): RowKey[] {
  const covered = listCovered(account, request);
  if (request.time === 'none') return covered.map(index => ({ account, index, day: 0 }));
  return covered.flatMap(index =>
    daysOf(account, request, index).map((day): RowKey => ({ account, index, day })),
  );
}

function daysOf(account: Account, { level, from, to }: ReportRequest, index: number): number[] {
  if (level !== 'account' && index >= 0) return account.delivery.days(level, index, from, to);
  const last = Math.min(to, account.today);
  return Array.from({ length: Math.max(0, last - from + 1) }, (_, offset) => from + offset).filter(
    day => account.delivery.accountOn(day) !== undefined,
  );
}

function drawRows(key: RowKey, request: ReportRequest): Row[] {
  const whole = countsOf(key, request);
  const cuts =
    request.time === 'hour'
      ? HOUR_WEIGHTS.map((_, hour) => ({ hour, counts: hourOf(whole, hour) }))
      : [{ hour: undefined, counts: whole }];
  return cuts.flatMap(({ hour, counts }) =>
    divide(counts, request.breakdowns).map(part => ({ ...key, hour, ...part })),
  );
}

function countsOf({ account, index, day }: RowKey, request: ReportRequest): Counts {
  const on = (one: number): Counts | undefined =>
    request.level === 'account' || index < 0
      ? account.delivery.accountOn(one)
      : account.delivery.on(request.level, index, one);
  if (request.time !== 'none') return on(day) ?? NO_COUNTS;
  const sums = [...NO_COUNTS];
  const from = Math.max(request.from, account.today - 430);
  const days =
    request.level === 'account' || index < 0
      ? Array.from(
          { length: Math.max(0, Math.min(request.to, account.today) - from + 1) },
          (_, offset) => from + offset,
        )
      : account.delivery.days(request.level, index, from, request.to);
  for (const one of days) addOnto(sums, on(one) ?? NO_COUNTS);
  return sums;
}

function hourOf(counts: Counts, hour: number): Counts {
  const before = HOUR_WEIGHTS.slice(0, hour).reduce<number>((sum, weight) => sum + weight, 0);
  return partsOf(counts, before, HOUR_WEIGHTS[hour] ?? 0, HOUR_SUM);
}

function metricOf(name: string, counts: Counts, account: Account): string {
  return (METRICS[name] ?? ACCOUNT_METRICS[name])?.(counts, account.advertiser.decimals) ?? '-';
}

function fitsMetrics(row: Row, { filter }: ReportRequest): boolean {
  return filter.metrics.every(({ metric, fits }) => fits(Number(metricOf(metric, row.counts, row.account))));
}

function sortRows(rows: Row[], { order }: ReportRequest): Row[] {
  if (!order) return rows;
  const valueOf = (row: Row): number => Number(metricOf(order.metric, row.counts, row.account)) || 0;
  const ranked = rows.map((row, place) => ({ row, place, value: valueOf(row) }));
  const sign = order.isDescending ? -1 : 1;
  return ranked.sort((a, b) => sign * (a.value - b.value) || a.place - b.place).map(({ row }) => row);
}

function totalMetrics(rows: readonly Row[], { metrics, level }: ReportRequest): Record<string, string> {
  const sums = [...NO_COUNTS];
  for (const { counts } of rows) addOnto(sums, counts);
  const account = rows[0]?.account;
  return Object.fromEntries(
    metrics
      .filter(name => !ATTRIBUTES[level][name])
      .map(name => [name, account ? metricOf(name, sums, account) : '0']),
  );
}

function render(row: Row, { dimensions, metrics, level }: ReportRequest): unknown {
  const { account, index, counts } = row;
  return {
    dimensions: Object.fromEntries(dimensions.map(name => [name, dimensionOf(name, row, level)])),
    metrics: Object.fromEntries(
      metrics.map(name => [
        name,
        ATTRIBUTES[level][name]?.(account, index) ?? metricOf(name, counts, account),
      ]),
    ),
  };
}

function dimensionOf(
  name: string,
  { account, index, day, hour, values }: Row,
  level: 'account' | Level,
): string {
  switch (name) {
    case 'stat_time_day':
      return `${formatDay(day)} 00:00:00`;
    case 'stat_time_hour':
      return `${formatDay(day)} ${String(hour ?? 0).padStart(2, '0')}:00:00`;
    case 'advertiser_id':
      return account.advertiser.id;
    default:
      return values[name] ?? (level === 'account' ? '-' : account.portfolio[level].at(index).id);
  }
}
