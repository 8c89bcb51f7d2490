import { readRetryAfter, type VendorFailure, type VendorFailureKind } from '../kind/failure.ts';
import type { VendorResponse } from '../kind/vendor.ts';
import { asText, valueAt } from './api.ts';

export interface FailureTable {
  /** Where an error's body has its message: the first of these paths with a text. Default: the usual places. */
  readonly message?: readonly string[];
  /** Where it has its code. Default: the usual places. */
  readonly code?: readonly string[];
  /** The kinds of failures whose code says more than their status. */
  readonly byCode?: Readonly<Record<string, VendorFailureKind>>;
  /** The kinds of failures whose status has another meaning than usual. Null for a response that is none. */
  readonly byStatus?: Readonly<Record<number, VendorFailureKind | null>>;
  /** Returns whether a response with a status below 400 is a failure, such as `errors` of GraphQL. Default: none is. */
  readonly isFailure?: (response: VendorResponse) => boolean;
  /** The headers of a limit that is used up, such as `x-ratelimit-remaining` with `0`. */
  readonly limit?: LimitHeaders;
}

export interface LimitHeaders {
  /** The header with the number of remaining requests. A 403 with `0` is a rate limit, too. */
  readonly remaining?: string;
  /** The header with the time at which requests are possible again. Default: only `Retry-After`. */
  readonly reset: string;
  /** What it contains: seconds since the epoch, or seconds to wait. */
  readonly unit: 'epoch' | 'seconds';
}

const messagePlaces = [
  'message',
  'error_description',
  'error.message',
  'errors.message',
  'error',
  'detail',
  'title',
];
const codePlaces = ['code', 'error.code', 'error_code', 'error.type', 'error', 'type'];

/** Classifies responses by their status, and by a table for what differs. It is the `readFailure` of a kind. */
export function failures(
  table: FailureTable = {},
): (response: VendorResponse, nowMs: number) => VendorFailure | null {
  const { message = messagePlaces, code = codePlaces, byCode = {}, byStatus = {}, isFailure, limit } = table;
  return (response, nowMs) => {
    const { status, body, headers } = response;
    if (status < 400 && !isFailure?.(response)) return null;
    const details = { code: firstText(body, code), message: firstText(body, message) };
    const known =
      details.code !== null && Object.hasOwn(byCode, details.code) ? byCode[details.code] : undefined;
    const usedUp = limit !== undefined && isUsedUp(response, limit) ? 'rate_limit' : undefined;
    const kind = known ?? usedUp ?? (status in byStatus ? byStatus[status] : kindOf(status));
    if (kind === null || kind === undefined) return null;
    if (kind !== 'rate_limit') return { kind, ...details };
    const retryAfterSeconds =
      readRetryAfter(headers['retry-after'], nowMs) ?? secondsUntilReset(response, limit, nowMs);
    return { kind, ...details, retryAfterSeconds };
  };
}

/** Returns the kind of failure that a status means. */
export function kindOf(status: number): VendorFailureKind {
  if (status === 401) return 'credentials';
  if (status === 403) return 'permission';
  if (status === 404 || status === 410) return 'not_found';
  if (status === 429) return 'rate_limit';
  // A request timeout is also the vendor's.
  return status >= 500 || status === 408 ? 'vendor' : 'request';
}

function firstText(body: unknown, places: readonly string[]): string | null {
  for (const place of places) {
    const text = asText(valueAt(body, place));
    if (text !== null && text !== '') return text;
  }
  return null;
}

function isUsedUp({ status, headers }: VendorResponse, { remaining }: LimitHeaders): boolean {
  return status === 403 && remaining !== undefined && headers[remaining.toLowerCase()]?.trim() === '0';
}

function secondsUntilReset(
  { headers }: VendorResponse,
  limit: LimitHeaders | undefined,
  nowMs: number,
): number | null {
  if (limit === undefined) return null;
  const value = Number(headers[limit.reset.toLowerCase()] ?? Number.NaN);
  if (!Number.isFinite(value)) return null;
  return Math.max(0, Math.ceil(limit.unit === 'epoch' ? value - nowMs / 1000 : value));
}
