import { readRetryAfter, type VendorFailure } from '../kind/failure.ts';
import { asObject, asString } from '../kind/record.ts';
import type { VendorResponse } from '../kind/vendor.ts';

/**
 * What Granola's answer means when it is not a success. Bodies are JSON objects whose members are not guaranteed:
 * `message`, else `error`, else `code` is the vendor's word, and `{}` or nothing occurs.
 */
export function readFailure({ status, headers, body }: VendorResponse): VendorFailure | null {
  if (status < 400) return null;
  const { code, message, error } = asObject(body);
  const words = asString(message) ?? asString(error) ?? asString(code);
  const told = { code: asString(code), message: words };
  if (status === 401) return { kind: 'credentials', ...told };
  if (status === 403) return { kind: 'permission', ...told };
  if (status === 404) return { kind: 'not_found', ...told };
  if (status === 429) {
    return {
      kind: 'rate_limit',
      ...told,
      retryAfterSeconds: readRetryAfter(headers['retry-after'], Date.now()),
    };
  }
  return { kind: status >= 500 ? 'vendor' : 'request', ...told };
}
