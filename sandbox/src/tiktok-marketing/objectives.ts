import { pickAt, unitAt } from '../advertising/noise.ts';

/** A campaign objective. It determines fields of the ad groups, and what reports count as a result. */
export interface Objective {
  readonly objective: string;
  readonly objective_type: string;
  readonly promotion_type: string;
  readonly optimization_goal: string;
  readonly billing_event: string;
  /** What `result` counts in reports. */
  readonly result: 'clicks' | 'impressions' | 'watched' | 'conversions' | 'engagement';
}

const OBJECTIVES: readonly Objective[] = [
  {
    objective: 'LANDING_PAGE',
    objective_type: 'TRAFFIC',
    promotion_type: 'WEBSITE',
    optimization_goal: 'CLICK',
    billing_event: 'CPC',
    result: 'clicks',
  },
  {
    objective: 'CONVERSIONS',
    objective_type: 'WEB_CONVERSIONS',
    promotion_type: 'WEBSITE',
    optimization_goal: 'CONVERT',
    billing_event: 'OCPM',
    result: 'conversions',
  },
  {
    objective: 'CONVERSIONS',
    objective_type: 'WEB_CONVERSIONS',
    promotion_type: 'WEBSITE',
    optimization_goal: 'VALUE',
    billing_event: 'OCPM',
    result: 'conversions',
  },
  {
    objective: 'APP',
    objective_type: 'APP_PROMOTION',
    promotion_type: 'APP_IOS',
    optimization_goal: 'INSTALL',
    billing_event: 'OCPM',
    result: 'conversions',
  },
  {
    objective: 'VIDEO_VIEW',
    objective_type: 'VIDEO_VIEWS',
    promotion_type: 'WEBSITE',
    optimization_goal: 'ENGAGED_VIEW',
    billing_event: 'CPV',
    result: 'watched',
  },
  {
    objective: 'REACH',
    objective_type: 'REACH',
    promotion_type: 'WEBSITE',
    optimization_goal: 'REACH',
    billing_event: 'CPM',
    result: 'impressions',
  },
  {
    objective: 'LEAD_GENERATION',
    objective_type: 'LEAD_GENERATION',
    promotion_type: 'LEAD_GENERATION',
    optimization_goal: 'LEAD_GENERATION',
    billing_event: 'OCPM',
    result: 'conversions',
  },
  {
    objective: 'ENGAGEMENT',
    objective_type: 'ENGAGEMENT',
    promotion_type: 'WEBSITE',
    optimization_goal: 'FOLLOWERS',
    billing_event: 'OCPM',
    result: 'engagement',
  },
  {
    objective: 'PRODUCT_SALES',
    objective_type: 'PRODUCT_SALES',
    promotion_type: 'WEBSITE',
    optimization_goal: 'CONVERT',
    billing_event: 'OCPM',
    result: 'conversions',
  },
];

/** Returns the objective of the campaign with this seed. */
export function objectiveOf(campaignSeed: number): Objective {
  return pickAt(campaignSeed, 11, OBJECTIVES);
}

/** How a campaign can be bought. */
export type BuyingType = 'AUCTION' | 'RESERVATION_RF' | 'RESERVATION_TOP_VIEW';

/** Returns a campaign's buying type. One in twenty is a reservation, which `AUCTION_*` reports exclude. */
export function buyingTypeOf(campaignSeed: number): BuyingType {
  const place = unitAt(campaignSeed, 12);
  if (place < 0.95) return 'AUCTION';
  return place < 0.985 ? 'RESERVATION_RF' : 'RESERVATION_TOP_VIEW';
}
