import { isDeepStrictEqual } from 'node:util';
import { repeatedPage } from './failure.ts';
import type { Sync, SyncPage, SyncStart } from './kind.ts';
import type { Vendor } from './vendor.ts';

/**
 * Runs a sync.
 * @throws ConnectorAuthError `vendor_failed` if a page has the position of the page before it: a vendor that repeats its cursor
 * would keep the run from ending.
 */
export async function* syncPages(
  sync: Sync,
  vendorName: string,
  vendor: Vendor,
  start: SyncStart,
): AsyncGenerator<SyncPage, void> {
  let { position } = start;
  for await (const page of sync.run(vendor, start)) {
    if (page.position !== null && isDeepStrictEqual(page.position, position))
      throw repeatedPage(vendorName, null);
    yield page;
    ({ position } = page);
  }
}
