import { createHash } from 'node:crypto';
import { ConnectorAuthError } from '@connector-auth/api';
import { z } from 'zod';

/** The start of a page: Google's page (null for the first) and the number of its rows to skip. */
export interface PageStart {
  readonly vendorToken: string | null;
  readonly offset: number;
}

/**
 * The customer and query that a page token is valid for. Google's own tokens are bound to the same values.
 */
export interface Listing {
  readonly customerId: string;
  readonly query: string;
}

// Google's tokens are base64, so none starts with `~`.
const ownToken = /^~([\w-]{8})\.([1-9]\d{0,4})\.(.*)$/;

/** A page token passed by a caller: either Google's or one created by {@link writePageToken}. */
export const pageToken = z
  .string()
  .min(1, "Use the previous page's next_page_token, or omit it for the first page")
  .regex(/^(?!~)|^~[\w-]{8}\.[1-9]\d{0,4}\..*$/, 'Not a next_page_token');

/**
 * Creates the token for a page: Google's own token if the page starts where Google's page does, otherwise
 * Google's token prefixed with the number of rows to skip. Returns null for the first page.
 */
export function writePageToken({ vendorToken, offset }: PageStart, listing: Listing): string | null {
  return offset === 0 ? vendorToken : `~${digest(listing)}.${offset}.${vendorToken ?? ''}`;
}

/**
 * Parses a token created by {@link writePageToken}.
 * @throws ConnectorAuthError `invalid_params` if the token was created for another customer or query.
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
