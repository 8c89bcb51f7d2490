import { formatSecond } from '../advertising/calendar.ts';
import { chanceAt, hexAt, integerAt, mix, pickAt } from '../advertising/noise.ts';
import type { Account } from './account.ts';
import { assetTime, type SignedUrls } from './assets.ts';
import { specialFields } from './special-fields.ts';

/** The number of videos in an ad account that contains ads. */
export const VIDEO_COUNT = 140;

const SIX_HOURS = 6 * 3600;

/** Returns the id of a video in the account with this seed. */
export function videoIdAt(accountSeed: number, index: number): string {
  return `v10033g50000cq1${hexAt(mix(accountSeed, 911), index, 17)}`;
}

/** Renders a video for `/file/video/ad/search/`; its signed URLs expire after six hours. */
export function renderVideo(account: Account, index: number, urls: SignedUrls): Record<string, unknown> {
  const seed = mix(mix(account.seed, 912), index);
  const isLarge = chanceAt(seed, 1, 0.4);
  const createdAt = assetTime(account.today, index, VIDEO_COUNT, seed);
  return {
    video_id: videoIdAt(account.seed, index),
    material_id: String(7_541_350_000_000_000_001n + BigInt(index) * 89n),
    format: chanceAt(seed, 2, 0.9) ? 'mp4' : 'mov',
    video_cover_url: urls.sign(`https://p16.example/cover/${hexAt(seed, 3, 6)}.image`, SIX_HOURS),
    preview_url: `https://v16.example/${hexAt(seed, 3, 6)}/video.mp4`,
    preview_url_expire_time: formatSecond(urls.nowSeconds + SIX_HOURS),
    signature: hexAt(seed, 4, 32),
    file_name: pickAt(seed, 5, ['hook_a.mp4', 'reel.mov', 'UGC 🧼 final FINAL.mp4', '使用前後.mp4', null]),
    width: isLarge ? 1080 : 720,
    height: isLarge ? 1920 : 1280,
    size: integerAt(seed, 6, 900_000, 24_000_000),
    duration: chanceAt(seed, 7, 0.3) ? 60 : integerAt(seed, 8, 500, 3000) / 100,
    bit_rate: integerAt(seed, 9, 700_000, 4_000_000),
    allowed_placements: chanceAt(seed, 10, 0.6)
      ? ['PLACEMENT_TIKTOK', 'PLACEMENT_PANGLE']
      : ['PLACEMENT_TIKTOK'],
    allow_download: chanceAt(seed, 11, 0.8),
    displayable: chanceAt(seed, 12, 0.97),
    create_time: createdAt,
    modify_time: createdAt,
    ...specialFields('video', seed),
  };
}
