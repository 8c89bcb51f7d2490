import { formatDay, formatSecond } from '../advertising/calendar.ts';
import { chanceAt, integerAt, mix, pickAt } from '../advertising/noise.ts';
import type { Account } from './account.ts';
import { isSmartCampaign, nameOfCampaign } from './campaigns.ts';
import { objectiveOf } from './objectives.ts';
import type { AdGroup, Node } from './portfolio.ts';
import { specialFields } from './special-fields.ts';
import { adGroupName } from './wording.ts';

const ALL_WEEK = '1'.repeat(48 * 7);
const OFFICE_HOURS = ('0'.repeat(16) + '1'.repeat(24) + '0'.repeat(8)).repeat(7);
const AGES = ['AGE_18_24', 'AGE_25_34', 'AGE_35_44', 'AGE_45_54', 'AGE_55_100'];

/** Returns an ad group's name, which the records of its ads include. */
export function nameOfAdGroup({ advertiser }: Account, { seed }: AdGroup): string {
  return adGroupName(advertiser, seed);
}

/** Returns whether TikTok chooses the ad group's placements. */
export function isAutomaticPlacement(adGroupSeed: number): boolean {
  return chanceAt(adGroupSeed, 61, 0.4);
}

/** Renders an ad group for `/adgroup/get/`. */
export function renderAdGroup(account: Account, adGroup: AdGroup): Record<string, unknown> {
  const campaign = adGroup.parent;
  const objective = objectiveOf(campaign.seed);
  const isSmart = isSmartCampaign(campaign.seed);
  return {
    adgroup_id: adGroup.id,
    campaign_id: campaign.id,
    advertiser_id: account.advertiser.id,
    adgroup_name: nameOfAdGroup(account, adGroup),
    placement_type: isAutomaticPlacement(adGroup.seed) ? 'PLACEMENT_TYPE_AUTOMATIC' : 'PLACEMENT_TYPE_NORMAL',
    budget_mode: 'BUDGET_MODE_DAY',
    secondary_status: adGroupStatus(adGroup),
    operation_status: adGroup.last === Infinity ? 'ENABLE' : 'DISABLE',
    optimization_goal: objective.optimization_goal,
    promotion_type: objective.promotion_type,
    creative_material_mode: isSmart ? 'DYNAMIC' : 'CUSTOM',
    ...renderSchedule(adGroup),
    ...renderBid(adGroup, objective.optimization_goal, objective.billing_event),
    ...renderPromotion(adGroup, objective.promotion_type, objective.optimization_goal),
    campaign_name: nameOfCampaign(account, campaign),
    ...UNUSED,
    ...renderTargeting(account, adGroup, objective.promotion_type),
    schedule_infos: null,
    audit_status: null,
    ...specialFields('adGroup', adGroup.seed, account.advertiser.business),
    ...(isSmart && { is_smart_performance_campaign: true }),
  };
}

function renderSchedule(node: Node): Record<string, unknown> {
  const isOpen = node.last === Infinity;
  return {
    schedule_type: isOpen ? 'SCHEDULE_FROM_NOW' : 'SCHEDULE_START_END',
    schedule_start_time: `${formatDay(node.first)} 00:00:00`,
    schedule_end_time: isOpen ? '2036-04-01 00:00:00' : `${formatDay(node.last)} 23:59:59`,
    create_time: formatSecond(node.createdAt),
    modify_time: formatSecond(node.modifiedAt),
  };
}

function renderBid({ seed }: Node, goal: string, billingEvent: string): Record<string, unknown> {
  const hasBid = chanceAt(seed, 62, 0.6);
  const amount = integerAt(seed, 63, 20, 190) / 100;
  const isConverting = goal === 'CONVERT' || goal === 'VALUE';
  return {
    budget: integerAt(seed, 64, 20, 300),
    bid_price: hasBid && !isConverting ? amount : 0,
    deep_cpa_bid: 0,
    conversion_bid_price: hasBid && isConverting ? amount * 10 : 0,
    is_new_structure: true,
    bid_type: hasBid ? 'BID_TYPE_CUSTOM' : 'BID_TYPE_NO_BID',
    gender: pickAt(seed, 65, ['GENDER_UNLIMITED', 'GENDER_UNLIMITED', 'GENDER_FEMALE', 'GENDER_MALE']),
    pixel_id: isConverting ? `C9PIXEL${String(mix(seed, 66)).padStart(10, '0').slice(0, 8)}` : null,
    deep_bid_type: null,
    billing_event: billingEvent,
    pacing: chanceAt(seed, 67, 0.9) ? 'PACING_MODE_SMOOTH' : 'PACING_MODE_FAST',
    dayparting: chanceAt(seed, 68, 0.9) ? ALL_WEEK : OFFICE_HOURS,
  };
}

function renderPromotion({ seed }: Node, promotionType: string, goal: string): Record<string, unknown> {
  const isApp = promotionType === 'APP_IOS';
  return {
    app_id: isApp ? '7190001122334455667' : null,
    app_type: isApp ? 'APP_IOS' : null,
    app_download_url: isApp ? 'https://apps.example/id1' : null,
    optimization_event: goal === 'CONVERT' || goal === 'VALUE' ? 'SHOPPING' : null,
    secondary_optimization_event: null,
    conversion_window: null,
    brand_safety_type: chanceAt(seed, 69, 0.9) ? 'NO_BRAND_SAFETY' : 'STANDARD_INVENTORY',
    brand_safety_partner: null,
  };
}

const UNUSED = {
  bid_display_mode: 'CPMV',
  category_id: '0',
  feed_type: null,
  delivery_mode: null,
  ios14_quota_type: 'UNOCCUPIED',
  rf_purchased_type: null,
  statistic_type: null,
  keywords: null,
  adgroup_app_profile_page_state: null,
  frequency: null,
  frequency_schedule: null,
  comment_disabled: false,
  video_download_disabled: false,
  share_disabled: false,
  auto_targeting_enabled: false,
  is_hfss: false,
  search_result_enabled: false,
  inventory_filter_enabled: false,
  skip_learning_phase: false,
  scheduled_budget: 0,
  next_day_retention: null,
  rf_estimated_cpr: null,
  rf_estimated_frequency: null,
  purchased_impression: null,
  purchased_reach: null,
};

function renderTargeting(account: Account, { seed }: Node, promotionType: string): Record<string, unknown> {
  const isApp = promotionType === 'APP_IOS';
  const youngest = integerAt(seed, 70, 0, 3);
  return {
    placements: isAutomaticPlacement(seed) ? null : ['PLACEMENT_TIKTOK'],
    age_groups: chanceAt(seed, 71, 0.2) ? null : AGES.slice(youngest, youngest + 2),
    languages: ['en'],
    location_ids: [pickAt(seed, 72, ['6252001', '2921044', '1861060', '6251999', '2635167'])],
    audience_ids: chanceAt(seed, 73, 0.25) ? [audienceIdAt(account, integerAt(seed, 74, 0, 5))] : [],
    excluded_audience_ids: [],
    interest_category_ids: chanceAt(seed, 75, 0.5) ? ['26'] : [],
    interest_keyword_ids: [],
    actions: [],
    network_types: [],
    operating_systems: isApp ? ['IOS'] : [],
    device_model_ids: [],
    device_price_ranges: isApp ? [0, 1000] : null,
    included_custom_actions: [],
    excluded_custom_actions: [],
  };
}

/** Returns an audience id that is unique across ad accounts. */
export function audienceIdAt({ advertiser }: Account, index: number): string {
  return String(170_552_233 + advertiser.ordinal * 10_000 + index * 17);
}

function adGroupStatus({ parent, last, seed }: AdGroup): string {
  if (parent.last !== Infinity) return 'ADGROUP_STATUS_CAMPAIGN_DISABLE';
  if (last !== Infinity) return 'ADGROUP_STATUS_DISABLE';
  return chanceAt(seed, 76, 0.05) ? 'ADGROUP_STATUS_BUDGET_EXCEED' : 'ADGROUP_STATUS_DELIVERY_OK';
}
