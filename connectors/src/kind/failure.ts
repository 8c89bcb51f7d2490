import { ConnectorAuthError, type ErrorEvidence, type Issue, type ProblemCode } from '@connector-auth/api';
import type { VendorResponse } from './vendor.ts';

/** A vendor's error, as classified by its connector kind. */
export interface VendorFailure {
  readonly kind: VendorFailureKind;
  readonly code?: string | null;
  /** The vendor's own message. */
  readonly message?: string | null;
  /** Seconds that the vendor asks callers to wait before a retry. */
  readonly retryAfterSeconds?: number | null;
  /**
   * Invalid fields that the vendor reported, such as `params.operations.0.create.name` or
   * `credentials.developer_token`.
   */
  readonly issues?: readonly Issue[];
}

/**
 * - `credentials`: rejected or expired; needs consent or a new key
 * - `permission`: valid credentials without a required permission
 * - `not_found`: no such record
 * - `request`: an invalid request
 * - `rate_limit`: too many requests; retry later
 * - `vendor`: the vendor failed; a retry may help
 * - `operator`: the operator's OAuth app, developer token or API version is wrong
 */
export type VendorFailureKind =
  | 'credentials'
  | 'permission'
  | 'not_found'
  | 'request'
  | 'rate_limit'
  | 'vendor'
  | 'operator';

const codes: Record<VendorFailureKind, { code: ProblemCode; sentence: string }> = {
  credentials: { code: 'reauthentication_required', sentence: 'no longer accepts the credentials' },
  permission: { code: 'vendor_permission_missing', sentence: 'denied permission' },
  not_found: { code: 'record_not_found', sentence: 'found no such record' },
  request: { code: 'vendor_refused_request', sentence: 'rejected the request' },
  rate_limit: { code: 'vendor_rate_limited', sentence: 'rate limit exceeded' },
  vendor: { code: 'vendor_failed', sentence: 'request failed' },
  operator: {
    code: 'vendor_misconfigured',
    sentence: 'rejected the OAuth app, developer token or API version',
  },
};

/** Maximum length in characters. Needed because some vendors respond with a whole HTML page. */
const maxMessageLength = 2_000;

/** Creates the error for a vendor's failure. `vendor` contains the vendor's status, code and message. */
export function vendorError(
  vendorName: string,
  status: number | null,
  failure: VendorFailure,
  cause?: unknown,
): ConnectorAuthError {
  const { code, sentence } = codes[failure.kind];
  const message = failure.message?.slice(0, maxMessageLength);
  const details = message ? `: ${message}` : '';
  const evidence: ErrorEvidence = {
    vendor: { name: vendorName, status, code: failure.code ?? null, message: message ?? null },
    ...(typeof failure.retryAfterSeconds === 'number'
      ? { retryAfterSeconds: failure.retryAfterSeconds }
      : {}),
    ...(failure.issues ? { errors: failure.issues } : {}),
    ...(cause === undefined ? {} : { cause }),
  };
  return new ConnectorAuthError(code, `${vendorName} ${sentence}${details}`, evidence);
}

/**
 * Returns the records from a successful response. Throws if they are missing instead of returning an empty
 * page, because a sync run would end there and delete all records that it has not seen.
 * @throws ConnectorAuthError `vendor_failed`.
 */
export function requireRecords(
  vendorName: string,
  { status }: VendorResponse,
  records: unknown,
  name: string,
): readonly unknown[] {
  if (Array.isArray(records)) return records;
  throw vendorError(vendorName, status, { kind: 'vendor', message: `the response has no ${name}` });
}

/**
 * Creates the error for a page that does not identify the next page. If it were treated as the last page, all
 * records after it would be lost.
 */
export function brokenPage(vendorName: string, { status }: VendorResponse): ConnectorAuthError {
  return vendorError(vendorName, status, {
    kind: 'vendor',
    message: 'the response does not identify the next page',
  });
}

/** Creates the error for a page that leads back to one that was already read. Without it, a list would never end. */
export function repeatedPage(vendorName: string, response: VendorResponse | null): ConnectorAuthError {
  const message = 'the response repeats a page or its cursor';
  return vendorError(vendorName, response?.status ?? null, { kind: 'vendor', message });
}

/**
 * Parses a `Retry-After` header (a number or an HTTP date) and returns the seconds to wait, or null if the
 * header is missing or invalid.
 */
export function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1000));
}
