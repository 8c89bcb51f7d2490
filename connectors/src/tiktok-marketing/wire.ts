import { brokenPage, requireRecords } from '../kind/failure.ts';
import { asObject } from '../kind/record.ts';
import type { VendorRequest, VendorResponse } from '../kind/vendor.ts';

export const host = 'business-api.tiktok.com';

/** Paths end with a slash; `v1.3` has been the current version since 2022. */
const baseUrl = `https://${host}/open_api/v1.3`;

/** Where a page of a list stands, as TikTok tells it. */
export interface PageInfo {
  page: number;
  page_size: number;
  total_number: number;
  total_page: number;
}

export interface PageMeta {
  page_info: PageInfo;
}

/** A request; arrays and objects go as JSON text in the query. */
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

/** The `data` of an answer `{code, message, request_id, data}`. */
export function dataOf({ body }: VendorResponse): Readonly<Record<string, unknown>> {
  return asObject(asObject(body)['data']);
}

/**
 * The wire objects of a list; an empty one is sent as such.
 * @throws ConnectorAuthError `vendor_failed` when the answer has none.
 */
export function listOf(response: VendorResponse): readonly unknown[] {
  return requireRecords('TikTok Marketing', response, dataOf(response)['list'], 'list');
}

/**
 * A page of records and where it stands.
 * @throws ConnectorAuthError `vendor_failed` when the answer has no list, or does not tell how many pages there are.
 */
export function readPage<R>(
  response: VendorResponse,
  map: (wire: unknown) => R,
): { result: R[]; connector_metadata: PageMeta } {
  const list = listOf(response);
  const { page_info } = dataOf(response);
  if (typeof asObject(page_info)['total_page'] !== 'number') throw brokenPage('TikTok Marketing', response);
  // Passed on unchanged; its other members are numbers by the vendor's documentation.
  return { result: list.map(map), connector_metadata: { page_info: page_info as PageInfo } };
}

/** The number of the page after this one; null after the last. */
export function pageAfter(page: number, { page_info }: PageMeta): number | null {
  return page < page_info.total_page ? page + 1 : null;
}

export const reportPath = '/report/integrated/get/';
