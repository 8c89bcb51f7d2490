import type { Account } from './account.ts';
import { badParameter } from './envelope.ts';
import { objectiveOf, type BuyingType } from './objectives.ts';
import { readObject, readStrings, type Parameters } from './parameters.ts';
import type { Level, Node } from './portfolio.ts';

/** A level of an ad account, such as campaigns, whose objects can be filtered. */
export interface Filterable {
  readonly level: Level;
  /** Prefix of the filter names: `filtering` accepts `<word>_ids` and `<word>_name`. */
  readonly word: 'campaign' | 'adgroup' | 'ad';
  readonly render: (index: number) => Record<string, unknown>;
}

/** Returns whether an object matches. Calls `record` only if the condition depends on the rendered record. */
type Condition = (node: Node, record: () => Record<string, unknown>) => boolean;

const MAX_IDS = 100;

/**
 * Returns the indexes of the objects that match `filtering`, newest first; throws a `TikTokError` with code
 * 40002 for an unknown key or value.
 */
export function filterEntities(
  list: Filterable,
  account: Account,
  parameters: Parameters,
): ArrayLike<number> & { slice(from: number, to: number): ArrayLike<number> } {
  const given = parameters.json('filtering');
  const filtering = given === undefined ? {} : readObject('filtering', given);
  if (Object.keys(filtering).length === 0) return account.listed(list.level);

  const conditions: Condition[] = [];
  for (const [key, value] of Object.entries(filtering))
    conditions.push(readCondition(list, account, key, value));
  if (!('buying_types' in filtering)) conditions.push(node => node.buyingType !== 'RESERVATION_TOP_VIEW');
  if (!includesDeleted(filtering)) conditions.push(node => !node.isDeleted);

  const found: number[] = [];
  const nodes = account.portfolio[list.level];
  for (let index = nodes.count - 1; index >= 0; index--) {
    const node = nodes.at(index);
    if (conditions.every(fits => fits(node, () => list.render(index)))) found.push(index);
  }
  return found;
}

function includesDeleted(filtering: Record<string, unknown>): boolean {
  return [filtering['primary_status'], filtering['secondary_status']].some(
    status => typeof status === 'string' && /(^|_)STATUS_(ALL|DELETE)$/.test(status),
  );
}

function readCondition(list: Filterable, account: Account, key: string, value: unknown): Condition {
  const name = `filtering.${key}`;
  switch (key) {
    case 'campaign_ids':
    case 'adgroup_ids':
    case 'ad_ids':
      return readIds(list, key, name, value);
    case 'campaign_name':
    case 'adgroup_name':
    case 'ad_name': {
      const text = readText(name, value).toLowerCase();
      return (_, record) => {
        const given = record()[key];
        return typeof given === 'string' && given.toLowerCase().includes(text);
      };
    }
    case 'primary_status':
      return readPrimaryStatus(name, value);
    case 'secondary_status': {
      const status = readText(name, value);
      if (/_STATUS_(ALL|NOT_DELETE)$/.test(status)) return () => true;
      return (_, record) => record()['secondary_status'] === status;
    }
    case 'buying_types': {
      const types = readBuyingTypes(name, value);
      return node => types.includes(node.buyingType);
    }
    case 'objective_type': {
      const type = readText(name, value);
      return node => objectiveOf(account.campaignOf(list.level, node).seed).objective_type === type;
    }
    case 'campaign_system_origins':
      return readStrings(name, value).includes('TT_ADS_PLATFORM') ? () => true : () => false;
    case 'creation_filter_start_time': {
      const from = readTime(name, value);
      return node => node.createdAt >= from;
    }
    case 'creation_filter_end_time': {
      const to = readTime(name, value);
      return node => node.createdAt <= to;
    }
    case 'modified_after': {
      if (list.word !== 'ad') throw badParameter(`${name}: Unknown field.`);
      const after = readTime(name, value);
      return node => node.modifiedAt > after;
    }
    default:
      throw badParameter(`${name}: Unknown field.`);
  }
}

function readIds(list: Filterable, key: string, name: string, value: unknown): Condition {
  const ids = new Set(readStrings(name, value));
  if (ids.size > MAX_IDS) throw badParameter(`${name}: Longer than maximum length ${MAX_IDS}.`);
  const own = `${list.word}_ids`;
  if (key === own) return node => ids.has(node.id);
  const field = key.slice(0, -1);
  return (_, record) => ids.has(String(record()[field]));
}

function readPrimaryStatus(name: string, value: unknown): Condition {
  const status = readText(name, value);
  switch (status) {
    case 'STATUS_ALL':
      return () => true;
    case 'STATUS_NOT_DELETE':
      return node => !node.isDeleted;
    case 'STATUS_DELETE':
      return node => node.isDeleted;
    case 'STATUS_DELIVERY_OK':
      return (_, record) => /_(ENABLE|DELIVERY_OK)$/.test(String(record()['secondary_status']));
    case 'STATUS_DISABLE':
      return (_, record) => record()['operation_status'] === 'DISABLE';
    default:
      throw badParameter(
        `${name}: Must be one of: STATUS_ALL, STATUS_NOT_DELETE, STATUS_DELETE, STATUS_DELIVERY_OK, STATUS_DISABLE.`,
      );
  }
}

const BUYING_TYPES: readonly BuyingType[] = ['AUCTION', 'RESERVATION_RF', 'RESERVATION_TOP_VIEW'];

function readBuyingTypes(name: string, value: unknown): BuyingType[] {
  const types = readStrings(name, value).map(given => {
    const type = BUYING_TYPES.find(known => known === given);
    if (!type) throw badParameter(`${name}: Must be one of: ${BUYING_TYPES.join(', ')}.`);
    return type;
  });
  if (types.length > 1 && types.includes('RESERVATION_TOP_VIEW')) {
    throw badParameter(`${name}: RESERVATION_TOP_VIEW can not be combined with other buying types.`);
  }
  return types;
}

function readText(name: string, value: unknown): string {
  if (typeof value !== 'string') throw badParameter(`${name}: Not a valid string.`);
  return value;
}

function readTime(name: string, value: unknown): number {
  const text = readText(name, value);
  const seconds = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)
    ? Date.parse(`${text.replace(' ', 'T')}Z`) / 1000
    : NaN;
  if (Number.isNaN(seconds)) throw badParameter(`${name}: Not a valid datetime.`);
  return seconds;
}
