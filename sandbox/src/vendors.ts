import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gong } from './gong/index.ts';
import { googleAds } from './google-ads/index.ts';
import { granola } from './granola/index.ts';
import type { Vendor } from './simulator/vendor.ts';
import { tiktokMarketing } from './tiktok-marketing/index.ts';

/** The simulated vendors. */
export const vendors: readonly Vendor[] = [granola, gong, tiktokMarketing, googleAds];

/**
 * Loads further vendors, each of them the default export of a file.
 * @param paths from the working directory, separated by commas.
 */
export async function loadVendors(paths: string): Promise<Vendor[]> {
  const files = paths.split(',').map(path => path.trim());
  return await Promise.all(
    files
      .filter(path => path !== '')
      .map(async path => {
        const loaded = await import(pathToFileURL(resolve(path)).href).catch((error: unknown) => {
          throw new Error(`VENDORS: ${path} cannot be loaded: ${String(error)}`, { cause: error });
        });
        const { default: vendor } = loaded as { readonly default?: Vendor };
        if (typeof vendor?.simulate !== 'function')
          throw new Error(`VENDORS: ${path} must export a vendor by default (see the README of the sandbox)`);
        return vendor;
      }),
  );
}
