import type { z } from 'zod';
import type { VendorRequest, VendorResponse } from '../kind/vendor.ts';
import { recordMapping, recordOf } from './record.ts';
import { listOf, request } from './wire.ts';

/**
 * An advertiser, which is TikTok's term for an ad account. Contact fields are masked. `create_time` is in
 * seconds since the epoch.
 */
export const advertiser = recordOf({
  string: ['advertiser_id'],
  'string?': [
    'name',
    'address',
    'company',
    'contacter',
    'country',
    'currency',
    'description',
    'email',
    'industry',
    'language',
    'license_no',
    'license_url',
    'cellphone_number',
    'promotion_area',
    'rejection_reason',
    'role',
    'status',
    'timezone',
    'telephone_number',
    'display_timezone',
    'promotion_center_province',
    'advertiser_account_type',
    'license_city',
    'brand',
    'license_province',
    'promotion_center_city',
  ],
  'number?': ['balance'],
  'integer?': ['create_time'],
});
export type Advertiser = z.infer<typeof advertiser>;

/** Maximum number of ids that TikTok accepts per call. */
export const maxIdsPerCall = 100;

/**
 * Creates the request for advertisers by id. The whole call fails if the token has no permission for one of
 * the ids.
 */
export function requestAdvertisers(ids: readonly string[]): VendorRequest {
  return request('/advertiser/info/', { advertiser_ids: ids });
}

const mapAdvertiser = recordMapping(advertiser);

export function readAdvertisers(response: VendorResponse): Advertiser[] {
  return listOf(response).map(mapAdvertiser);
}
