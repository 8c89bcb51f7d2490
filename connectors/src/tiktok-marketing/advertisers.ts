import { z } from 'zod';
import { defineAction, type Entity, type Sync } from '../kind/kind.ts';
import { advertiser, maxIdsPerCall, readAdvertisers, requestAdvertisers } from './advertiser.ts';
import { readableAdvertisers } from './authorized.ts';
import { en } from './messages/en.ts';
import { advertiserIds, pageParams, parseArray } from './params.ts';
import { searchFields, searchMapping } from './search.ts';
import { pageAfter, pageMeta, type PageMeta } from './wire.ts';

const params = z.strictObject({
  advertiser_ids: advertiserIds.describe('JSON array of advertiser IDs, encoded as a string'),
  ...pageParams(maxIdsPerCall),
});

const fields = searchFields(advertiser);
const mapSearchRecord = searchMapping(fields);

/** Syncs advertisers in one page, because there are too few to need resuming. */
const syncAdvertisers: Sync = {
  incremental: false,
  run: async function* (vendor) {
    const records = (await readableAdvertisers(vendor)).map(mapSearchRecord);
    yield { records, position: null };
  },
};

/** Ad accounts by id. TikTok does not page its response, so the list of ids is split into pages. */
export const advertisers = {
  ...en.advertisers,
  description: 'Ad accounts: name, status, currency, time zone, balance',
  actions: {
    list: defineAction({
      summary: 'Get advertisers by ID',
      params,
      record: advertiser,
      metadata: pageMeta,
      run: async ({ advertiser_ids, page = 1, page_size = maxIdsPerCall }, vendor) => {
        // The schema ensures that these are strings.
        const ids = (parseArray(advertiser_ids) ?? []) as readonly string[];
        const asked = ids.slice((page - 1) * page_size, page * page_size);
        const result =
          asked.length === 0 ? [] : readAdvertisers(await vendor.send(requestAdvertisers(asked)));
        const page_info = {
          page,
          page_size,
          total_number: ids.length,
          total_page: Math.ceil(ids.length / page_size),
        };
        return { result, connector_metadata: { page_info } satisfies PageMeta };
      },
      nextPage: (asked, { connector_metadata }) => {
        const page = pageAfter(asked.page ?? 1, connector_metadata);
        return page === null ? null : { ...asked, page };
      },
    }),
  },
  search: {
    fields,
    primaryKey: ['advertiser_id'],
    indexed: ['create_time', 'status', 'balance'],
    text: ['name', 'company'],
    sync: syncAdvertisers,
  },
} as const satisfies Entity;
