import { parseDay } from '../advertising/calendar.ts';
import { BASIC_BREAKDOWNS, BREAKDOWNS } from './breakdowns.ts';
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
  readonly hasId: boolean;
  readonly time: 'day' | 'hour' | 'none';
  /** The requested breakdown dimensions. */
  readonly breakdowns: readonly string[];
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
const TIMES: Record<string, 'day' | 'hour'> = { stat_time_day: 'day', stat_time_hour: 'hour' };
/** The maximum range in days, by time dimension. */
const MAX_DAYS = { day: 30, hour: 1, none: 365 };
const MAX_FILTER_IDS = 100;

/** Reads a report's parameters; throws code 40002 for the first invalid parameter. */
export function readReportRequest(parameters: Parameters): ReportRequest {
  const reportType = parameters.required('report_type');
  if (reportType !== 'BASIC' && reportType !== 'AUDIENCE') throw notSimulated(`report_type ${reportType}`);
  const serviceType = parameters.required('service_type');
  if (serviceType !== 'AUCTION') throw notSimulated(`service_type ${serviceType}`);

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
  const adGroupIds = readAdGroupIds(parameters);
  if (adGroupIds && !hasId) throw notSimulated('filtering without an id dimension');
  return { level, dimensions, hasId, time, breakdowns, metrics, ...readDays(parameters, time), adGroupIds };
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
    if (IDS.includes(dimension)) {
      if (dimension !== id) {
        throw badParameter(`dimensions: dimension ${dimension} does not match data_level ${dataLevel}`);
      }
    } else if (cut) {
      if (time !== 'none') throw badParameter('dimensions: only one time dimension is allowed');
      time = cut;
    } else if (isAudience ? dimension in BREAKDOWNS : BASIC_BREAKDOWNS.includes(dimension)) {
      breakdowns.push(dimension);
    } else {
      throw badParameter(`dimensions: Invalid dimension ${dimension}`);
    }
  }
  return { dimensions, time, breakdowns };
}

function checkMetrics(metrics: readonly string[], level: ReportLevel, hasId: boolean): void {
  const isAttribute = (name: string): boolean => name in ATTRIBUTES[level];
  const isMetric = (name: string): boolean =>
    name in METRICS || (level === 'account' && name in ACCOUNT_METRICS);
  const unknown = metrics.filter(name => !isMetric(name) && !isAttribute(name));
  if (unknown.length > 0) throw badParameter(`metrics: Invalid metric fields: ${unknown.join(', ')}`);
  const attributes = metrics.filter(isAttribute);
  if (!hasId && attributes.length > 0) {
    throw badParameter(`metrics: attribute metrics need an id dimension: ${attributes.join(', ')}`);
  }
}

function readDays(parameters: Parameters, time: ReportRequest['time']): { from: number; to: number } {
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
