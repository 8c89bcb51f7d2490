import { z } from 'zod';
import { brokenPage, requireRecords } from '../kind/failure.ts';
import { asObject } from '../kind/record.ts';
import type { VendorRequest, VendorResponse } from '../kind/vendor.ts';

/** Host for access keys. Tokens have a host per customer, which the auth method inserts. */
export const genericApiUrl = 'https://api.gong.io';

/** Pagination of a list. Gong's pages always have 100 records. */
export interface PageMeta {
  cursor: string | null;
  has_more: boolean;
  total_records: number | null;
  current_page_number: number | null;
}

export function get(path: string, query: VendorRequest['query'] = {}): VendorRequest {
  return { method: 'GET', url: `${genericApiUrl}${path}`, query };
}

/** Creates a request whose filter is in the body. */
export function post(path: string, body: Readonly<Record<string, unknown>>): VendorRequest {
  return { method: 'POST', url: `${genericApiUrl}${path}`, body };
}

/**
 * Reads the records in `collection`. An empty list is sent as a 404 (see failure.ts). On the last page,
 * `records` has no cursor, an empty cursor, or is missing.
 * @throws ConnectorAuthError `vendor_failed` if a success has no collection, or an invalid cursor.
 */
export function readPage<R>(
  response: VendorResponse,
  collection: string,
  map: (wire: unknown) => R,
): { result: R[]; connector_metadata: PageMeta } {
  if (response.status === 404) {
    return {
      result: [],
      connector_metadata: { cursor: null, has_more: false, total_records: 0, current_page_number: null },
    };
  }
  const body = asObject(response.body);
  const { cursor: next = null, totalRecords, currentPageNumber } = asObject(body['records']);
  const records = requireRecords('Gong', response, body[collection], collection);
  if (next !== null && typeof next !== 'string') throw brokenPage('Gong', response);
  const hasMore = next !== null && next !== '';
  return {
    result: records.map(map),
    connector_metadata: {
      cursor: hasMore ? next : null,
      has_more: hasMore,
      total_records: asCount(totalRecords),
      current_page_number: asCount(currentPageNumber),
    },
  };
}

function asCount(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

export function nextPage<P>(params: P, { cursor }: PageMeta): (P & { cursor: string }) | null {
  return cursor === null ? null : { ...params, cursor };
}

/** Ids are strings, because they exceed the digits of a JSON number. */
export const id = z.string('Write the ID as a string').regex(/^\d{1,20}$/, 'An ID contains only digits');

export const cursor = z
  .string()
  .min(1, "Use the previous page's cursor, or omit it for the first page")
  .optional()
  .describe('`cursor` of the previous page');

const dateTime = z.iso.datetime({
  offset: true,
  error: 'Use an ISO 8601 date and time with an offset, such as 2026-02-17T10:30:00Z',
});

/** Start and end of a time range, as part of a filter. */
export const timeRange = {
  fromDateTime: dateTime
    .optional()
    .describe('Only calls that started at or after this time. ISO 8601 with offset.'),
  toDateTime: dateTime.optional().describe('Only calls that started before this time. ISO 8601 with offset.'),
};

/** The issue of a range that ends before it starts, reported together with issues of other fields. */
export const timeRangeOrder = {
  path: ['toDateTime'],
  message: 'Must be later than fromDateTime',
  when: ({ value }: { value: unknown }) => z.object(timeRange).safeParse(value).success,
};

export function isTimeRange(range: {
  fromDateTime?: string | undefined;
  toDateTime?: string | undefined;
}): boolean {
  const { fromDateTime, toDateTime } = range;
  if (fromDateTime === undefined || toDateTime === undefined) return true;
  return Date.parse(fromDateTime) < Date.parse(toDateTime);
}
