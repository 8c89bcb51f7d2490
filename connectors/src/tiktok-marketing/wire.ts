import type { VendorAnswer, VendorRequest } from '../kind/vendor.ts';
import { asArray, asObject } from '../kind/record.ts';

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
  page_info: PageInfo | null;
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
export function dataOf({ body }: VendorAnswer): Readonly<Record<string, unknown>> {
  return asObject(asObject(body)['data']);
}

/** The wire objects of a list. */
export function listOf(answer: VendorAnswer): readonly unknown[] {
  return asArray(dataOf(answer)['list']);
}

/** A page of records and where it stands. */
export function readPage<R>(
  answer: VendorAnswer,
  map: (wire: unknown) => R,
): { result: R[]; connector_metadata: PageMeta } {
  const { page_info } = dataOf(answer);
  // Passed on unchanged; its members are numbers by the vendor's documentation.
  const pageInfo = (page_info ?? null) as PageInfo | null;
  return { result: listOf(answer).map(map), connector_metadata: { page_info: pageInfo } };
}

/** The number of the page after this one; null after the last. */
export function pageAfter(page: number, { page_info }: PageMeta): number | null {
  return page_info !== null && page < page_info.total_page ? page + 1 : null;
}

export const reportPath = '/report/integrated/get/';
