/** Which records and columns to show first: what a customer looks for in each type of data. */
import type { Choice, Condition } from './query.ts';

interface View extends Choice {
  /** The first columns, by which users tell records apart. */
  readonly columns: readonly string[];
}

/** Campaigns, ad groups and accounts have a record of their own, and more records with figures for each day. */
export const withoutDays: Condition = { field: 'segments.date', operator: 'isEmpty', value: '' };

const views: Readonly<Record<string, Partial<View>>> = {
  'google-ads/campaigns': {
    columns: [
      'campaign.name',
      'campaign.status',
      'segments.date',
      'segments.hour',
      'segments.ad_network_type',
      'metrics.cost_micros',
      'metrics.clicks',
      'metrics.impressions',
      'metrics.conversions',
      'campaign.labels',
      'campaign_budget.amount_micros',
      'campaign.advertising_channel_type',
      'campaign.start_date',
    ],
    conditions: [withoutDays, { field: 'campaign.status', operator: 'isNot', value: 'REMOVED' }],
    sort: { field: 'campaign.status', direction: 'asc' },
  },
  'google-ads/ad_groups': {
    columns: [
      'ad_group.name',
      'campaign.id',
      'ad_group.status',
      'segments.date',
      'metrics.cost_micros',
      'ad_group.cpc_bid_micros',
      'ad_group.type',
    ],
    conditions: [withoutDays],
    sort: { field: 'ad_group.name', direction: 'asc' },
  },
  'google-ads/ad_group_ads': {
    columns: [
      'ad_group_ad.ad.name',
      'ad_group_ad.ad.type',
      'ad_group_ad.status',
      'segments.date',
      'ad_group_ad.ad_strength',
      'ad_group_ad.ad.final_urls',
      'ad_group_ad.policy_summary.approval_status',
      'ad_group_ad.ad.id',
    ],
    conditions: [withoutDays],
  },
  'google-ads/accounts': {
    columns: [
      'customer.descriptive_name',
      'customer.id',
      'customer.currency_code',
      'segments.date',
      'customer.time_zone',
      'customer.manager',
      'customer.optimization_score',
    ],
    conditions: [withoutDays],
  },
  'google-ads/campaign_labels': { columns: ['campaign.id', 'label.name', 'label.id'] },
  'google-ads/ad_group_labels': { columns: ['ad_group.id', 'label.name', 'label.id'] },
  'google-ads/ad_group_ad_labels': { columns: ['ad_group_ad.ad.id', 'label.name', 'label.id'] },
  'gong/calls': {
    columns: ['title', 'started', 'duration', 'primaryUserId', 'direction', 'system', 'purpose', 'language'],
    sort: { field: 'started', direction: 'desc' },
  },
  'gong/calls_extensive': {
    columns: ['metaData', 'startdatetime', 'parties', 'content', 'interaction', 'context'],
    sort: { field: 'startdatetime', direction: 'desc' },
  },
  'gong/users': {
    columns: ['firstName', 'lastName', 'title', 'emailAddress', 'active', 'managerId', 'created'],
    sort: { field: 'lastName', direction: 'asc' },
  },
  'granola/notes': {
    columns: ['title', 'created_at', 'owner'],
    sort: { field: 'created_at', direction: 'desc' },
  },
  'tiktok-marketing/campaigns': {
    columns: [
      'campaign_name',
      'operation_status',
      'objective_type',
      'budget',
      'create_time',
      'secondary_status',
    ],
    sort: { field: 'create_time', direction: 'desc' },
  },
};

const firstEntities: Readonly<Record<string, string>> = {
  'google-ads': 'campaigns',
  gong: 'calls',
  granola: 'notes',
  'tiktok-marketing': 'campaigns',
};

export function isWithoutDays({ field, operator }: Condition): boolean {
  return field === withoutDays.field && operator === withoutDays.operator;
}

/** Returns what to show first of a type of data. */
export function viewOf(connectorType: string, entity: string): View {
  return { columns: [], conditions: [], sort: null, ...views[`${connectorType}/${entity}`] };
}

/** Returns the type of data to show first: the one that people look for, or else the first one. */
export function firstEntityOf(connectorType: string, entities: readonly string[]): string | null {
  const wanted = firstEntities[connectorType];
  return entities.find(name => name === wanted) ?? entities[0] ?? null;
}
