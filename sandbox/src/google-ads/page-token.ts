import { createHash } from 'node:crypto';
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
export function writePageToken(scope: PageTokenScope, offset: number): string {
  const text = `${offset}.${scope.now}`;
  return Buffer.from(`${text}.${sign(scope, text)}`).toString('base64url');
}

/**
 * Reads the offset from a page token; returns 0 if there is none. Throws `INVALID_PAGE_TOKEN` or
 * `EXPIRED_PAGE_TOKEN`.
 */
export function readPageToken(scope: PageTokenScope, token: string | undefined): number {
  if (token === undefined || token === '') return 0;
  const [offset = '', issuedAt = '', signature] = Buffer.from(token, 'base64url').toString().split('.');
  if (sign(scope, `${offset}.${issuedAt}`) !== signature) {
    throw fail('requestError', 'INVALID_PAGE_TOKEN', 'Page token is invalid.', { path: 'page_token' });
  }
  if (scope.now - Number(issuedAt) > LIFETIME_MS) {
    throw fail('requestError', 'EXPIRED_PAGE_TOKEN', 'Page token has expired.', { path: 'page_token' });
  }
  return Number(offset);
}

function sign({ customerId, query }: PageTokenScope, text: string): string {
  return createHash('sha256').update(`${customerId}\0${query}\0${text}`).digest('base64url').slice(0, 16);
}
