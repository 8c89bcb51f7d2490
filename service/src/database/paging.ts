import { ConnectorAuthError, type PageMeta } from '@connector-auth/api';
import type { z } from 'zod';

/** Page size of a list if the caller requests none. */
export const defaultPageSize = 100;

/** Returns an opaque cursor for the position at which the next page starts. */
function encodeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/**
 * Returns the position in a cursor; undefined if there is no cursor.
 * @throws ConnectorAuthError `malformed_request` if the cursor is not from a list of this kind.
 */
export function decodeCursor<Position>(
  cursor: string | undefined,
  schema: z.ZodType<Position>,
): Position | undefined {
  if (cursor === undefined) return undefined;
  const parsed = schema.safeParse(parseOrNull(Buffer.from(cursor, 'base64url').toString()));
  if (parsed.success) return parsed.data;
  const message = 'Must be the meta.cursor of the previous page';
  throw ConnectorAuthError.invalid('malformed_request', [{ path: 'cursor', message }]);
}

/**
 * Returns a page of rows with its metadata.
 * @param rows up to `limit + 1` rows: one more than the page shows that there is a next page.
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
