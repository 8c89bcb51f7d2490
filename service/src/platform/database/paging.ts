import { ConnectorAuthError, parseUntrustedJson, type PageMeta } from '@connector-auth/api';
import { z } from 'zod';

/** The default page size for lists. */
export const defaultPageSize = 100;

/** A time in a cursor. PostgreSQL does not support the year 0000. */
export const storableTime = z.iso.datetime().regex(/^(?!0000)/);

/** Returns an opaque cursor that encodes the position at which the next page starts. */
export function encodeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/**
 * Decodes the position in a cursor, or returns undefined if there is no cursor.
 * @throws ConnectorAuthError `malformed_request` if the cursor was not returned by this type of list.
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
 * Converts rows to a page with its metadata.
 * @param rows up to `limit + 1` rows. The extra row indicates that another page follows.
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
    return parseUntrustedJson(text);
  } catch {
    return null;
  }
}
