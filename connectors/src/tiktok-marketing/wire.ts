import { brokenPage, requireRecords } from '../kind/failure.ts';
import { asObject } from '../kind/record.ts';
import type { VendorRequest, VendorResponse } from '../kind/vendor.ts';

export const host = 'business-api.tiktok.com';

/** Paths end with a slash. `v1.3` has been the current version since 2022. */
const baseUrl = `https://${host}/open_api/v1.3`;

/** TikTok's pagination of a list. */
export interface PageInfo {
  page: number;
  page_size: number;
  total_number: number;
  total_page: number;
}

export interface PageMeta {
  page_info: PageInfo;
}

/** Creates a request. Arrays and objects are sent as JSON in the query. */
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

/** Reads the `data` of a response `{code, message, request_id, data}`. */
export function dataOf({ body }: VendorResponse): Readonly<Record<string, unknown>> {
  return asObject(asObject(body)['data']);
}

/**
 * Reads the records of a list, which are present even if empty.
 * @throws ConnectorAuthError `vendor_failed` if they are missing.
 */
export function listOf(response: VendorResponse): readonly unknown[] {
  return requireRecords('TikTok Marketing', response, dataOf(response)['list'], 'list');
}

/**
 * Reads a page of records.
 * @throws ConnectorAuthError `vendor_failed` if the response has no list or no page count.
 */
export function readPage<R>(
  response: VendorResponse,
  map: (wire: unknown) => R,
): { result: R[]; connector_metadata: PageMeta } {
  const list = listOf(response);
  const { page_info } = dataOf(response);
  if (typeof asObject(page_info)['total_page'] !== 'number') throw brokenPage('TikTok Marketing', response);
  // Passed through. TikTok documents its other members as numbers.
  return { result: list.map(map), connector_metadata: { page_info: page_info as PageInfo } };
}

/** Returns the number of the next page; null after the last. */
export function pageAfter(page: number, { page_info }: PageMeta): number | null {
  return page < page_info.total_page ? page + 1 : null;
}

export const reportPath = '/report/integrated/get/';
