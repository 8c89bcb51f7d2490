import type { Sync, SyncPage, SyncStart } from '../kind/kind.ts';
import type { Vendor } from '../kind/vendor.ts';
import { compareIds, readableAdvertisers } from './authorized.ts';
import { pageAfter, readPage, request } from './wire.ts';

type SearchRecord = Readonly<Record<string, unknown>>;

/** A list that TikTok gives for each advertiser. */
interface AdvertiserList {
  readonly path: string;
  readonly pageSize: number;
  readonly toSearchRecord: (wire: unknown) => SearchRecord;
}

interface Position {
  advertiser_id: string;
  /** The next page; null when this advertiser is done. */
  page: number | null;
  /** How many records the advertiser had on the page before. */
  total?: number;
  /** How often this advertiser's pages began again. */
  restarts?: number;
}

/** A page that loses records while it is walked is walked again, but not for ever. */
const maxRestarts = 3;

/**
 * Walks an entity advertiser by advertiser, page by page. TikTok has no filter by change that holds for every entity
 * and none that shows deletions, so every walk sees everything.
 */
export function syncOfAdvertisers(list: AdvertiserList): Sync {
  return { incremental: false, run: (vendor, start) => readAdvertiserPages(vendor, start, list) };
}

async function* readAdvertiserPages(
  vendor: Vendor,
  { position }: SyncStart,
  { path, pageSize, toSearchRecord }: AdvertiserList,
): AsyncGenerator<SyncPage, void> {
  // The position is one that this function gave.
  const resumed = position as Position | null;
  const advertisers = await readableAdvertisers(vendor);
  for (const { advertiser_id } of advertisers) {
    if (resumed && compareIds(advertiser_id, resumed.advertiser_id) < 0) continue;
    const mine: Partial<Position> = resumed?.advertiser_id === advertiser_id ? resumed : {};
    let { page = 1, total, restarts = 0 } = mine;
    while (page !== null) {
      const query = { advertiser_id, page, page_size: pageSize };
      const { result, connector_metadata } = readPage(
        await vendor.send(request(path, query)),
        toSearchRecord,
      );
      const { total_number } = connector_metadata.page_info;
      // Something was deleted: what stood on the next page may have moved to this one, which was read before.
      const shrank = page > 1 && total !== undefined && total_number < total;
      page = shrank && restarts++ < maxRestarts ? 1 : pageAfter(page, connector_metadata);
      total = total_number;
      yield { records: result, position: { advertiser_id, page, total, restarts } satisfies Position };
    }
  }
}
