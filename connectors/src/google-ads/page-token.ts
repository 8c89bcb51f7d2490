import { createHash } from 'node:crypto';
import { ConnectorAuthError } from '@connector-auth/api';
import { z } from 'zod';

/** Where a page starts: a page of Google's (null is the first) and a number of its rows to skip. */
export interface PageStart {
  readonly vendorToken: string | null;
  readonly offset: number;
}

/** What a page token is bound to, as Google binds its own tokens. */
export interface Listing {
  readonly customerId: string;
  readonly query: string;
}

// Google's tokens are base64: none starts with `~`.
const ownToken = /^~([\w-]{8})\.([1-9]\d{0,4})\.(.*)$/;

/** A page token from a caller: Google's or ours. */
export const pageToken = z
  .string()
  .min(1, "Use the previous page's next_page_token, or omit it for the first page")
  .regex(/^(?!~)|^~[\w-]{8}\.[1-9]\d{0,4}\..*$/, 'Not a next_page_token');

/**
 * Writes the token of a page: Google's own if the page starts where Google's does, otherwise with the rows to
 * skip in front. Null for the first page.
 */
export function writePageToken({ vendorToken, offset }: PageStart, listing: Listing): string | null {
  return offset === 0 ? vendorToken : `~${digest(listing)}.${offset}.${vendorToken ?? ''}`;
}

/**
 * Reads a token of {@link writePageToken}.
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
