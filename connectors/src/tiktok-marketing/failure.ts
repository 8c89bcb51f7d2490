import { readRetryAfter, type VendorFailure, type VendorFailureKind } from '../kind/failure.ts';
import type { Grant } from '../kind/grants.ts';
import { asObject, asString } from '../kind/record.ts';
import type { VendorResponse } from '../kind/vendor.ts';
import { en } from './messages/en.ts';

/**
 * Classifies a response from TikTok. The HTTP status is nearly always 200 and `code` reports the outcome.
 * Only TikTok's gateways send other statuses.
 */
export function readFailure(
  { status, headers, body }: VendorResponse,
  nowMs: number,
  grant?: Grant,
): VendorFailure | null {
  const { code, message } = asObject(body);
  if (typeof code === 'number') {
    if (successes.has(code)) return null;
    if (code === wrongApp && grant?.credentials['app_id'] !== undefined) {
      const issues = [{ path: 'credentials.secret', message: en.accessToken.secret.rejected }];
      return { kind: 'credentials', code: String(code), message: asString(message), issues };
    }
    return { kind: kindOf(code), code: String(code), message: asString(message) };
  }
  if (status === 429) {
    return {
      kind: 'rate_limit',
      retryAfterSeconds: readRetryAfter(headers['retry-after'], nowMs),
    };
  }
  if (status >= 400 && status < 500) return { kind: 'request' };
  if (status >= 500) return { kind: 'vendor' };
  // The connection reports a body that is not JSON.
  return body === undefined ? null : { kind: 'vendor', message: 'the response has no code' };
}

/**
 * Codes for successful responses. 20001 means that a bulk call succeeded in part; its data lists the
 * failures.
 */
const successes = new Set([0, 20001]);

/** The code for a wrong app id or secret. */
const wrongApp = 40101;

/** The code with which TikTok requests a smaller report. */
export const queryTooLarge = 40067;

/** Codes that do not follow the ranges in {@link kindOf}, from TikTok's SDK. */
const kinds: Readonly<Record<Exclude<VendorFailureKind, 'request'>, readonly number[]>> = {
  // Token expired, missing, wrong or revoked; user deleted or signed out; authorization code or refresh token
  // rejected.
  credentials: [40102, 40103, 40104, 40105, 40106, 40107, 40108, 40110, 40114],
  // 40001 can also mean that an advertiser does not exist or was deleted.
  permission: [40001, 40003, 40117, 40118, 40125, 40130, 40300, 40301, 40302],
  not_found: [40007, 40905],
  // Rate limits per app, per endpoint, per advertiser and path, and per business line.
  rate_limit: [40100, 40132, 40133, 61000],
  // Unfinished tasks, write conflicts, TikTok's internal validation errors, and maintenance.
  vendor: [40200, 40201, 40202, 40700, 41013, 60001],
  // Problems with the app id, secret or review, or a removed API version or endpoint.
  operator: [40006, 40010, 40051, wrongApp, 40113, 40124, 40400, 41001],
};

const kindByCode = new Map(
  Object.entries(kinds).flatMap(([kind, codes]) =>
    // The keys are failure kinds.
    codes.map(code => [code, kind as VendorFailureKind] as const),
  ),
);

/**
 * Returns the kind of failure for a code. Codes 50000 to 59999 are TikTok's own errors. Unknown codes count
 * as invalid requests.
 */
function kindOf(code: number): VendorFailureKind {
  return kindByCode.get(code) ?? (code >= 50_000 && code < 60_000 ? 'vendor' : 'request');
}
