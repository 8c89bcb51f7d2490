import { ConnectorAuthError, type ErrorEvidence, type Issue, type ProblemCode } from '@connector-auth/api';
import type { VendorResponse } from './vendor.ts';

/** What a vendor's refusal means, told by the kind from the answer. */
export interface VendorFailure {
  readonly kind: VendorFailureKind;
  /** The vendor's own code, if it has one. */
  readonly code?: string | null;
  /** The vendor's own words. */
  readonly message?: string | null;
  /** Seconds the vendor asks to wait. */
  readonly retryAfterSeconds?: number | null;
  /** The places the vendor names: `params.operations.0.create.name`, `credentials.developer_token`. */
  readonly issues?: readonly Issue[];
}

/**
 * - `credentials`: not accepted, or no longer; consent or a new key is needed
 * - `permission`: accepted, but the account may not do this
 * - `not_found`: no such record
 * - `request`: the vendor found a fault in the request
 * - `rate_limit`: too many requests; waiting helps
 * - `vendor`: the vendor failed; trying again may help
 * - `operator`: the operator's OAuth app, developer token or version setting is wrong
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

/** Characters of a vendor's words that are told. */
const maxMessageLength = 2_000;

/** The error for a vendor's failure: our code, a sentence for a person, and the vendor's status, code and words inside. */
export function vendorError(
  vendorName: string,
  status: number | null,
  failure: VendorFailure,
  cause?: unknown,
): ConnectorAuthError {
  const { code, sentence } = codes[failure.kind];
  // Some vendors answer with a page.
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
 * The records of a success, from the member that holds them. An answer without them is no empty one: a walk that took it for
 * one would end there, and what it did not see would be removed.
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

/** The error for a page that does not tell where the next one is: taken for the last, what follows would be lost. */
export function brokenPage(vendorName: string, { status }: VendorResponse): ConnectorAuthError {
  return vendorError(vendorName, status, {
    kind: 'vendor',
    message: 'the response does not identify the next page',
  });
}

/** Seconds of a `Retry-After` header (a number of seconds or an HTTP date); null when there is none or it is not readable. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1000));
}
