import { ConnectorAuthError, type PageMeta } from '@connector-auth/api';
import type { z } from 'zod';

/** Page size of a list when the caller names none. */
export const defaultPageSize = 100;

/** An opaque cursor that holds where the next page starts. */
function encodeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/**
 * What a cursor holds; undefined when there is none.
 * @throws ConnectorAuthError `malformed_request` for a cursor that no list of this kind gave.
 */
export function decodeCursor<Position>(
  cursor: string | undefined,
  schema: z.ZodType<Position>,
): Position | undefined {
  if (cursor === undefined) return undefined;
  const parsed = schema.safeParse(parseOrNull(Buffer.from(cursor, 'base64url').toString()));
  if (parsed.success) return parsed.data;
  const message = "Send the previous page's meta.cursor";
  throw new ConnectorAuthError('malformed_request', `cursor: ${message}`, {
    errors: [{ path: 'cursor', message }],
  });
}

/**
 * Cuts a page out of the rows found.
 * @param rows one more than `limit`, if there are so many.
 */
export function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  positionOf: (last: Row) => unknown,
): { rows: readonly Row[]; meta: PageMeta } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { rows: page, meta: { cursor: hasMore ? encodeCursor(positionOf(last)) : null, has_more: hasMore } };
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
