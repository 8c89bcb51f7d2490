import { z } from 'zod';
import { defineAction, type Entity } from '../kind/kind.ts';
import { listAction } from './list.ts';
import { en } from './messages/en.ts';
import { mutate, mutateParams, mutation, resourceName } from './mutate.ts';
import { campaign, campaignLabel, label } from './resources.ts';
import { syncOf } from './sync.ts';
import type { Table } from './table.ts';

export const campaignLabelsTable = {
  from: 'campaign_label',
  fields: {
    'campaign.id': 'integer',
    'campaign_label.campaign': 'string',
    'campaign_label.label': 'string',
    'campaign_label.resource_name': 'string',
    'label.id': 'integer',
    'label.name': 'string',
    'label.resource_name': 'string',
  },
} as const satisfies Table;

const record = z.object({
  campaign: campaign.nullable(),
  campaignLabel: campaignLabel.nullable(),
  label: label.nullable(),
});
export type CampaignLabel = z.infer<typeof record>;

const operation = z.strictObject({
  create: z
    .strictObject({
      campaign: resourceName('campaigns').describe('Resource name of the campaign'),
      label: resourceName('labels').describe('Resource name of the label'),
    })
    .optional(),
});

export const campaignLabels = {
  ...en.campaignLabels,
  description: 'Labels on campaigns',
  actions: {
    list: listAction('List the labels on campaigns', campaignLabelsTable, record),
    create: defineAction({
      summary: 'Add an existing label to a campaign',
      params: mutateParams('create', operation),
      record: mutation,
      run: ({ customer_id, operations }, vendor) => mutate(vendor, customer_id, 'campaignLabels', operations),
    }),
  },
  search: {
    fields: campaignLabelsTable.fields,
    primaryKey: ['campaign.id', 'label.id'],
    indexed: ['label.name'],
    text: ['label.name'],
    sync: syncOf(campaignLabelsTable),
  },
} as const satisfies Entity;
