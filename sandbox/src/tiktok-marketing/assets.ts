import { integerAt } from '../advertising/noise.ts';

/** Addresses that end: what the vendor's libraries hand out instead of files. */
export interface SignedUrls {
  readonly nowSeconds: number;
  sign(url: string, lifetimeSeconds: number): string;
}

/** Addresses signed now. */
export function signedUrls(nowSeconds: number): SignedUrls {
  return { nowSeconds, sign: (url, lifetime) => `${url}?x-expires=${nowSeconds + lifetime}` };
}

/** When a file of a library was uploaded, ISO 8601 with seconds; the higher the index, the newer. */
export function assetTime(today: number, index: number, count: number, seed: number): string {
  const day = today - 400 + Math.floor((index * 399) / count);
  const second = day * 86_400 + integerAt(seed, 90, 0, 86_399);
  return new Date(second * 1000).toISOString().replace('.000', '');
}
