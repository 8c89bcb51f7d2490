import { z } from 'zod';
import { defineAction, type Entity } from '../kind/kind.ts';
import { listAction } from './list.ts';
import { en } from './messages/en.ts';
import { mutate, mutateParams, mutation, resourceName } from './mutate.ts';
import { adGroup, adGroupLabel, label } from './resources.ts';
import { syncOf } from './sync.ts';
import type { Table } from './table.ts';

export const adGroupLabelsTable = {
  from: 'ad_group_label',
  fields: {
    'ad_group.id': 'integer',
    'ad_group_label.ad_group': 'string',
    'ad_group_label.label': 'string',
    'ad_group_label.resource_name': 'string',
    'label.id': 'integer',
    'label.name': 'string',
    'label.resource_name': 'string',
  },
} as const satisfies Table;

const record = z.object({
  adGroup: adGroup.nullable(),
  adGroupLabel: adGroupLabel.nullable(),
  label: label.nullable(),
});
export type AdGroupLabel = z.infer<typeof record>;

const operation = z.strictObject({
  create: z
    .strictObject({
      adGroup: resourceName('adGroups').describe('Resource name of the ad group'),
      label: resourceName('labels').describe('Resource name of the label'),
    })
    .optional(),
});

export const adGroupLabels = {
  ...en.adGroupLabels,
  description: 'Labels on ad groups',
  actions: {
    list: listAction('List the labels on ad groups', adGroupLabelsTable, record),
    create: defineAction({
      summary: 'Add an existing label to an ad group',
      params: mutateParams('create', operation),
      record: mutation,
      run: ({ customer_id, operations }, vendor) => mutate(vendor, customer_id, 'adGroupLabels', operations),
    }),
  },
  search: {
    fields: adGroupLabelsTable.fields,
    primaryKey: ['ad_group.id', 'label.id'],
    indexed: ['label.name'],
    text: ['label.name'],
    sync: syncOf(adGroupLabelsTable),
  },
} as const satisfies Entity;
