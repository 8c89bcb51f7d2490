import { mix } from '../advertising/noise.ts';
import type { Business } from '../invented/businesses.ts';

/**
 * Values of fields that only few accounts use: reserved reach and frequency, search ads, app events, finer targeting and
 * tracking by partners. Each object has the fields of one product, and every 29th record or so uses each product.
 */
type Product = Readonly<Record<string, unknown>>;

const AD_GROUP_PRODUCTS: readonly Product[] = [
  {
    feed_type: 'TOP_FEED',
    delivery_mode: 'STANDARD',
    rf_purchased_type: 'FIXED_BUDGET',
    rf_estimated_cpr: 4.62,
    rf_estimated_frequency: 2.8,
    purchased_impression: 1_204_000,
    purchased_reach: 430_000,
    frequency: 3,
    frequency_schedule: 7,
    schedule_infos: [{ start_time: '2026-10-05 00:00:00', end_time: '2026-10-18 23:59:59' }],
  },
  {
    keywords: 'refill soap,solid shampoo,plastic free soap',
    automated_keywords_enabled: true,
    smart_audience_enabled: true,
    smart_interest_behavior_enabled: true,
    campaign_automation_type: 'MANUAL',
  },
  {
    secondary_optimization_event: 'PURCHASE',
    deep_bid_type: 'AEO',
    deep_funnel_optimization_status: 'ON',
    deep_funnel_event_source: 'APP',
    deep_funnel_event_source_id: '7190001122334455667',
    deep_funnel_optimization_event: 'PURCHASE',
    next_day_retention: 0.31,
    statistic_type: 'NONE',
    adgroup_app_profile_page_state: 'ON',
    app_config: { app_id: '7190001122334455667' },
  },
  {
    conversion_window: 'CLICK_7_DAY',
    vbo_window: 'SEVEN_DAYS',
    custom_conversion_id: '7410022334455667788',
    brand_safety_partner: 'IAS',
    category_exclusion_ids: ['901003'],
    contextual_tag_ids: ['7088130011223344556'],
  },
  {
    zipcode_ids: ['94110', '97209'],
    household_income: ['TOP_10_PERCENT', 'TOP_10_TO_25_PERCENT'],
    isp_ids: ['1000002'],
    spending_power: 'HIGH',
  },
];

const AD_PRODUCTS: readonly Product[] = [
  {
    impression_tracking_url: 'https://track.tidewater.example/i?c=__CID__',
    click_tracking_url: 'https://track.tidewater.example/c?c=__CID__',
    viewability_vast_url: 'https://viewability.example/vast.xml',
    brand_safety_vast_url: 'https://brand-safety.example/vast.xml',
  },
  {
    image_mode: 'CAROUSEL',
    creative_type: 'CUSTOM_INSTANT_PAGE',
    music_id: '7219911223344556677',
    carousel_image_labels: ['Bars', 'Refills'],
    card_id: '7388800112233445566',
    page_id: 7_300_112_233_445_566,
    optimization_event: 'SHOPPING',
    campaign_automation_type: 'MANUAL',
  },
];

const CAMPAIGN_PRODUCTS: readonly Product[] = [
  { split_test_variable: 'TARGETING', rta_id: '700441', campaign_automation_type: 'MANUAL' },
];

const VIDEO_PRODUCTS: readonly Product[] = [{ fix_task_id: 'fix_5d1c', flaw_types: ['LOW_RESOLUTION'] }];

/** The products that records of each level can use. */
export const productsOf = {
  adGroup: AD_GROUP_PRODUCTS,
  ad: AD_PRODUCTS,
  campaign: CAMPAIGN_PRODUCTS,
  video: VIDEO_PRODUCTS,
} as const;

/** Returns the values of the product that a record uses, if any, in the words of a small business. */
export function specialFields(level: keyof typeof productsOf, seed: number, business?: Business): Product {
  const products = productsOf[level];
  const product = products[mix(seed, 97) % 29] ?? {};
  if (!business) return product;
  const { domain, ads } = business;
  const own: Product = {
    keywords: ads.groups.join(','),
    carousel_image_labels: ads.themes.slice(0, 2),
    impression_tracking_url: `https://track.${domain}/i?c=__CID__`,
    click_tracking_url: `https://track.${domain}/c?c=__CID__`,
  };
  return Object.fromEntries(Object.entries(product).map(([name, value]) => [name, own[name] ?? value]));
}
