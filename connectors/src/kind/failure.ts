import { ConnectorAuthError, type ErrorEvidence, type Issue, type ProblemCode } from '@connector-auth/api';
import type { VendorResponse } from './vendor.ts';

/** A vendor's error as its kind understands it. */
export interface VendorFailure {
  readonly kind: VendorFailureKind;
  readonly code?: string | null;
  /** The vendor's own message. */
  readonly message?: string | null;
  /** How long the vendor asks to wait. */
  readonly retryAfterSeconds?: number | null;
  /** The fields that the vendor names: `params.operations.0.create.name`, `credentials.developer_token`. */
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
  'credentials' | 'permission' | 'not_found' | 'request' | 'rate_limit' | 'vendor' | 'operator';

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

/** In characters. Some vendors respond with a whole page. */
const maxMessageLength = 2_000;

/** Creates the error for a vendor's failure, with the vendor's status, code and message in `vendor`. */
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
 * Returns the records of a success. A response without them is not an empty page: a sync run would end there
 * and delete all records that it has not seen.
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
 * Creates the error for a page that does not identify the next one. Treated as the last page, it would lose
 * all that follow.
 */
export function brokenPage(vendorName: string, { status }: VendorResponse): ConnectorAuthError {
  return vendorError(vendorName, status, {
    kind: 'vendor',
    message: 'the response does not identify the next page',
  });
}

/**
 * Returns the seconds of a `Retry-After` header (a number or an HTTP date); null if it is absent or not
 * readable.
 */
export function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1000));
}
