import { z } from 'zod';
import { defineAction, type Entity } from '../kind/kind.ts';
import { listAction } from './list.ts';
import { en } from './messages/en.ts';
import { mutate, mutateParams, mutation, resourceName } from './mutate.ts';
import { campaign, campaignBudget, selectedMetrics, selectedSegments } from './resources.ts';
import { syncOf } from './sync.ts';
import type { Table } from './table.ts';
import { changes, toUpdate, updateOperation } from './update.ts';

export const campaignsTable = {
  from: 'campaign',
  fields: {
    'campaign.id': 'integer',
    'campaign.name': 'string',
    'campaign.status': 'string',
    'campaign.advertising_channel_type': 'string',
    'campaign.advertising_channel_sub_type': 'string',
    'campaign.bidding_strategy': 'string',
    'campaign.bidding_strategy_type': 'string',
    'campaign.campaign_budget': 'string',
    'campaign_budget.amount_micros': 'integer',
    'campaign.start_date': 'string',
    'campaign.end_date': 'string',
    'campaign.serving_status': 'string',
    'campaign.resource_name': 'string',
    'campaign.labels': 'array',
    'campaign.network_settings.target_google_search': 'boolean',
    'campaign.network_settings.target_search_network': 'boolean',
    'campaign.network_settings.target_content_network': 'boolean',
    'campaign.network_settings.target_partner_search_network': 'boolean',
    'segments.date': 'string',
    'segments.hour': 'integer',
    'segments.ad_network_type': 'string',
    'metrics.clicks': 'integer',
    'metrics.ctr': 'number',
    'metrics.conversions': 'number',
    'metrics.conversions_value': 'number',
    'metrics.cost_micros': 'integer',
    'metrics.impressions': 'integer',
    'metrics.interactions': 'integer',
    'metrics.average_cpc': 'number',
    'metrics.average_cpm': 'number',
  },
} as const satisfies Table;

const record = z.object({
  campaign: campaign.nullable(),
  campaignBudget: campaignBudget.nullable(),
  metrics: selectedMetrics,
  segments: selectedSegments,
});
export type Campaign = z.infer<typeof record>;

const operation = updateOperation(
  z.strictObject({
    resourceName: resourceName('campaigns').describe('Resource name of the campaign'),
    ...changes,
  }),
);

/** Campaigns. Search also returns their metrics by day, hour and network. */
export const campaigns = {
  ...en.campaigns,
  description: 'Campaigns with budget and status; in search, also with metrics by day, hour and network',
  actions: {
    list: listAction('List campaigns', campaignsTable, record),
    update: defineAction({
      summary: 'Rename, enable or pause campaigns',
      params: mutateParams('update', operation),
      record: mutation,
      run: ({ customer_id, operations }, vendor) =>
        mutate(vendor, customer_id, 'campaigns', operations.map(toUpdate)),
    }),
  },
  search: {
    fields: campaignsTable.fields,
    primaryKey: ['campaign.id', 'segments.date', 'segments.hour', 'segments.ad_network_type'],
    nullableKey: ['segments.date', 'segments.hour', 'segments.ad_network_type'],
    indexed: [
      'segments.date',
      'campaign.name',
      'campaign.status',
      'metrics.clicks',
      'metrics.cost_micros',
      'metrics.impressions',
    ],
    text: ['campaign.name'],
    times: ['campaign.start_date', 'campaign.end_date'],
    sync: syncOf(campaignsTable),
  },
} as const satisfies Entity;
