/** Which types of data Fieldbook shows, and how: the columns of their tables, search, filters and order. */
import type { Connector } from '@connector-auth/api';
import type { Row } from './backend.ts';
import { count, day, minutes, money, percent, time } from './format.ts';

export interface View {
  /** The fields to show as columns. The first one names the record. */
  readonly columns: readonly string[];
  /** The field to search in. */
  readonly search: string | null;
  /** Fields whose values are filters. */
  readonly filters: readonly string[];
  readonly sort: string | null;
  /** A filter that always applies. */
  readonly base: Readonly<Record<string, object>>;
  /** The action that reads a record live with more members than search has, by the name of its id. */
  readonly read: { readonly action: string; readonly id: string } | null;
}

const none: View = { columns: [], search: null, filters: [], sort: null, base: {}, read: null };

/** Campaigns and ads have a record of their own, and more records with figures for each day. */
const withoutDays = { eq: { 'segments.date': null } };

const views: Readonly<Record<string, Readonly<Record<string, Partial<View>>>>> = {
  github: {
    issues: {
      columns: ['title', 'state', 'comments', 'created_at', 'closed_at'],
      search: 'title',
      filters: ['state'],
      sort: '-created_at',
    },
    pull_requests: {
      columns: ['title', 'state', 'created_at', 'closed_at'],
      search: 'title',
      filters: ['state'],
      sort: '-created_at',
    },
    repositories: {
      columns: ['full_name', 'description', 'open_issues_count', 'pushed_at'],
      search: 'full_name',
    },
  },
  gong: {
    calls: {
      columns: ['title', 'started', 'duration', 'direction', 'scope', 'system'],
      search: 'title',
      filters: ['direction', 'scope', 'system'],
      sort: '-started',
    },
    calls_extensive: {
      columns: ['metaData', 'startdatetime', 'content', 'parties'],
      sort: '-startdatetime',
    },
    users: {
      columns: ['lastName', 'firstName', 'title', 'emailAddress', 'active', 'created'],
      search: 'lastName',
      filters: ['title', 'active'],
      sort: 'lastName',
    },
  },
  'google-ads': {
    campaigns: {
      columns: [
        'campaign.name',
        'campaign.status',
        'campaign_budget.amount_micros',
        'campaign.advertising_channel_type',
        'campaign.serving_status',
        'campaign.start_date',
      ],
      search: 'campaign.name',
      filters: ['campaign.status', 'campaign.advertising_channel_type'],
      sort: 'campaign.status',
      base: { ...withoutDays, neq: { 'campaign.status': 'REMOVED' } },
    },
    ad_groups: {
      columns: ['ad_group.name', 'ad_group.status', 'ad_group.cpc_bid_micros', 'ad_group.type'],
      search: 'ad_group.name',
      filters: ['ad_group.status', 'ad_group.type'],
      sort: 'ad_group.name',
      base: withoutDays,
    },
    ad_group_ads: {
      columns: [
        'ad_group_ad.ad.name',
        'ad_group_ad.status',
        'ad_group_ad.ad.type',
        'ad_group_ad.ad_strength',
      ],
      search: 'ad_group_ad.ad.name',
      filters: ['ad_group_ad.status', 'ad_group_ad.ad.type', 'ad_group_ad.ad_strength'],
      base: withoutDays,
    },
    accounts: {
      columns: ['customer.descriptive_name', 'customer.id', 'customer.currency_code'],
      base: withoutDays,
    },
  },
  granola: {
    notes: {
      columns: ['title', 'created_at', 'owner'],
      search: 'title',
      sort: '-created_at',
      read: { action: 'get', id: 'note_id' },
    },
  },
  'tiktok-marketing': {
    campaigns: {
      columns: ['campaign_name', 'operation_status', 'objective_type', 'budget', 'create_time'],
      search: 'campaign_name',
      filters: ['operation_status', 'objective_type'],
      sort: '-create_time',
    },
  },
};

/** Returns how to show a type of data. Of unknown ones, the table shows the first fields. */
export function viewOf(source: string, entity: string): View {
  return { ...none, ...views[source]?.[entity] };
}

/**
 * Puts records in the order of their times. Search sorts them by their text, and vendors such as Gong send times with
 * different offsets, so the order of a page is the right one only within about a day.
 */
export function inOrderOfTime(rows: readonly Row[], { sort }: View): readonly Row[] {
  const field = sort?.replace(/^-/, '') ?? '';
  const timeOf = (row: Row) => Date.parse(String(row[field]));
  if (rows.some(row => Number.isNaN(timeOf(row)))) return rows;
  return rows.toSorted((one, other) => (timeOf(one) - timeOf(other)) * (sort?.startsWith('-') ? -1 : 1));
}

/** Lists a connector's types of data, those that people look for first. */
export function entitiesOf({ connector_type, sync }: Connector): readonly string[] {
  const known = Object.keys(views[connector_type] ?? {});
  const rank = (entity: string) => (known.includes(entity) ? known.indexOf(entity) : known.length);
  return Object.keys(sync.entities).toSorted((one, other) => rank(one) - rank(other));
}

const labels: Readonly<Record<string, string>> = {
  'campaign.advertising_channel_type': 'Type',
  'campaign_budget.amount_micros': 'Budget per day',
  'customer.descriptive_name': 'Account',
  'ad_group.cpc_bid_micros': 'Bid per click',
  campaign_name: 'Campaign',
  create_time: 'Created',
  created_at: 'Created',
  emailAddress: 'Email',
  metaData: 'Call',
  primaryUserId: 'Owner',
  startdatetime: 'Started',
};
const abbreviations = new Set(['id', 'url', 'urls', 'ctr', 'cpc', 'cpm', 'crm']);

/** Returns a field's name in words: `ad_group.name` becomes `Ad group`, and `campaign.serving_status` `Serving status`. */
export function labelOf(name: string): string {
  const known = labels[name];
  if (known !== undefined) return known;
  const [last = '', owner] = name
    .replace(/_micros$/, '')
    .split('.')
    .toReversed();
  const words = (last === 'name' && owner !== undefined ? owner : last)
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .map(word => (abbreviations.has(word) ? word.toUpperCase() : word))
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns a value of a record as people read it, or an empty string if there is none. */
export function textOf(row: Row, field: string, currency: string | null = null): string {
  const value = row[field];
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(itemOf).join(', ');
  switch (typeof value) {
    case 'boolean':
      return value ? 'Yes' : 'No';
    case 'number':
      return numberOf(value, field, currency);
    case 'string':
      return stringOf(value, field);
    default:
      return itemOf(value);
  }
}

export function isNumeric(row: Row, field: string): boolean {
  return typeof row[field] === 'number' && !/(^|[._])id$|Id$/.test(field);
}

function numberOf(value: number, field: string, currency: string | null): string {
  if (/(^|[._])id$|Id$/.test(field)) return String(value);
  if (field.endsWith('_micros')) return money(value / 1_000_000, currency);
  if (field === 'duration') return minutes(value);
  return field === 'metrics.ctr' ? percent(value) : count(value);
}

function stringOf(value: string, field: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return day(value);
  if (/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(value)) {
    // The current year goes without saying.
    const isThisYear = value.startsWith(String(new Date().getFullYear()));
    return isThisYear ? time(value) : time(value, undefined, { dateStyle: 'medium' });
  }
  // Names of people and ids may look like constants.
  const isConstant = /status|type|strength|mode/i.test(field) && /^[A-Z][A-Z0-9_]*$/.test(value);
  if (!isConstant) return value;
  const words = value.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns what identifies an object or an item of a list. */
function itemOf(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item);
  const { name, title, text, brief, section, emailAddress, email } = item as Row;
  const label = [name, title, text, brief, section, emailAddress, email].find(
    each => typeof each === 'string' && each !== '',
  );
  return typeof label === 'string' ? label : JSON.stringify(item);
}

/** Returns the query of a search from what the visitor typed and clicked. */
export function queryOf(
  { search, base, sort }: View,
  { text, filters }: { readonly text: string; readonly filters: Row } = { text: '', filters: {} },
): object {
  const words = text.trim().replaceAll(/[\\%_]/g, '\\$&');
  const all = [
    ...Object.entries(base).map(([operator, fields]) => ({ [operator]: fields })),
    ...(Object.keys(filters).length === 0 ? [] : [{ eq: filters }]),
    ...(search === null || words === '' ? [] : [{ like: { [search]: `%${words}%` } }]),
  ];
  return {
    ...(all.length === 0 ? {} : { filter: { and: all } }),
    ...(sort === null ? {} : { sort: [sort] }),
  };
}
