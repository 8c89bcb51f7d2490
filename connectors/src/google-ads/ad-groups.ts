import { z } from 'zod';
import { defineAction, type Entity } from '../kind/kind.ts';
import { listAction } from './list.ts';
import { en } from './messages/en.ts';
import { mutate, mutateParams, mutation, resourceName } from './mutate.ts';
import { adGroup, campaign, selectedMetrics, selectedSegments } from './resources.ts';
import { syncOf } from './sync.ts';
import type { Table } from './table.ts';
import { changes, toUpdate, updateOperation } from './update.ts';

export const adGroupsTable = {
  from: 'ad_group',
  fields: {
    'campaign.id': 'integer',
    'ad_group.id': 'integer',
    'ad_group.name': 'string',
    'ad_group.status': 'string',
    'ad_group.type': 'string',
    'ad_group.ad_rotation_mode': 'string',
    'ad_group.base_ad_group': 'string',
    'ad_group.campaign': 'string',
    'ad_group.cpc_bid_micros': 'integer',
    'ad_group.cpm_bid_micros': 'integer',
    'ad_group.cpv_bid_micros': 'integer',
    'ad_group.effective_target_cpa_micros': 'integer',
    'ad_group.effective_target_cpa_source': 'string',
    'ad_group.effective_target_roas': 'number',
    'ad_group.effective_target_roas_source': 'string',
    'ad_group.labels': 'array',
    'ad_group.resource_name': 'string',
    'ad_group.target_cpa_micros': 'integer',
    'ad_group.target_roas': 'number',
    'ad_group.tracking_url_template': 'string',
    'segments.date': 'string',
    'metrics.cost_micros': 'integer',
  },
} as const satisfies Table;

const record = z.object({
  campaign: campaign.nullable(),
  adGroup: adGroup.nullable(),
  metrics: selectedMetrics,
  segments: selectedSegments,
});
export type AdGroup = z.infer<typeof record>;

const maxInt64 = 9_223_372_036_854_775_807n;

const operation = updateOperation(
  z.strictObject({
    resourceName: resourceName('adGroups').describe('Resource name of the ad group'),
    ...changes,
    cpcBidMicros: z
      .string()
      .regex(/^\d{1,19}$/, 'Write micros as a string of digits, such as "650000"')
      .refine(micros => !/^\d{19}$/.test(micros) || BigInt(micros) <= maxInt64, `Must be at most ${maxInt64}`)
      .optional()
      .describe('Maximum cost-per-click bid in micros: "650000" is 0.65'),
  }),
);

/** Ad groups. Search also returns their cost by day. */
export const adGroups = {
  ...en.adGroups,
  description: 'Ad groups with bids and targets; in search, also with daily cost',
  actions: {
    list: listAction('List ad groups', adGroupsTable, record),
    update: defineAction({
      summary: 'Rename, enable or pause ad groups, or change their cost-per-click bid',
      params: mutateParams('update', operation),
      record: mutation,
      run: ({ customer_id, operations }, vendor) =>
        mutate(vendor, customer_id, 'adGroups', operations.map(toUpdate)),
    }),
  },
  search: {
    fields: adGroupsTable.fields,
    primaryKey: ['ad_group.id', 'segments.date'],
    nullableKey: ['segments.date'],
    indexed: ['segments.date', 'campaign.id', 'ad_group.name', 'ad_group.status', 'metrics.cost_micros'],
    text: ['ad_group.name'],
    sync: syncOf(adGroupsTable),
  },
} as const satisfies Entity;
