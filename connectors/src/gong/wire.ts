import { z } from 'zod';
import { brokenPage, requireRecords } from '../kind/failure.ts';
import { asObject } from '../kind/record.ts';
import type { VendorRequest, VendorResponse } from '../kind/vendor.ts';

/** API URL for access keys. OAuth tokens need the customer's own host, which the auth method inserts. */
export const genericApiUrl = 'https://api.gong.io';

/** Pagination of a list. A page from Gong always contains 100 records. */
export const pageMeta = z.object({
  cursor: z.string().nullable().describe('Cursor of the next page; null on the last page'),
  has_more: z.boolean(),
  total_records: z.int().nullable(),
  current_page_number: z.int().nullable(),
});
export type PageMeta = z.infer<typeof pageMeta>;

export function get(path: string, query: VendorRequest['query'] = {}): VendorRequest {
  return { method: 'GET', url: `${genericApiUrl}${path}`, query };
}

/** Creates a request with the filter in its body. */
export function post(path: string, body: Readonly<Record<string, unknown>>): VendorRequest {
  return { method: 'POST', url: `${genericApiUrl}${path}`, body };
}

/**
 * Reads the records in `collection`. Gong sends a 404 for an empty list (see failure.ts). On the last page,
 * `records` is missing or its cursor is missing or empty.
 * @throws ConnectorAuthError `vendor_failed` if a successful response does not contain the collection, or
 * contains an invalid cursor.
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

/**
 * Schema for an id. Ids are strings, because they have more digits than a JSON number can represent exactly.
 */
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

/** Start and end of a time range in a filter. */
export const timeRange = {
  fromDateTime: dateTime
    .optional()
    .describe('Only calls that started at or after this time. ISO 8601 with offset.'),
  toDateTime: dateTime.optional().describe('Only calls that started before this time. ISO 8601 with offset.'),
};

/**
 * Rejects a range that ends before it starts. Its issue is reported together with issues for other fields.
 */
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
