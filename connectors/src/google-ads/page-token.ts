import { createHash } from 'node:crypto';
import { ConnectorAuthError } from '@connector-auth/api';
import { z } from 'zod';

/** Where a page starts: on which of Google's pages (null is the first), after how many of its rows. */
export interface PageStart {
  readonly vendorToken: string | null;
  readonly offset: number;
}

/** What a token of ours is bound to. Google's own tokens are bound the same way, by Google. */
export interface Listing {
  readonly customerId: string;
  readonly query: string;
}

// Google's tokens are base64: none starts with `~`.
const ownToken = /^~([\w-]{8})\.([1-9]\d{0,4})\.(.*)$/;

/** A page token as callers give it: one of Google's, or one of ours. */
export const pageToken = z
  .string()
  .min(1, "Use the previous page's next_page_token, or omit it for the first page")
  .regex(/^(?!~)|^~[\w-]{8}\.[1-9]\d{0,4}\..*$/, 'Not a next_page_token');

/**
 * Writes the token of a page. Pages that start where one of Google's does have Google's own token; for those in the midst
 * the rows to skip stand before it. Null for the very first page, which needs none.
 */
export function writePageToken({ vendorToken, offset }: PageStart, listing: Listing): string | null {
  return offset === 0 ? vendorToken : `~${digest(listing)}.${offset}.${vendorToken ?? ''}`;
}

/**
 * Reads what {@link writePageToken} wrote.
 * @throws ConnectorAuthError `invalid_params` for a token of another customer or query.
 */
export function readPageToken(token: string | undefined, listing: Listing): PageStart {
  if (token === undefined) return { vendorToken: null, offset: 0 };
  const [, bound, offset, vendorToken] = ownToken.exec(token) ?? [];
  if (bound === undefined) return { vendorToken: token, offset: 0 };
  if (bound !== digest(listing)) {
    const message = 'This page token belongs to a different customer_id or query';
    throw ConnectorAuthError.invalid('invalid_params', [{ path: 'params.pageToken', message }]);
  }
  return { vendorToken: vendorToken || null, offset: Number(offset) };
}

function digest({ customerId, query }: Listing): string {
  return createHash('sha256').update(`${customerId} ${query}`).digest('base64url').slice(0, 8);
}
