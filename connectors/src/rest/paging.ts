import { createHash } from 'node:crypto';
import { ConnectorAuthError, stringifyJson } from '@connector-auth/api';
import { brokenPage, repeatedPage } from '../kind/failure.ts';
import { asInteger } from '../kind/record.ts';
import type { VendorRequest, VendorResponse } from '../kind/vendor.ts';
import { valueAt, withValueAt } from './api.ts';

/** How the pages of a list follow each other. A cursor is a text that callers and sync runs continue with. */
export interface Paging {
  /** Returns the request for the page with a cursor. */
  readonly at: (first: VendorRequest, cursor: string) => VendorRequest;
  /**
   * Returns the cursor of the next page, or null after the last one.
   * @throws ConnectorAuthError `vendor_failed` if the page does not say whether there is another one, or which.
   */
  readonly next: (page: Page) => string | null;
}

/** A page as the vendor sent it. */
export interface Page {
  readonly vendorName: string;
  readonly response: VendorResponse;
  readonly records: readonly unknown[];
  /** The cursor that the page was requested with; null for the first page. */
  readonly cursor: string | null;
}

/** A list with all its records on one page. */
export const onePage: Paging = { at: first => first, next: () => null };

export interface CursorPaging {
  /** The parameter with the cursor: of the query, or a path such as `variables.after` in a body. */
  readonly param: string;
  /**
   * Where a page has the cursor of the next one: a path in its body, a header, or a field of its last record. Without a cursor, it
   * is the last page.
   */
  readonly next: string | { readonly header: string } | { readonly lastRecord: string };
  /** Where the body says with a boolean whether there is another page. It then decides, because a last page can have a cursor. */
  readonly more?: string;
}

/** Pages that name the cursor or token of the next page. */
export function byCursor({ param, next, more }: CursorPaging): Paging {
  return {
    at: (first, cursor) => withParam(first, param, cursor),
    next: page => {
      if (more !== undefined && !hasMore(page, more)) return null;
      const cursor = cursorIn(page, next);
      if (isCursor(cursor)) return String(cursor);
      if (more === undefined && (cursor === undefined || cursor === null || cursor === '')) return null;
      throw brokenPage(page.vendorName, page.response);
    },
  };
}

function cursorIn({ response, records }: Page, place: CursorPaging['next']): unknown {
  if (typeof place === 'string') return valueAt(response.body, place);
  return 'header' in place
    ? response.headers[place.header.toLowerCase()]
    : valueAt(records.at(-1), place.lastRecord);
}

function isCursor(value: unknown): value is string | number | bigint {
  return (
    (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'bigint'
  );
}

export interface LinkPaging {
  /** The query parameters of the next page's address that identify the page, such as `page`. The others stay as requested. */
  readonly params: readonly string[];
  /** Where the body has the address. Default: the `Link` header (RFC 8288) with `rel="next"`. */
  readonly next?: string;
}

/** Pages with the address of the next page. Only its parameters are used, because a cursor can come from a caller. */
export function byLink({ params, next }: LinkPaging): Paging {
  const pick = (query: URLSearchParams): URLSearchParams =>
    new URLSearchParams([...query].filter(([name]) => params.includes(name)));
  return {
    at: (first, cursor) => ({
      ...first,
      query: { ...first.query, ...Object.fromEntries(pick(new URLSearchParams(cursor))) },
    }),
    next: ({ vendorName, response }) => {
      const address =
        next === undefined ? nextLink(response.headers['link']) : (valueAt(response.body, next) ?? null);
      if (address === null || address === '') return null;
      const url = typeof address === 'string' ? URL.parse(address, 'https://vendor.example') : null;
      const cursor = url === null ? '' : pick(url.searchParams).toString();
      if (cursor === '') throw brokenPage(vendorName, response);
      return cursor;
    },
  };
}

/** Returns the target of `rel="next"` in a `Link` header (RFC 8288, section 3). */
function nextLink(header = ''): string | null {
  const links = Array.from(header.matchAll(/<([^>]*)>([^<]*)/g));
  const isNext = /;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next[\s"]|next(?=[\s;,]|$))/i;
  return links.find(([, , parameters = '']) => isNext.test(parameters))?.[1] ?? null;
}

export interface NumberedPaging {
  /** The parameter with the number: of the query, or a path in a body. */
  readonly param: string;
  /** The number of the first page or record. Default: 1 for pages, 0 for offsets. */
  readonly first?: number;
  /** Where the body says with a boolean whether there is another page. */
  readonly more?: string;
  /** Where the body has the number of all pages, or of all records if pages are requested by offset. */
  readonly total?: string;
}

/**
 * Pages that are requested by their number. Without `more` and `total`, the list ends with an empty page. A page that is shorter
 * than requested does not end it, because vendors also lower the size of pages.
 */
export function byPage(paging: NumberedPaging): Paging {
  return numbered(paging, paging.first ?? 1, () => 1);
}

/** Pages that are requested by the number of records before them. They end as in {@link byPage}. */
export function byOffset(paging: NumberedPaging): Paging {
  return numbered(paging, paging.first ?? 0, ({ records }) => records.length);
}

/** The cursor is the number, and a fingerprint of the page before: a vendor that ignores the number repeats that page. */
function numbered(
  { param, more, total }: NumberedPaging,
  start: number,
  step: (page: Page) => number,
): Paging {
  const read = (cursor: string | null): { number: number; previous: string } => {
    const [, digits, previous = ''] = /^(\d{1,15})~([\w-]*)$/.exec(cursor ?? `${start}~`) ?? [];
    if (digits !== undefined) return { number: Number(digits), previous };
    const issue = { path: 'params.cursor', message: 'Use the cursor of the previous page' };
    throw ConnectorAuthError.invalid('invalid_params', [issue]);
  };
  return {
    at: (first, cursor) => withParam(first, param, read(cursor).number),
    next: page => {
      const { vendorName, response, records, cursor } = page;
      const { number, previous } = read(cursor);
      const print = fingerprint(records);
      if (print !== '' && print === previous) throw repeatedPage(vendorName, response);
      const following = number + step(page);
      const isLast =
        more !== undefined
          ? !hasMore(page, more)
          : total !== undefined
            ? following >= start + countIn(page, total)
            : records.length === 0;
      if (isLast) return null;
      // Such a list would never end.
      if (records.length === 0 && (more !== undefined || following === number))
        throw brokenPage(vendorName, response);
      return `${following}~${print}`;
    },
  };
}

function fingerprint(records: readonly unknown[]): string {
  if (records.length === 0) return '';
  const text = stringifyJson([records.length, records[0], records.at(-1)]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

function hasMore({ vendorName, response }: Page, path: string): boolean {
  const value = valueAt(response.body, path);
  if (typeof value !== 'boolean') throw brokenPage(vendorName, response);
  return value;
}

function countIn({ vendorName, response }: Page, path: string): number {
  const count = asInteger(valueAt(response.body, path));
  if (count === null) throw brokenPage(vendorName, response);
  return Number(count);
}

function withParam(request: VendorRequest, param: string, value: string | number): VendorRequest {
  return request.body === undefined
    ? { ...request, query: { ...request.query, [param]: value } }
    : { ...request, body: withValueAt(request.body, param, value) };
}
