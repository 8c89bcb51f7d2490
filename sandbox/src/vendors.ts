import { gong } from './gong/index.ts';
import { googleAds } from './google-ads/index.ts';
import { granola } from './granola/index.ts';
import type { Vendor } from './simulator/vendor.ts';
import { tiktokMarketing } from './tiktok-marketing/index.ts';

/** The simulated vendors. */
export const vendors: readonly Vendor[] = [granola, gong, tiktokMarketing, googleAds];
