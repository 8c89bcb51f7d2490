import { z } from 'zod';
import type { Entity } from '../kind/kind.ts';
import { listAction } from './list.ts';
import { en } from './messages/en.ts';
import { adGroupAd, adGroupAdLabel, label } from './resources.ts';
import { syncOf } from './sync.ts';
import type { Table } from './table.ts';

export const adGroupAdLabelsTable = {
  from: 'ad_group_ad_label',
  fields: {
    'ad_group_ad.ad.id': 'integer',
    'ad_group_ad_label.ad_group_ad': 'string',
    'ad_group_ad_label.label': 'string',
    'ad_group_ad_label.resource_name': 'string',
    'label.id': 'integer',
    'label.name': 'string',
    'label.resource_name': 'string',
  },
} as const satisfies Table;

const record = z.object({
  adGroupAd: adGroupAd.nullable(),
  adGroupAdLabel: adGroupAdLabel.nullable(),
  label: label.nullable(),
});
export type AdGroupAdLabel = z.infer<typeof record>;

export const adGroupAdLabels = {
  ...en.adLabels,
  description: 'Labels on ads',
  actions: { list: listAction('List the labels on ads', adGroupAdLabelsTable, record) },
  search: {
    fields: adGroupAdLabelsTable.fields,
    // An ad can be in more than one ad group, and `ad_group_ad` identifies both.
    primaryKey: ['ad_group_ad_label.ad_group_ad', 'label.id'],
    indexed: ['ad_group_ad.ad.id', 'label.name'],
    text: ['label.name'],
    sync: syncOf(adGroupAdLabelsTable),
  },
} as const satisfies Entity;
