import { formatDay, HOUR_WEIGHTS } from '../advertising/calendar.ts';
import { addUp, partsOf } from '../advertising/split.ts';
import type { Account } from './account.ts';
import { divide } from './breakdowns.ts';
import { daysBetween, NO_COUNTS, type Counts } from './delivery.ts';
import { CODES, TikTokError } from './envelope.ts';
import { ACCOUNT_METRICS, METRICS } from './metrics.ts';
import { cutPage, type PageInfo, type Parameters } from './parameters.ts';
import type { Ad, AdGroup, Campaign } from './portfolio.ts';
import { ATTRIBUTES } from './report-attributes.ts';
import type { ReportRequest } from './report-request.ts';

/** The data of a report response. */
export interface Report {
  readonly list: unknown[];
  readonly page_info: PageInfo;
}

/** A row before its numbers are computed. */
interface RowKey {
  /** Undefined for the ad account itself. */
  readonly object: Campaign | AdGroup | Ad | undefined;
  /** 0 for a row that spans the whole range. */
  readonly day: number;
}

interface Row extends RowKey {
  readonly hour: number;
  readonly values: Record<string, string>;
  readonly counts: Counts;
}

/** The maximum number of ads in a synchronous report. */
const MAX_ADS = 10_000;
const SIZES = { fallback: 10, max: 1000 };
const HOUR_SUM = HOUR_WEIGHTS.reduce<number>((sum, weight) => sum + weight, 0);

/**
 * Runs a report: newest objects first and days in order. Throws code 40067 for more than `maxRows` rows; 0 means
 * no limit.
 */
export function runReport(
  account: Account,
  request: ReportRequest,
  parameters: Parameters,
  maxRows: number,
): Report {
  const keys = listKeys(account, request);
  if (maxRows > 0 && keys.length > maxRows) {
    throw new TikTokError(CODES.tooLarge, 'query too large, reduce the query size or the time range');
  }
  const draw = (key: RowKey): Row[] => drawRows(account, key, request);
  const isPlain = request.time !== 'hour' && request.breakdowns.length === 0;
  // A key of a plain report is one row, so only the page's rows are computed.
  const all: readonly (RowKey | Row)[] = isPlain ? keys : keys.flatMap(draw);
  const { rows, pageInfo } = cutPage(parameters, SIZES, all);
  const drawn = rows.flatMap(row => ('counts' in row ? [row] : draw(row)));
  return { list: drawn.map(row => render(account, row, request)), page_info: pageInfo };
}

/** Lists the report's objects. A report without an id dimension is about the ad account itself. */
function listObjects(
  { portfolio }: Account,
  { level, hasId, adGroupIds }: ReportRequest,
): RowKey['object'][] {
  if (level === 'account' || !hasId) return portfolio.ad.length > 0 ? [undefined] : [];
  const objects: readonly (Campaign | AdGroup | Ad)[] = portfolio[level];
  const isCovered = (object: Campaign | AdGroup | Ad): boolean => {
    if (!object.isReported) return false;
    const adGroup = 'ads' in object ? object : 'parent' in object ? object.parent : undefined;
    return !adGroupIds || adGroupIds.has(adGroup?.id ?? '');
  };
  const covered = objects.filter(isCovered).toReversed();
  return level === 'ad' ? covered.slice(0, MAX_ADS) : covered;
}

function listKeys(account: Account, request: ReportRequest): RowKey[] {
  const objects = listObjects(account, request);
  if (request.time === 'none') return objects.map(object => ({ object, day: 0 }));
  return objects.flatMap(object => daysOf(account, request, object).map(day => ({ object, day })));
}

/** Lists the days of the report's range on which the object has a row. */
function daysOf(
  { delivery, today }: Account,
  { from, to }: ReportRequest,
  object: RowKey['object'],
): number[] {
  if (object) return delivery.days(object, from, to);
  return daysBetween(from, Math.min(to, today)).filter(day => delivery.accountOn(day) !== undefined);
}

function drawRows(account: Account, key: RowKey, request: ReportRequest): Row[] {
  const whole = countsOf(account, key, request);
  const cuts =
    request.time === 'hour'
      ? HOUR_WEIGHTS.map((_, hour) => ({ hour, counts: hourOf(whole, hour) }))
      : [{ hour: 0, counts: whole }];
  return cuts.flatMap(({ hour, counts }) =>
    divide(counts, request.breakdowns).map(part => ({ ...key, hour, ...part })),
  );
}

function countsOf(account: Account, { object, day }: RowKey, request: ReportRequest): Counts {
  const { delivery } = account;
  const on = (one: number): Counts =>
    (object ? delivery.on(object, one) : delivery.accountOn(one)) ?? NO_COUNTS;
  return request.time === 'none' ? addUp(daysOf(account, request, object).map(on)) : on(day);
}

function hourOf(counts: Counts, hour: number): Counts {
  const before = HOUR_WEIGHTS.slice(0, hour).reduce<number>((sum, weight) => sum + weight, 0);
  return partsOf(counts, before, HOUR_WEIGHTS[hour] ?? 0, HOUR_SUM);
}

function render(account: Account, row: Row, { dimensions, metrics, level }: ReportRequest): unknown {
  const valueOf = (name: string): string => {
    // The level of a report is that of its objects.
    const attribute = ATTRIBUTES[level][name]?.(account, row.object as never);
    const metric = METRICS[name] ?? ACCOUNT_METRICS[name];
    return attribute ?? metric?.(row.counts, account.advertiser.decimals) ?? '-';
  };
  return {
    dimensions: Object.fromEntries(dimensions.map(name => [name, dimensionOf(account, row, name)])),
    metrics: Object.fromEntries(metrics.map(name => [name, valueOf(name)])),
  };
}

function dimensionOf({ advertiser }: Account, { object, day, hour, values }: Row, name: string): string {
  switch (name) {
    case 'stat_time_day':
      return `${formatDay(day)} 00:00:00`;
    case 'stat_time_hour':
      return `${formatDay(day)} ${String(hour).padStart(2, '0')}:00:00`;
    case 'advertiser_id':
      return advertiser.id;
    default:
      return values[name] ?? object?.id ?? '-';
  }
}
