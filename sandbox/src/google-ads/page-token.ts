import { openCursor, sealCursor } from '../simulator/cursors.ts';
import { fail } from './failure.ts';

/** The lifetime of a page token in milliseconds. */
const LIFETIME_MS = 2 * 3600 * 1000;

/** The query and account that a page token is bound to. */
export interface PageTokenScope {
  readonly customerId: string;
  readonly query: string;
  /** The current Unix time in milliseconds. */
  readonly now: number;
}

/**
 * Creates a page token for the rows from `offset`. Valid for two hours, and only for the same query and
 * account.
 */
export function writePageToken({ customerId, query, now }: PageTokenScope, offset: number): string {
  return sealCursor({ offset, issuedAt: now }, [customerId, query]);
}

/**
 * Reads the offset from a page token; returns 0 if there is none. Throws `INVALID_PAGE_TOKEN` or
 * `EXPIRED_PAGE_TOKEN`.
 */
export function readPageToken({ customerId, query, now }: PageTokenScope, token: string | undefined): number {
  if (token === undefined || token === '') return 0;
  const position = openCursor(token, [customerId, query]);
  if (position === undefined) {
    throw fail('requestError', 'INVALID_PAGE_TOKEN', 'Page token is invalid.', { path: 'page_token' });
  }
  if (now - Number(position['issuedAt']) > LIFETIME_MS) {
    throw fail('requestError', 'EXPIRED_PAGE_TOKEN', 'Page token has expired.', { path: 'page_token' });
  }
  return Number(position['offset']);
}
