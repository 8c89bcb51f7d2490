import { chanceAt, integerAt, mix, pickAt, unitAt } from '../advertising/noise.ts';
import { pickLabels } from './generate-labels.ts';
import { adGroupName, adWordsOf } from './wording.ts';
import { attachLabel, idOf, type Ad, type AdGroup, type Campaign, type World } from './world.ts';

const GROUP_TYPES: Record<string, string> = {
  SEARCH: 'SEARCH_STANDARD',
  SHOPPING: 'SHOPPING_PRODUCT_ADS',
  DISPLAY: 'DISPLAY_STANDARD',
  VIDEO: 'VIDEO_RESPONSIVE',
};
const AD_TYPES: Record<string, readonly string[]> = {
  SEARCH: ['RESPONSIVE_SEARCH_AD', 'RESPONSIVE_SEARCH_AD', 'EXPANDED_TEXT_AD', 'CALL_AD'],
  SHOPPING: ['SHOPPING_PRODUCT_AD'],
  DISPLAY: ['RESPONSIVE_DISPLAY_AD', 'IMAGE_AD'],
  VIDEO: ['VIDEO_RESPONSIVE_AD'],
  DEMAND_GEN: ['DEMAND_GEN_MULTI_ASSET_AD', 'DEMAND_GEN_CAROUSEL_AD'],
};

/** Adds ad groups with ads and labels to a campaign. Performance Max campaigns do not contain ad groups. */
export function generateAdGroups(world: World, campaign: Campaign): void {
  if (campaign.values['advertising_channel_type'] === 'PERFORMANCE_MAX') return;
  const count = integerAt(campaign.seed, 101, 1, 7);
  for (let place = 0; place < count; place++) {
    const adGroup = makeAdGroup(world, campaign, place);
    campaign.adGroups.push(adGroup);
    for (const label of pickLabels(world, adGroup.seed, 0.2)) {
      attachLabel(world.adGroupLabels, adGroup, label);
    }
    for (let ad = 0; ad < integerAt(adGroup.seed, 102, 1, 5); ad++) addAd(world, adGroup, ad);
  }
}

function makeAdGroup({ customer }: World, campaign: Campaign, place: number): AdGroup {
  const { values: parent } = campaign;
  const seed = mix(campaign.seed, 1000 + place);
  const index = campaign.index * 8 + place;
  const id = 150_011_223_344 + customer.ordinal * 1_000_000_000 + index * 7919 + (mix(seed, 1) % 7000);
  const resourceName = `customers/${customer.id}/adGroups/${id}`;
  // The first ad group delivers whenever its campaign does, so all of the campaign's counts can be assigned.
  const standing = place === 0 ? 0 : unitAt(seed, 2);
  const channel = String(parent['advertising_channel_type']);
  const bidding = parent['bidding_strategy_type'];
  const targetCpa = bidding === 'TARGET_CPA' ? integerAt(seed, 3, 2, 30) * 1_000_000 : 0;
  const targetRoas = bidding === 'TARGET_ROAS' ? integerAt(seed, 4, 15, 60) / 10 : undefined;
  return {
    seed,
    campaign,
    ads: [],
    delivers: standing < 0.7,
    values: {
      resource_name: resourceName,
      id,
      name: adGroupName(adWordsOf(customer), seed, place),
      status: standing < 0.7 ? 'ENABLED' : standing < 0.88 ? 'PAUSED' : 'REMOVED',
      type: GROUP_TYPES[channel],
      campaign: parent['resource_name'],
      base_ad_group: resourceName,
      ad_rotation_mode: chanceAt(seed, 5, 0.9) ? 'OPTIMIZE' : undefined,
      cpc_bid_micros: integerAt(seed, 6, 10, 250) * 10_000,
      cpm_bid_micros: 10_000,
      cpv_bid_micros: 0,
      target_cpa_micros: targetCpa,
      target_roas: targetRoas,
      effective_target_cpa_micros: targetCpa,
      effective_target_cpa_source: targetCpa > 0 ? 'AD_GROUP' : undefined,
      effective_target_roas: targetRoas,
      effective_target_roas_source: targetRoas === undefined ? undefined : 'CAMPAIGN_BIDDING_STRATEGY',
      tracking_url_template: chanceAt(seed, 7, 0.15) ? '{lpurl}?src=gads' : undefined,
      labels: [],
    },
  };
}

function addAd(world: World, adGroup: AdGroup, place: number): void {
  const { customer } = world;
  const seed = mix(adGroup.seed, 2000 + place);
  const adGroupId = Number(idOf(adGroup.values));
  const index = (adGroup.campaign.index * 8 + adGroup.campaign.adGroups.length - 1) * 6 + place;
  const id = 690_000_000_001 + customer.ordinal * 1_000_000_000 + index * 7919 + (mix(seed, 1) % 7000);
  const standing = place === 0 ? 0 : unitAt(seed, 2);
  const channel = String(adGroup.campaign.values['advertising_channel_type']);
  const type = pickAt(seed, 3, AD_TYPES[channel] ?? ['TEXT_AD']);
  const { domain, paths } = adWordsOf(customer);
  const path = pickAt(seed, 4, paths);
  const isReviewed = chanceAt(seed, 5, 0.95);
  const ad: Ad = {
    seed,
    adGroup,
    delivers: standing < 0.75,
    values: {
      resource_name: `customers/${customer.id}/adGroupAds/${adGroupId}~${id}`,
      status: standing < 0.75 ? 'ENABLED' : standing < 0.9 ? 'PAUSED' : 'REMOVED',
      ad_strength:
        type === 'RESPONSIVE_SEARCH_AD'
          ? pickAt(seed, 6, ['POOR', 'AVERAGE', 'GOOD', 'EXCELLENT'])
          : 'NO_ADS',
      ad_group: adGroup.values['resource_name'],
      labels: [],
      'policy_summary.approval_status': isReviewed ? pickAt(seed, 7, APPROVALS) : undefined,
      'policy_summary.review_status': isReviewed ? 'REVIEWED' : 'REVIEW_IN_PROGRESS',
      'ad.resource_name': `customers/${customer.id}/ads/${id}`,
      'ad.id': id,
      'ad.name': type === 'IMAGE_AD' ? `banner 300x250 v${place + 1}` : undefined,
      'ad.type': type,
      'ad.display_url': type === 'IMAGE_AD' ? domain : undefined,
      'ad.final_urls': type === 'SHOPPING_PRODUCT_AD' ? [] : [`https://${domain}/${path}`],
      'ad.final_mobile_urls': chanceAt(seed, 8, 0.2) ? [`https://m.${domain}/${path}`] : [],
      'ad.final_url_suffix': chanceAt(seed, 9, 0.2) ? 'utm=1' : undefined,
      'ad.tracking_url_template': chanceAt(seed, 10, 0.15) ? '{lpurl}' : undefined,
    },
  };
  adGroup.ads.push(ad);
  for (const label of pickLabels(world, seed, 0.1)) attachLabel(world.adLabels, ad, label);
}

const APPROVALS = ['APPROVED', 'APPROVED', 'APPROVED', 'APPROVED', 'APPROVED_LIMITED', 'DISAPPROVED'];
