import { readRetryAfter, type VendorFailure } from '../kind/failure.ts';
import { asObject, asString } from '../kind/record.ts';
import type { VendorResponse } from '../kind/vendor.ts';

/**
 * Classifies a response from Granola. An error body is a JSON object without guaranteed members: the message
 * can be in `message`, `error` or `code`, or can be missing.
 */
export function readFailure({ status, headers, body }: VendorResponse, nowMs: number): VendorFailure | null {
  if (status < 400) return null;
  const { code, message, error } = asObject(body);
  const text = asString(message) ?? asString(error) ?? asString(code);
  const details = { code: asString(code), message: text };
  if (status === 401) return { kind: 'credentials', ...details };
  if (status === 403) return { kind: 'permission', ...details };
  if (status === 404) return { kind: 'not_found', ...details };
  if (status === 429) {
    return {
      kind: 'rate_limit',
      ...details,
      retryAfterSeconds: readRetryAfter(headers['retry-after'], nowMs),
    };
  }
  return { kind: status >= 500 ? 'vendor' : 'request', ...details };
}
