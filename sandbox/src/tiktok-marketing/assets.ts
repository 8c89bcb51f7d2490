import { integerAt } from '../advertising/noise.ts';

/** Signs the expiring URLs of library files. */
export interface SignedUrls {
  readonly nowSeconds: number;
  sign(url: string, lifetimeSeconds: number): string;
}

/** Creates a URL signer. */
export function signedUrls(nowSeconds: number): SignedUrls {
  return { nowSeconds, sign: (url, lifetime) => `${url}?x-expires=${nowSeconds + lifetime}` };
}

/** Returns a library file's upload time in ISO 8601 with seconds. A higher index means a later time. */
export function assetTime(today: number, index: number, count: number, seed: number): string {
  const day = today - 400 + Math.floor((index * 399) / count);
  const second = day * 86_400 + integerAt(seed, 90, 0, 86_399);
  return new Date(second * 1000).toISOString().replace('.000', '');
}
