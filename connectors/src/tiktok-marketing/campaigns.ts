import type { z } from 'zod';
import { listedEntity } from './listed.ts';
import { en } from './messages/en.ts';
import { recordOf } from './record.ts';
import { searchFields } from './search.ts';

/** A campaign. Times are in UTC, as `YYYY-MM-DD HH:MM:SS`. `budget` is 0 if the budget mode is infinite. */
export const campaign = recordOf({
  string: ['campaign_id'],
  'string?': [
    'campaign_name',
    'campaign_type',
    'advertiser_id',
    'budget_mode',
    'secondary_status',
    'create_time',
    'modify_time',
    'operation_status',
    'objective',
    'objective_type',
    'bid_type',
    'deep_bid_type',
    'optimization_goal',
    'split_test_variable',
    'app_promotion_type',
    'rf_campaign_type',
    'rta_id',
    'campaign_automation_type',
  ],
  'number?': ['budget', 'roas_bid'],
  'boolean?': [
    'is_new_structure',
    'budget_optimize_on',
    'is_smart_performance_campaign',
    'is_search_campaign',
    'disable_skan_campaign',
    'is_advanced_dedicated_campaign',
    'rta_bid_enabled',
    'rta_product_selection_enabled',
  ],
});
export type Campaign = z.infer<typeof campaign>;

export const campaigns = listedEntity({
  ...en.campaigns,
  description: 'Campaigns: objective, budget, status',
  summary: "List an advertiser's campaigns, newest first, without deleted ones",
  path: '/campaign/get/',
  record: campaign,
  maxPageSize: 1000,
  search: {
    fields: searchFields(campaign, [
      'advertiser_id',
      'campaign_id',
      'budget',
      'roas_bid',
      'budget_optimize_on',
      'is_new_structure',
      'is_search_campaign',
      'is_smart_performance_campaign',
      'app_promotion_type',
      'bid_type',
      'budget_mode',
      'campaign_name',
      'campaign_type',
      'create_time',
      'deep_bid_type',
      'modify_time',
      'objective',
      'objective_type',
      'operation_status',
      'optimization_goal',
      'rf_campaign_type',
      'secondary_status',
      'split_test_variable',
    ]),
    primaryKey: ['campaign_id'],
    indexed: [
      'advertiser_id',
      'create_time',
      'modify_time',
      'operation_status',
      'secondary_status',
      'objective_type',
    ],
    text: ['campaign_name'],
    times: ['create_time', 'modify_time'],
  },
});
