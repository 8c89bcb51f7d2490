import { formatDay } from '../advertising/calendar.ts';
import { addUp } from '../advertising/split.ts';
import type { Account } from './account.ts';
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

interface Row {
  /** Undefined for the ad account itself. */
  readonly object: Campaign | AdGroup | Ad | undefined;
  /** 0 for a row that spans the whole range. */
  readonly day: number;
}

/** The maximum number of ads in a synchronous report. */
const MAX_ADS = 10_000;
const SIZES = { fallback: 10, max: 1000 };

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
  const all = listRows(account, request);
  if (maxRows > 0 && all.length > maxRows) {
    throw new TikTokError(CODES.tooLarge, 'query too large, reduce the query size or the time range');
  }
  const { rows, pageInfo } = cutPage(parameters, SIZES, all);
  return { list: rows.map(row => render(account, row, request)), page_info: pageInfo };
}

/** Lists the report's objects. */
function listObjects({ portfolio }: Account, { level, adGroupIds }: ReportRequest): Row['object'][] {
  if (level === 'account') return portfolio.ad.length > 0 ? [undefined] : [];
  const objects: readonly (Campaign | AdGroup | Ad)[] = portfolio[level];
  const isCovered = (object: Campaign | AdGroup | Ad): boolean => {
    if (!object.isReported) return false;
    const adGroup = 'ads' in object ? object : 'parent' in object ? object.parent : undefined;
    return !adGroupIds || adGroupIds.has(adGroup?.id ?? '');
  };
  const covered = objects.filter(isCovered).toReversed();
  return level === 'ad' ? covered.slice(0, MAX_ADS) : covered;
}

function listRows(account: Account, request: ReportRequest): Row[] {
  const objects = listObjects(account, request);
  if (!request.isDaily) return objects.map(object => ({ object, day: 0 }));
  return objects.flatMap(object => daysOf(account, request, object).map(day => ({ object, day })));
}

/** Lists the days of the report's range on which the object has a row. */
function daysOf({ delivery, today }: Account, { from, to }: ReportRequest, object: Row['object']): number[] {
  if (object) return delivery.days(object, from, to);
  return daysBetween(from, Math.min(to, today)).filter(day => delivery.accountOn(day) !== undefined);
}

function countsOf(account: Account, { object, day }: Row, request: ReportRequest): Counts {
  const { delivery } = account;
  const on = (one: number): Counts =>
    (object ? delivery.on(object, one) : delivery.accountOn(one)) ?? NO_COUNTS;
  return request.isDaily ? on(day) : addUp(daysOf(account, request, object).map(on));
}

function render(account: Account, row: Row, request: ReportRequest): unknown {
  const { dimensions, metrics, level } = request;
  const counts = countsOf(account, row, request);
  const valueOf = (name: string): string => {
    // The level of a report is that of its objects.
    const attribute = ATTRIBUTES[level][name]?.(account, row.object as never);
    const metric = METRICS[name] ?? ACCOUNT_METRICS[name];
    return attribute ?? metric?.(counts, account.advertiser.decimals) ?? '-';
  };
  return {
    dimensions: Object.fromEntries(dimensions.map(name => [name, dimensionOf(account, row, name)])),
    metrics: Object.fromEntries(metrics.map(name => [name, valueOf(name)])),
  };
}

function dimensionOf({ advertiser }: Account, { object, day }: Row, name: string): string {
  return name === 'stat_time_day' ? `${formatDay(day)} 00:00:00` : (object?.id ?? advertiser.id);
}
