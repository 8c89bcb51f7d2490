import { z } from 'zod';
import type { Entity } from '../kind/kind.ts';
import { listAction } from './list.ts';
import { en } from './messages/en.ts';
import { adGroup, adGroupAd, selectedSegments } from './resources.ts';
import { syncOf } from './sync.ts';
import type { Table } from './table.ts';

export const adGroupAdsTable = {
  from: 'ad_group_ad',
  fields: {
    'ad_group.id': 'integer',
    'ad_group_ad.ad.id': 'integer',
    'ad_group_ad.ad.name': 'string',
    'ad_group_ad.ad.type': 'string',
    'ad_group_ad.status': 'string',
    'ad_group_ad.ad_strength': 'string',
    'ad_group_ad.ad.display_url': 'string',
    'ad_group_ad.ad.final_urls': 'array',
    'ad_group_ad.ad.final_mobile_urls': 'array',
    'ad_group_ad.ad.final_url_suffix': 'string',
    'ad_group_ad.ad.tracking_url_template': 'string',
    'ad_group_ad.ad.resource_name': 'string',
    'ad_group_ad.ad_group': 'string',
    'ad_group_ad.resource_name': 'string',
    'ad_group_ad.labels': 'array',
    'ad_group_ad.policy_summary.approval_status': 'string',
    'ad_group_ad.policy_summary.review_status': 'string',
    'segments.date': 'string',
  },
} as const satisfies Table;

const record = z.object({
  adGroup: adGroup.nullable(),
  adGroupAd: adGroupAd.nullable(),
  segments: selectedSegments,
});
export type AdGroupAd = z.infer<typeof record>;

/** Ads in their ad groups. Search also returns the days on which each ad was shown. */
export const adGroupAds = {
  ...en.ads,
  description: 'Ads with URLs, ad strength and policy review',
  actions: { list: listAction('List ads', adGroupAdsTable, record) },
  search: {
    fields: adGroupAdsTable.fields,
    primaryKey: ['ad_group.id', 'ad_group_ad.ad.id', 'segments.date'],
    nullableKey: ['segments.date'],
    indexed: ['segments.date', 'ad_group_ad.status', 'ad_group_ad.ad.name'],
    text: ['ad_group_ad.ad.name', 'ad_group_ad.ad.display_url'],
    sync: syncOf(adGroupAdsTable),
  },
} as const satisfies Entity;
