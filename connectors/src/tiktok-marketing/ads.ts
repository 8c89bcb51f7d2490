import type { z } from 'zod';
import { listedEntity } from './listed.ts';
import { recordOf } from './record.ts';
import { searchFields } from './search.ts';

/** An ad. */
export const ad = recordOf({
  string: ['ad_id'],
  'string?': [
    'advertiser_id',
    'campaign_id',
    'campaign_name',
    'adgroup_id',
    'adgroup_name',
    'ad_name',
    'secondary_status',
    'create_time',
    'modify_time',
    'ad_text',
    'ad_format',
    'operation_status',
    'call_to_action',
    'call_to_action_id',
    'landing_page_url',
    'display_name',
    'profile_image_url',
    'video_id',
    'image_mode',
    'creative_type',
    'identity_id',
    'identity_type',
    'deeplink',
    'deeplink_type',
    'fallback_type',
    'impression_tracking_url',
    'click_tracking_url',
    'music_id',
    'optimization_event',
    'page_id',
    'viewability_postbid_partner',
    'viewability_vast_url',
    'brand_safety_postbid_partner',
    'brand_safety_vast_url',
    'app_name',
    'playable_url',
    'card_id',
    'avatar_icon_web_uri',
    'campaign_automation_type',
  ],
  'array?': ['ad_texts', 'landing_page_urls', 'image_ids', 'carousel_image_labels'],
  'boolean?': ['is_aco', 'is_new_structure', 'creative_authorized', 'vast_moat_enabled'],
  'integer?': ['tracking_pixel_id'],
});
export type Ad = z.infer<typeof ad>;

/** Ads: creative, text, landing page, status. */
export const ads = listedEntity({
  description: 'Ads: creative, text, landing page, status',
  summary: "List an advertiser's ads, newest first, without deleted ones",
  path: '/ad/get/',
  record: ad,
  maxPageSize: 1000,
  search: {
    fields: searchFields({
      integer: ['ad_id', 'adgroup_id', 'advertiser_id', 'campaign_id'],
      string: [
        'ad_format',
        'ad_name',
        'ad_text',
        'adgroup_name',
        'campaign_name',
        'create_time',
        'landing_page_url',
        'modify_time',
        'operation_status',
        'secondary_status',
        'video_id',
      ],
    }),
    primaryKey: ['ad_id'],
    indexed: [
      'advertiser_id',
      'campaign_id',
      'adgroup_id',
      'create_time',
      'modify_time',
      'operation_status',
      'secondary_status',
    ],
    text: ['ad_name', 'ad_text'],
  },
});
