import { formatDay } from '../advertising/calendar.ts';
import { chanceAt, integerAt, mix, pickAt, unitAt } from '../advertising/noise.ts';
import type { Random } from '../simulator/random.ts';
import type { Customer } from './customers.ts';
import type { Values } from './fields.ts';
import { generateAdGroups } from './generate-ad-groups.ts';
import { makeLabels, pickLabels } from './generate-labels.ts';
import { adWordsOf, campaignName } from './wording.ts';
import { attachLabel, type Campaign, type World } from './world.ts';

/** The age of the oldest campaign in days. */
const HISTORY_DAYS = 900;

/** Generates an account's data. */
export function generateWorld(customer: Customer, random: Random, today: number): World {
  const seed = random.integer(0, 0xffffffff);
  const world: World = {
    customer,
    values: customerValues(customer, seed),
    seed,
    campaigns: [],
    labels: [],
    campaignLabels: [],
    adGroupLabels: [],
    adLabels: [],
    revision: 0,
  };
  if (customer.campaignCount === 0) return world;
  world.labels.push(...makeLabels(customer, seed));
  for (let index = 0; index < customer.campaignCount; index++) {
    const campaign = makeCampaign(customer, seed, index, today);
    world.campaigns.push(campaign);
    for (const label of pickLabels(world, campaign.seed, 0.45)) {
      attachLabel(world.campaignLabels, campaign, label);
    }
    generateAdGroups(world, campaign);
  }
  return world;
}

function customerValues(customer: Customer, seed: number): Values {
  const isPlain = customer.isManager || customer.campaignCount === 0;
  const trackingId = 900_000_000 + integerAt(seed, 1, 0, 99_000_000);
  return {
    resource_name: `customers/${customer.id}`,
    id: Number(customer.id),
    descriptive_name: customer.name,
    currency_code: customer.currency,
    time_zone: customer.timeZone,
    status: customer.status,
    manager: customer.isManager,
    test_account: customer.isTest,
    auto_tagging_enabled: !isPlain,
    has_partners_badge: false,
    final_url_suffix: isPlain ? undefined : 'utm_source=google',
    tracking_url_template: isPlain ? undefined : '{lpurl}?src=gads',
    optimization_score: isPlain ? undefined : Math.round(5000 + 4000 * unitAt(seed, 3)) / 10_000,
    optimization_score_weight: isPlain ? undefined : Math.round(1000 + 1000 * unitAt(seed, 4)) / 10,
    pay_per_conversion_eligibility_failure_reasons: isPlain ? ['NOT_ENOUGH_CONVERSIONS', 'OTHER'] : [],
    'call_reporting_setting.call_reporting_enabled': !isPlain,
    'call_reporting_setting.call_conversion_reporting_enabled': isPlain ? undefined : true,
    'call_reporting_setting.call_conversion_action': isPlain
      ? undefined
      : `customers/${customer.id}/conversionActions/179`,
    'conversion_tracking_setting.conversion_tracking_id': isPlain ? undefined : trackingId,
    'conversion_tracking_setting.cross_account_conversion_tracking_id': isPlain ? undefined : 0,
    'remarketing_setting.google_global_site_tag': isPlain
      ? undefined
      : `<script async src="https://tag.example/AW-${trackingId}"></script>\n`,
  };
}

interface Channel {
  readonly type: string;
  readonly subType?: string;
  readonly bidding: string;
}

const CHANNELS: readonly Channel[] = [
  { type: 'SEARCH', bidding: 'TARGET_SPEND' },
  { type: 'SEARCH', bidding: 'MAXIMIZE_CONVERSIONS' },
  { type: 'SEARCH', bidding: 'MANUAL_CPC' },
  { type: 'SHOPPING', bidding: 'TARGET_ROAS' },
  { type: 'SHOPPING', subType: 'SHOPPING_COMPARISON_LISTING_ADS', bidding: 'TARGET_ROAS' },
  { type: 'DISPLAY', bidding: 'TARGET_CPA' },
  { type: 'PERFORMANCE_MAX', bidding: 'MAXIMIZE_CONVERSION_VALUE' },
  { type: 'VIDEO', subType: 'VIDEO_ACTION', bidding: 'TARGET_CPA' },
  { type: 'DEMAND_GEN', bidding: 'MAXIMIZE_CONVERSIONS' },
];

function makeCampaign(customer: Customer, accountSeed: number, index: number, today: number): Campaign {
  const seed = mix(mix(accountSeed, 5), index);
  const id = 20_411_122_233 + customer.ordinal * 100_000_000 + index * 7919 + (mix(seed, 1) % 7000);
  const place = unitAt(seed, 2);
  const status = index === 0 || place < 0.1 ? 'ENABLED' : place < 0.66 ? 'PAUSED' : 'REMOVED';
  const first = today - HISTORY_DAYS + Math.floor((index * (HISTORY_DAYS - 20)) / customer.campaignCount);
  const end = first + integerAt(seed, 3, 20, 150);
  const isRunning = status === 'ENABLED';
  const hasEnd = !isRunning && end < today && chanceAt(seed, 4, 0.4);
  const channel = pickAt(seed, 5, index === 0 ? CHANNELS.slice(0, 1) : CHANNELS);
  const isShared = chanceAt(seed, 6, 0.15);
  const budget = `customers/${customer.id}/campaignBudgets/${id - 20_400_000_000}`;
  const hasNetworks = channel.type !== 'PERFORMANCE_MAX';
  const name = campaignName(adWordsOf(customer), seed, formatDay(first).slice(0, 7), index);
  return {
    index,
    seed,
    first,
    last: isRunning ? Infinity : Math.min(end, today - 1),
    adGroups: [],
    budget: {
      resource_name: budget,
      id: id - 20_400_000_000,
      name: isShared ? `${name} (shared)` : undefined,
      amount_micros: chanceAt(seed, 7, 0.03) ? 0 : integerAt(seed, 8, 5, 400) * 1_000_000,
      explicitly_shared: isShared,
    },
    values: {
      resource_name: `customers/${customer.id}/campaigns/${id}`,
      id,
      name,
      status,
      serving_status: isRunning ? 'SERVING' : hasEnd ? 'ENDED' : 'NONE',
      advertising_channel_type: channel.type,
      advertising_channel_sub_type: channel.subType,
      bidding_strategy:
        channel.bidding === 'TARGET_ROAS' ? `customers/${customer.id}/biddingStrategies/334455` : undefined,
      bidding_strategy_type: channel.bidding,
      campaign_budget: budget,
      start_date: formatDay(first),
      end_date: hasEnd ? formatDay(end) : '2037-12-30',
      start_date_time: `${formatDay(first)} 00:00:00`,
      end_date_time: hasEnd ? `${formatDay(end)} 23:59:59` : undefined,
      labels: [],
      tracking_url_template: chanceAt(seed, 9, 0.2) ? '{lpurl}?src=gads' : undefined,
      'network_settings.target_google_search': hasNetworks ? channel.type !== 'DISPLAY' : undefined,
      'network_settings.target_search_network': hasNetworks ? channel.type !== 'DISPLAY' : undefined,
      'network_settings.target_content_network': hasNetworks ? channel.type === 'DISPLAY' : undefined,
      'network_settings.target_partner_search_network': hasNetworks ? false : undefined,
    },
  };
}
