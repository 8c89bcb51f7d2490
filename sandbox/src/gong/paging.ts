import { openCursor, sealCursor } from '../simulator/cursors.ts';
import { nothingFound } from './errors.ts';
import { badRequest } from './requests.ts';

/** Gong's fixed page size. */
const PAGE_SIZE = 100;

/** The `records` object in the envelope. The last page omits the cursor. */
export interface PageRecords {
  readonly totalRecords: number;
  readonly currentPageSize: number;
  readonly currentPageNumber: number;
  readonly cursor?: string;
}

/** Returns the page after the cursor; throws Gong's 404 error for an empty list. */
export function takePage<Item>(
  all: readonly Item[],
  options: { plural: string; cursor: string | undefined; boundTo: unknown; idOf(item: Item): string },
): { items: readonly Item[]; records: PageRecords } {
  const position = options.cursor === undefined ? { page: 0 } : openCursor(options.cursor, options.boundTo);
  if (!position) throw badRequest('The cursor is not valid for this request');
  // Resumes after the last id rather than at an offset, so calls added between requests do not shift pages.
  const after = position['after'];
  const start = after === undefined ? 0 : all.findIndex(item => options.idOf(item) === after) + 1;
  const items = all.slice(start, start + PAGE_SIZE);
  const last = items.at(-1);
  if (last === undefined) throw nothingFound(options.plural);
  const page = Number(position['page']);
  const records = { totalRecords: all.length, currentPageSize: items.length, currentPageNumber: page };
  if (start + items.length >= all.length) return { items, records };
  const cursor = sealCursor({ page: page + 1, after: options.idOf(last) }, options.boundTo);
  return { items, records: { ...records, cursor } };
}
