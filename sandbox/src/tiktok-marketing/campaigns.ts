import { formatSecond } from '../advertising/calendar.ts';
import { chanceAt, integerAt, unitAt } from '../advertising/noise.ts';
import type { Account } from './account.ts';
import { objectiveOf } from './objectives.ts';
import type { Campaign } from './portfolio.ts';
import { specialFields } from './special-fields.ts';
import { campaignName } from './wording.ts';

/** Returns whether the campaign is a Smart Performance Campaign, whose objects omit some keys. */
export function isSmartCampaign(campaignSeed: number): boolean {
  return chanceAt(campaignSeed, 41, 0.12);
}

/** Returns a campaign's name, which the records of its ad groups and ads include. */
export function nameOfCampaign({ advertiser }: Account, { seed, createdAt }: Campaign): string {
  return campaignName(advertiser, seed, formatSecond(createdAt).slice(0, 7));
}

/** Renders a campaign for `/campaign/get/`. */
export function renderCampaign(account: Account, campaign: Campaign): Record<string, unknown> {
  const { seed } = campaign;
  const { objective, objective_type, optimization_goal } = objectiveOf(seed);
  const isSmart = isSmartCampaign(seed);
  const isApp = objective_type === 'APP_PROMOTION';
  const isRunning = campaign.last === Infinity;
  const budgetMode = isSmart ? 'BUDGET_MODE_DYNAMIC_DAILY_BUDGET' : budgetModeOf(seed);
  const isValueBid = optimization_goal === 'VALUE';
  return {
    campaign_id: campaign.id,
    campaign_name: nameOfCampaign(account, campaign),
    campaign_type: isApp && chanceAt(seed, 42, 0.5) ? 'IOS14_CAMPAIGN' : 'REGULAR_CAMPAIGN',
    advertiser_id: account.advertiser.id,
    budget_mode: budgetMode,
    budget: budgetMode === 'BUDGET_MODE_INFINITE' ? 0 : integerAt(seed, 43, 40, 900) / 2,
    operation_status: isRunning ? 'ENABLE' : 'DISABLE',
    secondary_status: isRunning ? 'CAMPAIGN_STATUS_ENABLE' : 'CAMPAIGN_STATUS_DISABLE',
    objective,
    objective_type,
    is_new_structure: true,
    is_smart_performance_campaign: isSmart,
    is_search_campaign: false,
    budget_optimize_on: isSmart || isApp,
    deep_bid_type: isValueBid ? 'VO_MIN_ROAS' : null,
    roas_bid: isValueBid ? Math.round(15 + 30 * unitAt(seed, 44)) / 10 : 0,
    create_time: formatSecond(campaign.createdAt),
    modify_time: formatSecond(campaign.modifiedAt),
    app_promotion_type: isApp ? 'APP_INSTALL' : 'UNSET',
    bid_type: isSmart ? 'BID_TYPE_NO_BID' : null,
    optimization_goal: isSmart ? optimization_goal : null,
    rf_campaign_type: 'STANDARD',
    ...(isSmart ? {} : { rta_id: null, rta_bid_enabled: false, rta_product_selection_enabled: false }),
    disable_skan_campaign: isApp ? false : null,
    is_advanced_dedicated_campaign: isApp ? chanceAt(seed, 45, 0.3) : null,
    campaign_system_origin: null,
    catalog_enabled: objective_type === 'PRODUCT_SALES' ? true : null,
    special_industries: null,
    ...(isSmart ? {} : specialFields('campaign', seed)),
  };
}

function budgetModeOf(seed: number): string {
  const place = unitAt(seed, 46);
  if (place < 0.6) return 'BUDGET_MODE_DAY';
  return place < 0.8 ? 'BUDGET_MODE_TOTAL' : 'BUDGET_MODE_INFINITE';
}
