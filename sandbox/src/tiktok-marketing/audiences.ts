import { formatSecond } from '../advertising/calendar.ts';
import { chanceAt, integerAt, mix, pickAt } from '../advertising/noise.ts';
import type { Account } from './account.ts';
import { audienceIdAt } from './ad-groups.ts';

/** The number of audiences in an ad account that contains ads. */
export const AUDIENCE_COUNT = 130;

const NAMES = [
  'LAL purchasers 1%',
  'CRM emails',
  'Old visitors',
  'Cart 14d',
  'VIP – Ö/Ü',
  '購入者 180日',
  'App users',
  'Watched 75%',
];
const TYPES = [
  'Lookalike Audience',
  'Customer File Audience',
  'Engagement Audience',
  'App Activity Audience',
  'Website Audience',
];

/** Renders an audience for `/dmp/custom_audience/list/`. */
export function renderAudience(account: Account, index: number): Record<string, unknown> {
  const seed = mix(mix(account.seed, 921), index);
  const type = pickAt(seed, 1, TYPES);
  const isValid = chanceAt(seed, 2, 0.85);
  const createdAt = (account.today - integerAt(seed, 3, 20, 360)) * 86_400 + integerAt(seed, 4, 0, 86_399);
  return {
    audience_id: audienceIdAt(account, index),
    name: `${pickAt(seed, 5, NAMES)} #${index + 1}`,
    audience_type: type,
    calculate_type: type === 'Customer File Audience' ? 'EMAIL_SHA256' : null,
    cover_num: isValid ? integerAt(seed, 6, 1000, 2_400_000) : 0,
    is_valid: isValid,
    is_expiring: !isValid,
    is_creator: chanceAt(seed, 7, 0.9),
    shared: chanceAt(seed, 8, 0.2),
    create_time: formatSecond(createdAt),
    expired_time: chanceAt(seed, 9, 0.1) ? null : formatSecond(createdAt + 365 * 86_400),
  };
}
