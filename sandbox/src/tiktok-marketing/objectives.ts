import { pickAt, unitAt } from '../advertising/noise.ts';
import data from './objectives.json' with { type: 'json' };

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

// The file contains only the values of the type.
const OBJECTIVES = data as readonly Objective[];

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
