import { parseDay } from '../advertising/calendar.ts';
import { badParameter, CODES, TikTokError } from './envelope.ts';
import { ACCOUNT_METRICS, METRICS } from './metrics.ts';
import { parseJson, readStrings, type Parameters } from './parameters.ts';
import { ATTRIBUTES } from './report-attributes.ts';

/** The level of a report. */
export type ReportLevel = keyof typeof ATTRIBUTES;

/** A report request, validated except for rules that depend on the data. */
export interface ReportRequest {
  readonly level: ReportLevel;
  /** In the requested order. */
  readonly dimensions: readonly string[];
  /** Whether the report has a row for each day, instead of one for the whole range. */
  readonly isDaily: boolean;
  readonly metrics: readonly string[];
  /** Day numbers (days since 1970-01-01). Both are inclusive. */
  readonly from: number;
  readonly to: number;
  /** The ids of the ad groups whose objects the report covers; undefined for all. */
  readonly adGroupIds: ReadonlySet<string> | undefined;
}

const LEVELS: Record<string, { level: ReportLevel; id: string }> = {
  AUCTION_ADVERTISER: { level: 'account', id: 'advertiser_id' },
  AUCTION_CAMPAIGN: { level: 'campaign', id: 'campaign_id' },
  AUCTION_ADGROUP: { level: 'adGroup', id: 'adgroup_id' },
  AUCTION_AD: { level: 'ad', id: 'ad_id' },
};
const IDS = Object.values(LEVELS).map(({ id }) => id);
/** The time dimension. Hours and the dimensions that break down the audience are not simulated. */
const DAY = 'stat_time_day';
/** The maximum range in days. */
const MAX_DAYS = { daily: 30, whole: 365 };
const MAX_FILTER_IDS = 100;

/** Reads a report's parameters; throws code 40002 for the first invalid parameter. */
export function readReportRequest(parameters: Parameters): ReportRequest {
  const reportType = parameters.required('report_type');
  if (reportType !== 'BASIC') throw notSimulated(`report_type ${reportType}`);
  const serviceType = parameters.required('service_type');
  if (serviceType !== 'AUCTION') throw notSimulated(`service_type ${serviceType}`);

  const dataLevel = parameters.required('data_level');
  const { level, id } = LEVELS[dataLevel] ?? unknownLevel(dataLevel);
  const dimensions = readDimensions(parameters, dataLevel, id);
  const isDaily = dimensions.includes(DAY);
  const metrics = parameters.strings('metrics') ?? ['spend', 'impressions'];
  checkMetrics(metrics, level);
  const adGroupIds = readAdGroupIds(parameters);
  return { level, dimensions, isDaily, metrics, ...readDays(parameters, isDaily), adGroupIds };
}

function readDimensions(parameters: Parameters, dataLevel: string, id: string): string[] {
  parameters.required('dimensions');
  const dimensions = parameters.strings('dimensions') ?? [];
  if (dimensions.length === 0) throw badParameter('dimensions: Shorter than minimum length 1.');
  if (new Set(dimensions).size < dimensions.length) throw badParameter('dimensions: Duplicate dimensions.');
  for (const dimension of dimensions) {
    if (dimension === id || dimension === DAY) continue;
    if (!IDS.includes(dimension)) throw notSimulated(`dimension ${dimension}`);
    throw badParameter(`dimensions: dimension ${dimension} does not match data_level ${dataLevel}`);
  }
  if (!dimensions.includes(id)) throw notSimulated('a report without an id dimension');
  return dimensions;
}

function checkMetrics(metrics: readonly string[], level: ReportLevel): void {
  const isAttribute = (name: string): boolean => name in ATTRIBUTES[level];
  const isMetric = (name: string): boolean =>
    name in METRICS || (level === 'account' && name in ACCOUNT_METRICS);
  const unknown = metrics.filter(name => !isMetric(name) && !isAttribute(name));
  if (unknown.length > 0) throw badParameter(`metrics: Invalid metric fields: ${unknown.join(', ')}`);
}

function readDays(parameters: Parameters, isDaily: boolean): { from: number; to: number } {
  const [from, to] = ['start_date', 'end_date'].map(name => {
    const day = parseDay(parameters.required(name));
    if (day === undefined) throw badParameter(`${name}: Not a valid date, the format is YYYY-MM-DD.`);
    return day;
  });
  if (from === undefined || to === undefined || to < from) {
    throw badParameter('start_date, end_date: end_date must not be earlier than start_date');
  }
  const days = isDaily ? MAX_DAYS.daily : MAX_DAYS.whole;
  if (to - from + 1 > days) {
    const when = isDaily ? ` when use ${DAY}` : '';
    throw badParameter(`start_date, end_date: max time span is ${days} days${when}`);
  }
  return { from, to };
}

/** Reads `filtering`, of which only `adgroup_ids` is simulated. Its value is a string that contains a JSON list. */
function readAdGroupIds(parameters: Parameters): ReadonlySet<string> | undefined {
  const filtering = parameters.json('filtering');
  if (filtering === undefined) return undefined;
  if (!Array.isArray(filtering)) throw badParameter('filtering: Not a valid list.');
  const [{ field_name: field, filter_type: type, filter_value: value } = {}, ...others] =
    filtering as readonly Record<string, unknown>[];
  if (field !== 'adgroup_ids' || type !== 'IN' || typeof value !== 'string' || others.length > 0) {
    throw notSimulated('a filtering other than adgroup_ids IN');
  }
  const ids = readStrings('filtering.0.filter_value', parseJson('filtering.0.filter_value', value));
  if (ids.length > MAX_FILTER_IDS) {
    throw badParameter(`filtering.0.filter_value: Longer than maximum length ${MAX_FILTER_IDS}.`);
  }
  return new Set(ids);
}

function unknownLevel(dataLevel: string): never {
  if (dataLevel.startsWith('RESERVATION_')) throw notSimulated(`data_level ${dataLevel}`);
  throw badParameter(`data_level: Must be one of: ${Object.keys(LEVELS).join(', ')}.`);
}

function notSimulated(what: string): TikTokError {
  return new TikTokError(CODES.notSimulated, `Not simulated by the sandbox: ${what}`);
}
