import type { Sync, SyncPage, SyncStart } from '../kind/kind.ts';
import type { Vendor } from '../kind/vendor.ts';
import { compareIds, readableAdvertisers } from './authorized.ts';
import { pageAfter, readPage, request } from './wire.ts';

type SearchRecord = Readonly<Record<string, unknown>>;

/** A list that TikTok returns for each advertiser. */
interface AdvertiserList {
  readonly path: string;
  readonly pageSize: number;
  readonly toSearchRecord: (wire: unknown) => SearchRecord;
}

interface Position {
  advertiser_id: string;
  /** The next page; null if this advertiser is done. */
  page: number | null;
  /** Number of records that the previous page reported for this advertiser. */
  total?: number;
  /** Number of times that reading this advertiser's pages was restarted. */
  restarts?: number;
}

/**
 * Maximum number of restarts per advertiser. A restart is needed if records are deleted while pages are being
 * read.
 */
const maxRestarts = 3;

/**
 * Syncs an entity page by page for one advertiser at a time. TikTok cannot filter all entities by change and
 * never reports deletions, so every run reads all records.
 */
export function syncOfAdvertisers(list: AdvertiserList): Sync {
  return { incremental: false, run: (vendor, start) => readAdvertiserPages(vendor, start, list) };
}

async function* readAdvertiserPages(
  vendor: Vendor,
  { position }: SyncStart,
  { path, pageSize, toSearchRecord }: AdvertiserList,
): AsyncGenerator<SyncPage, void> {
  // The position is one that this function yielded.
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
      // Records were deleted, so some of the next page may have moved to a page that was already read.
      const shrank = page > 1 && total !== undefined && total_number < total;
      page = shrank && restarts++ < maxRestarts ? 1 : pageAfter(page, connector_metadata);
      total = total_number;
      yield { records: result, position: { advertiser_id, page, total, restarts } satisfies Position };
    }
  }
}
