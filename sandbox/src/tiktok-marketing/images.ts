import { chanceAt, hexAt, integerAt, mix, pickAt } from '../advertising/noise.ts';
import type { Account } from './account.ts';
import { assetTime, type SignedUrls } from './assets.ts';

/** The number of images in an ad account that contains ads. */
export const IMAGE_COUNT = 230;

/** Returns the id of an image in the account with this seed. */
export function imageIdAt(accountSeed: number, index: number): string {
  return `ad-site-i18n-sg/${hexAt(mix(accountSeed, 901), index, 32)}`;
}

const FILE_NAMES = [
  'refill_pouch.jpg',
  'story.png',
  'hero 1200x628.jpg',
  '石鹸_バナー.png',
  'Düfte-Karussell.jpg',
  null,
];

/** Renders an image for `/file/image/ad/search/`; its signed URL expires after an hour. */
export function renderImage(account: Account, index: number, urls: SignedUrls): Record<string, unknown> {
  const seed = mix(mix(account.seed, 902), index);
  const isWide = chanceAt(seed, 1, 0.5);
  const createdAt = assetTime(account.today, index, IMAGE_COUNT, seed);
  return {
    image_id: imageIdAt(account.seed, index),
    material_id: String(7_541_340_000_000_000_001n + BigInt(index) * 97n),
    format: chanceAt(seed, 2, 0.7) ? 'jpeg' : 'png',
    image_url: urls.sign(`https://p16.example/tos/${hexAt(seed, 3, 8)}.jpeg`, 3600),
    signature: hexAt(seed, 4, 32),
    file_name: pickAt(seed, 5, FILE_NAMES),
    width: isWide ? 1200 : 720,
    height: isWide ? 628 : 1280,
    size: integerAt(seed, 6, 40_000, 900_000),
    is_carousel_usable: isWide,
    displayable: chanceAt(seed, 7, 0.95),
    create_time: createdAt,
    modify_time: createdAt,
  };
}
