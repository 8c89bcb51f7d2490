import { parseDay } from '../advertising/calendar.ts';
import { BREAKDOWNS } from './breakdowns.ts';
import { badParameter, CODES, TikTokError } from './envelope.ts';
import { ACCOUNT_METRICS, METRICS } from './metrics.ts';
import type { Parameters } from './parameters.ts';
import { ATTRIBUTES } from './report-attributes.ts';
import { readReportFilter, type ReportFilter } from './report-filter.ts';

/** The level of a report. */
export type ReportLevel = 'account' | 'campaign' | 'adGroup' | 'ad';

/** A report request, validated except for rules that depend on the data. */
export interface ReportRequest {
  readonly level: ReportLevel;
  /** In the requested order. */
  readonly dimensions: readonly string[];
  readonly hasId: boolean;
  readonly time: 'day' | 'hour' | 'none';
  /** The requested breakdown dimensions. */
  readonly breakdowns: readonly string[];
  readonly metrics: readonly string[];
  /** Day numbers (days since 1970-01-01). Both are inclusive. */
  readonly from: number;
  readonly to: number;
  readonly order: { readonly metric: string; readonly isDescending: boolean } | undefined;
  readonly filter: ReportFilter;
  readonly wantsTotals: boolean;
}

const LEVELS: Record<string, { level: ReportLevel; id: string }> = {
  AUCTION_ADVERTISER: { level: 'account', id: 'advertiser_id' },
  AUCTION_CAMPAIGN: { level: 'campaign', id: 'campaign_id' },
  AUCTION_ADGROUP: { level: 'adGroup', id: 'adgroup_id' },
  AUCTION_AD: { level: 'ad', id: 'ad_id' },
};
const IDS = Object.values(LEVELS).map(({ id }) => id);
const TIMES: Record<string, 'day' | 'hour'> = { stat_time_day: 'day', stat_time_hour: 'hour' };
/** The maximum range in days, by time dimension. */
const MAX_DAYS = { day: 30, hour: 1, none: 365 };

/** Reads a report's parameters; throws code 40002 for the first invalid parameter. */
export function readReportRequest(parameters: Parameters): ReportRequest {
  const reportType = parameters.oneOf('report_type', [
    'BASIC',
    'AUDIENCE',
    'PLAYABLE_MATERIAL',
    'CATALOG',
    'BC',
    'TT_SHOP',
  ]);
  if (reportType !== 'BASIC' && reportType !== 'AUDIENCE') throw notSimulated(`report_type ${reportType}`);
  parameters.oneOf('service_type', ['AUCTION', 'RESERVATION']);
  if (parameters.text('service_type') === 'RESERVATION') throw notSimulated('service_type RESERVATION');

  const dataLevel = parameters.required('data_level');
  const { level, id } = LEVELS[dataLevel] ?? unknownLevel(dataLevel);
  const { dimensions, time, breakdowns } = readDimensions(
    parameters,
    dataLevel,
    id,
    reportType === 'AUDIENCE',
  );
  const hasId = dimensions.includes(id);
  const metrics = parameters.strings('metrics') ?? ['spend', 'impressions'];
  checkMetrics(metrics, level, hasId);
  const filter = readReportFilter(parameters);
  if (!hasId && filter.isNarrow) throw notSimulated('filtering without an id dimension');
  return {
    level,
    dimensions,
    hasId,
    time,
    breakdowns,
    metrics,
    ...readDays(parameters, time),
    order: readOrder(parameters, level),
    filter,
    wantsTotals: parameters.flag('enable_total_metrics'),
  };
}

function readDimensions(
  parameters: Parameters,
  dataLevel: string,
  id: string,
  isAudience: boolean,
): { dimensions: string[]; time: ReportRequest['time']; breakdowns: string[] } {
  parameters.required('dimensions');
  const dimensions = parameters.strings('dimensions') ?? [];
  if (dimensions.length === 0) throw badParameter('dimensions: Shorter than minimum length 1.');
  if (new Set(dimensions).size < dimensions.length) throw badParameter('dimensions: Duplicate dimensions.');
  let time: ReportRequest['time'] = 'none';
  const breakdowns: string[] = [];
  for (const dimension of dimensions) {
    const cut = TIMES[dimension];
    const breakdown = BREAKDOWNS[dimension];
    if (IDS.includes(dimension)) {
      if (dimension !== id) {
        throw badParameter(`dimensions: dimension ${dimension} does not match data_level ${dataLevel}`);
      }
    } else if (cut) {
      if (time !== 'none') throw badParameter('dimensions: only one time dimension is allowed');
      time = cut;
    } else if (breakdown && (isAudience || breakdown.isBasic)) {
      breakdowns.push(dimension);
    } else {
      throw badParameter(`dimensions: Invalid dimension ${dimension}`);
    }
  }
  return { dimensions, time, breakdowns };
}

function checkMetrics(metrics: readonly string[], level: ReportLevel, hasId: boolean): void {
  const unknown = metrics.filter(metric => !isMetric(metric, level) && !ATTRIBUTES[level][metric]);
  if (unknown.length > 0) throw badParameter(`metrics: Invalid metric fields: ${unknown.join(', ')}`);
  const attributes = metrics.filter(metric => ATTRIBUTES[level][metric]);
  if (!hasId && attributes.length > 0) {
    throw badParameter(`metrics: attribute metrics need an id dimension: ${attributes.join(', ')}`);
  }
}

function isMetric(name: string, level: ReportLevel): boolean {
  return Object.hasOwn(METRICS, name) || (level === 'account' && Object.hasOwn(ACCOUNT_METRICS, name));
}

function readDays(parameters: Parameters, time: ReportRequest['time']): { from: number; to: number } {
  if (parameters.flag('query_lifetime')) {
    if (time !== 'none') throw badParameter('query_lifetime: can not be used with a time dimension');
    return { from: 0, to: Infinity };
  }
  const [from, to] = ['start_date', 'end_date'].map(name => {
    const day = parseDay(parameters.required(name));
    if (day === undefined) throw badParameter(`${name}: Not a valid date, the format is YYYY-MM-DD.`);
    return day;
  });
  if (from === undefined || to === undefined || to < from) {
    throw badParameter('start_date, end_date: end_date must not be earlier than start_date');
  }
  const days = MAX_DAYS[time];
  if (to - from + 1 > days) {
    const when = time === 'none' ? '' : ` when use stat_time_${time}`;
    throw badParameter(`start_date, end_date: max time span is ${days} days${when}`);
  }
  return { from, to };
}

function readOrder(parameters: Parameters, level: ReportLevel): ReportRequest['order'] {
  const metric = parameters.text('order_field');
  const isDescending = parameters.oneOf('order_type', ['DESC', 'ASC']) === 'DESC';
  if (metric === undefined) return undefined;
  if (!isMetric(metric, level)) throw badParameter(`order_field: Invalid metric field: ${metric}`);
  return { metric, isDescending };
}

function unknownLevel(dataLevel: string): never {
  if (dataLevel.startsWith('RESERVATION_')) throw notSimulated(`data_level ${dataLevel}`);
  throw badParameter(`data_level: Must be one of: ${Object.keys(LEVELS).join(', ')}.`);
}

function notSimulated(what: string): TikTokError {
  return new TikTokError(CODES.notSimulated, `Not simulated by the sandbox: ${what}`);
}
