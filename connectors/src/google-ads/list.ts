import { z } from 'zod';
import { defineAction, type Action, type Outcome } from '../kind/kind.ts';
import { fillFields } from '../kind/record.ts';
import type { Vendor } from '../kind/vendor.ts';
import { sendAbout } from './login.ts';
import { pageToken, readPageToken, writePageToken, type PageStart } from './page-token.ts';
import { customerId } from './settings.ts';
import { defaultQuery, type Table } from './table.ts';
import { callerOf, readSearch, requestSearch, type Row, type RowPage } from './wire.ts';

/** Google's fixed page size. */
const vendorPageSize = 10_000;

export const listParams = z.strictObject({
  customer_id: customerId.describe('ID of the account to read, 10 digits'),
  query: z
    .string()
    .refine(query => query.trim() !== '', 'Must not be empty. Omit it to use the default query.')
    .optional()
    .describe(
      'Google Ads Query Language (GAQL) query. Default: the documented fields of every object, without `metrics` and `segments`.',
    ),
  pageToken: pageToken
    .optional()
    .describe('`next_page_token` of the previous page. Send the same query with it.'),
  pageSize: z
    .int()
    .min(1)
    .max(vendorPageSize)
    .optional()
    .describe(
      'Rows per page. Default: 10,000. Google Ads pages always have 10,000 rows and smaller pages are cut from them, so omit it to read everything.',
    ),
});
export type ListParams = z.output<typeof listParams>;

export const listMeta = z.object({
  next_page_token: z.string().nullable().describe('Token of the next page; null on the last page'),
});
export type ListMeta = z.infer<typeof listMeta>;

/** Creates a table's list action. Its records are Google's rows, with every documented object present. */
export function listAction<Shape extends z.ZodObject>(
  summary: string,
  table: Table,
  record: Shape,
): Action<typeof listParams, z.infer<Shape>[], ListMeta> {
  const fillObjects = fillFields('Google Ads', record);
  return defineAction({
    summary,
    params: listParams,
    record,
    metadata: listMeta,
    run: async (params, vendor): Promise<Outcome<z.infer<Shape>[], ListMeta>> => {
      const { rows, next } = await listRows(params, vendor, table);
      return { result: rows.map(fillObjects), connector_metadata: { next_page_token: next } };
    },
    nextPage: (params, { connector_metadata: { next_page_token } }) =>
      next_page_token === null ? null : { ...params, pageToken: next_page_token },
  });
}

async function listRows(params: ListParams, vendor: Vendor, table: Table) {
  const caller = callerOf(vendor);
  const query = params.query ?? defaultQuery(table, caller.version);
  const listing = { customerId: params.customer_id, query };
  const start = readPageToken(params.pageToken, listing);
  const fetchPage = async (query: string) => {
    const request = requestSearch(caller, params.customer_id, { query, pageToken: start.vendorToken });
    return readSearch(await sendAbout(vendor, params.customer_id, request));
  };
  const limited = limitQuery(query, start, params.pageSize);
  let page = await fetchPage(limited);
  // Google returned fewer rows than a full page, and its next page token is only valid for the limited
  // query.
  if (limited !== query && page.nextPageToken !== null) page = await fetchPage(query);
  const { rows, next } = cutPage(page, start, params.pageSize);
  return { rows, next: next === null ? null : writePageToken(next, listing) };
}

/**
 * Limits a query to one row more than the page needs, instead of Google's 10,000 rows. Applies only if the
 * page is within Google's first page and the query does not contain LIMIT or PARAMETERS.
 */
export function limitQuery(query: string, start: PageStart, pageSize: number | undefined): string {
  const rowsNeeded = start.offset + (pageSize ?? vendorPageSize) + 1;
  if (start.vendorToken !== null || rowsNeeded > vendorPageSize || /\b(limit|parameters)\b/i.test(query)) {
    return query;
  }
  return `${query} LIMIT ${rowsNeeded}`;
}

/** Returns `pageSize` rows from Google's page, and the start of the next page. */
function cutPage(
  page: RowPage,
  start: PageStart,
  pageSize: number | undefined,
): { rows: readonly Row[]; next: PageStart | null } {
  const end = start.offset + (pageSize ?? vendorPageSize);
  const rows = page.rows.slice(start.offset, end);
  if (end < page.rows.length) return { rows, next: { vendorToken: start.vendorToken, offset: end } };
  return {
    rows,
    next: page.nextPageToken === null ? null : { vendorToken: page.nextPageToken, offset: 0 },
  };
}
