import { z } from 'zod';
import { brokenPage, requireRecords } from '../kind/failure.ts';
import { asObject } from '../kind/record.ts';
import type { VendorRequest, VendorResponse } from '../kind/vendor.ts';

export const host = 'business-api.tiktok.com';

/** Base URL for all requests; paths must end with a slash. `v1.3` has been the current version since 2022. */
const baseUrl = `https://${host}/open_api/v1.3`;

/** TikTok's pagination of a list. */
export const pageMeta = z.object({
  page_info: z.object({
    page: z.int(),
    page_size: z.int(),
    total_number: z.int(),
    total_page: z.int(),
  }),
});
export type PageMeta = z.infer<typeof pageMeta>;
export type PageInfo = PageMeta['page_info'];

/** Creates a request. Arrays and objects in the query are sent as JSON. */
export function request(path: string, query: Readonly<Record<string, unknown>> = {}): VendorRequest {
  const texts = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
  return {
    method: 'GET',
    url: `${baseUrl}${path}`,
    query: Object.fromEntries(texts) as Record<string, string>,
  };
}

/** Returns `data` from a response `{code, message, request_id, data}`. */
export function dataOf({ body }: VendorResponse): Readonly<Record<string, unknown>> {
  return asObject(asObject(body)['data']);
}

/**
 * Returns the records of a list. TikTok sends an array even if it is empty.
 * @throws ConnectorAuthError `vendor_failed` if the records are missing.
 */
export function listOf(response: VendorResponse): readonly unknown[] {
  return requireRecords('TikTok Marketing', response, dataOf(response)['list'], 'list');
}

/**
 * Parses a page of records.
 * @throws ConnectorAuthError `vendor_failed` if the list or the number of pages is missing.
 */
export function readPage<R>(
  response: VendorResponse,
  map: (wire: unknown) => R,
): { result: R[]; connector_metadata: PageMeta } {
  const list = listOf(response);
  const { page_info } = dataOf(response);
  if (typeof asObject(page_info)['total_page'] !== 'number') throw brokenPage('TikTok Marketing', response);
  // The object is passed through. TikTok documents its other members as numbers.
  return { result: list.map(map), connector_metadata: { page_info: page_info as PageInfo } };
}

/** Returns the number of the next page, or null after the last page. */
export function pageAfter(page: number, { page_info }: PageMeta): number | null {
  return page < page_info.total_page ? page + 1 : null;
}

export const reportPath = '/report/integrated/get/';
