import type { Account } from './account.ts';
import { nameOfAdGroup } from './ad-groups.ts';
import { nameOfAd } from './ads.ts';
import { nameOfCampaign } from './campaigns.ts';
import { badParameter } from './envelope.ts';
import { ACCOUNT_METRICS, METRICS } from './metrics.ts';
import { readObject, readStrings, type Parameters } from './parameters.ts';
import type { Level, Node } from './portfolio.ts';

/** A report's filter. */
export interface ReportFilter {
  /** Whether the filter has conditions on objects or metrics. Including deleted objects does not count. */
  readonly isNarrow: boolean;
  readonly includesDeleted: boolean;
  hasObject(account: Account, level: Level, node: Node): boolean;
  /** Conditions on metrics. */
  readonly metrics: readonly MetricCondition[];
}

interface MetricCondition {
  readonly metric: string;
  readonly fits: (value: number) => boolean;
}

type ObjectCondition = (account: Account, level: Level, node: Node) => boolean;

const TYPES = [
  'IN',
  'MATCH',
  'GREATER_EQUAL',
  'GREATER_THAN',
  'LOWER_EQUAL',
  'LOWER_THAN',
  'BETWEEN',
] as const;
const RANK: Record<Level, number> = { campaign: 0, adGroup: 1, ad: 2 };
const ID_FIELDS: Record<string, Level> = { campaign_ids: 'campaign', adgroup_ids: 'adGroup', ad_ids: 'ad' };
const NAME_FIELDS: Record<string, { level: Level; read: (account: Account, index: number) => string }> = {
  campaign_name: { level: 'campaign', read: nameOfCampaign },
  adgroup_name: { level: 'adGroup', read: nameOfAdGroup },
  ad_name: { level: 'ad', read: nameOfAd },
};
const STATUS_FIELDS = ['campaign_status', 'adgroup_status', 'ad_status'];

/** Reads a report's `filtering` parameter: a list of `{field_name, filter_type, filter_value}`. */
export function readReportFilter(parameters: Parameters): ReportFilter {
  const given = parameters.json('filtering') ?? [];
  if (!Array.isArray(given)) throw badParameter('filtering: Not a valid list.');
  const objects: ObjectCondition[] = [];
  const metrics: MetricCondition[] = [];
  let includesDeleted = false;
  for (const [index, entry] of given.entries()) {
    const name = `filtering.${index}`;
    const { field_name: field, filter_type: type, filter_value: value } = readObject(name, entry);
    if (typeof field !== 'string') throw badParameter(`${name}.field_name: Missing data for required field.`);
    const filterType = TYPES.find(known => known === type);
    if (!filterType) throw badParameter(`${name}.filter_type: Must be one of: ${TYPES.join(', ')}.`);
    const idLevel = ID_FIELDS[field];
    const nameField = NAME_FIELDS[field];
    if (idLevel) objects.push(hasId(idLevel, new Set(readList(name, filterType, value))));
    else if (nameField)
      objects.push(hasName(nameField, filterType === 'MATCH' ? String(value) : wrongType(name)));
    else if (STATUS_FIELDS.includes(field)) {
      const statuses = readList(name, filterType, value);
      includesDeleted ||= statuses.some(status => status === 'STATUS_ALL' || status === 'STATUS_DELETE');
      if (statuses.includes('STATUS_DELETE')) objects.push((_account, _level, node) => node.isDeleted);
    } else if (Object.hasOwn(METRICS, field) || Object.hasOwn(ACCOUNT_METRICS, field)) {
      metrics.push({ metric: field, fits: readComparison(name, filterType, value) });
    } else throw badParameter(`${name}.field_name: Invalid field ${field}`);
  }
  return {
    isNarrow: objects.length > 0 || metrics.length > 0,
    includesDeleted,
    hasObject: (account, level, node) => objects.every(fits => fits(account, level, node)),
    metrics,
  };
}

/** Returns the object or its ancestor at the `wanted` level; undefined if that level is below the object. */
function nodeAt(account: Account, level: Level, node: Node, wanted: Level): Node | undefined {
  if (RANK[wanted] > RANK[level]) return undefined;
  if (wanted === level) return node;
  return wanted === 'campaign' ? account.campaignOf(level, node) : account.portfolio.adGroup.at(node.parent);
}

function hasId(wanted: Level, ids: ReadonlySet<string>): ObjectCondition {
  return (account, level, node) => {
    const found = nodeAt(account, level, node, wanted);
    return found !== undefined && ids.has(found.id);
  };
}

function hasName(
  field: { level: Level; read: (account: Account, index: number) => string },
  text: string,
): ObjectCondition {
  const wanted = text.toLowerCase();
  return (account, level, node) => {
    const found = nodeAt(account, level, node, field.level);
    return found !== undefined && field.read(account, found.index).toLowerCase().includes(wanted);
  };
}

/** Reads the value of an IN filter: a string that contains a JSON list. */
function readList(name: string, type: (typeof TYPES)[number], value: unknown): string[] {
  if (type !== 'IN' || typeof value !== 'string') return wrongType(name);
  let parsed: unknown;
  try {
    parsed = JSON.parse(value.replace(/(?<=[[,]\s*)\d{16,}(?=\s*[\],])/g, '"$&"'));
  } catch {
    throw badParameter(`${name}.filter_value: Not a valid JSON.`);
  }
  const list = readStrings(`${name}.filter_value`, parsed);
  if (list.length > 100) throw badParameter(`${name}.filter_value: Longer than maximum length 100.`);
  return list;
}

function readComparison(
  name: string,
  type: (typeof TYPES)[number],
  value: unknown,
): (value: number) => boolean {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const bounds = text.replaceAll(/[[\]"\s]/g, '').split(',');
  const [low = NaN, high = NaN] = bounds.map(bound => (bound === '' ? NaN : Number(bound)));
  if (Number.isNaN(low) || (type === 'BETWEEN' && Number.isNaN(high)))
    throw badParameter(`${name}.filter_value: Not a valid number.`);
  switch (type) {
    case 'GREATER_EQUAL':
      return number => number >= low;
    case 'GREATER_THAN':
      return number => number > low;
    case 'LOWER_EQUAL':
      return number => number <= low;
    case 'LOWER_THAN':
      return number => number < low;
    case 'BETWEEN':
      return number => number >= low && number <= high;
    case 'IN':
    case 'MATCH':
      return wrongType(name);
  }
}

function wrongType(name: string): never {
  throw badParameter(`${name}.filter_type: does not go with this field.`);
}
