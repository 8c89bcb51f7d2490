import { asObject } from '../kind/record.ts';
import type { Vendor } from '../kind/vendor.ts';
import { compareIds } from './authorized.ts';
import { listOf, pageAfter, readPage, request } from './wire.ts';

/**
 * A subset of an advertiser's ads: those in the ad groups after one id, up to and including another. Null
 * bounds mean all ads. Slices store bounds instead of lists, so that a resumed run requests the same subset.
 */
export interface Slice {
  readonly after: string | null;
  readonly upTo: string | null;
}

const wholeAdvertiser: Slice = { after: null, upTo: null };

/** Maximum number of ads in a report. TikTok silently omits all further ads. */
const maxAdsPerReport = 10_000;

/**
 * Maximum number of ids that TikTok accepts in a filter. An ad group contains a few dozen ads at most, so
 * this many ad groups fit into one report.
 */
const adGroupsPerSlice = 100;

const maxPageSize = 1000;

/**
 * Returns the ids of an advertiser's ad groups in ascending order if the advertiser has too many ads for one
 * report, otherwise null.
 */
export async function adGroupsToSlice(
  vendor: Vendor,
  advertiser_id: string,
): Promise<readonly string[] | null> {
  const ads = await vendor.send(request('/ad/get/', { advertiser_id, page: 1, page_size: 1 }));
  const { page_info } = readPage(ads, asObject).connector_metadata;
  return page_info.total_number <= maxAdsPerReport ? null : listAdGroupIds(vendor, advertiser_id);
}

export async function listAdGroupIds(vendor: Vendor, advertiser_id: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let page: number | null = 1; page !== null;) {
    const query = { advertiser_id, page, page_size: maxPageSize, fields: ['adgroup_id'] };
    const response = await vendor.send(request('/adgroup/get/', query));
    ids.push(...listOf(response).map(group => String(asObject(group)['adgroup_id'])));
    page = pageAfter(page, readPage(response, asObject).connector_metadata);
  }
  return ids.toSorted(compareIds);
}

/** Returns the next slice. Returns the first slice for null, and null after the last slice. */
export function sliceAfter(previous: Slice | null, adGroupIds: readonly string[] | null): Slice | null {
  if (adGroupIds === null) return previous === null ? wholeAdvertiser : null;
  const after = previous?.upTo ?? null;
  const upTo = membersOf({ after, upTo: null }, adGroupIds).slice(0, adGroupsPerSlice).at(-1);
  return upTo === undefined ? null : { after, upTo };
}

/** Returns the `filtering` parameter for a slice, or undefined for all ads. */
export function filterOf(slice: Slice, adGroupIds: readonly string[] | null): unknown {
  if (adGroupIds === null || slice.upTo === null) return undefined;
  const members = membersOf(slice, adGroupIds);
  return [{ field_name: 'adgroup_ids', filter_type: 'IN', filter_value: JSON.stringify(members) }];
}

function membersOf({ after, upTo }: Slice, adGroupIds: readonly string[]): readonly string[] {
  return adGroupIds.filter(
    id => (after === null || compareIds(id, after) > 0) && (upTo === null || compareIds(id, upTo) <= 0),
  );
}
