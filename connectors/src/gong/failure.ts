import { readRetryAfter, type VendorFailure } from '../kind/failure.ts';
import type { Grant } from '../kind/grants.ts';
import { asArray, asObject, asString } from '../kind/record.ts';
import type { VendorResponse } from '../kind/vendor.ts';
import { kindOf } from '../rest/failures.ts';

/**
 * Classifies a response from Gong. Gong has no error codes: `errors` contains English sentences, sometimes as
 * objects with a `message`. A 404 whose message says that nothing matches the filters is an empty page.
 */
export function readFailure(
  { status, headers, body }: VendorResponse,
  nowMs: number,
  grant?: Grant,
): VendorFailure | null {
  if (status < 400) return null;
  const message = readErrorMessage(body);
  if (status === 404 && message?.includes('found corresponding to the provided filters')) return null;
  const kind = kindOf(status);
  return {
    kind,
    code: null,
    message,
    ...(kind === 'credentials' && hintFor(grant)),
    ...(kind === 'rate_limit' && { retryAfterSeconds: readRetryAfter(headers['retry-after'], nowMs) }),
  };
}

/** Returns a hint if an access token was sent to the host that rejects most of them. */
function hintFor(grant: Grant | undefined): Pick<VendorFailure, 'issues'> {
  if (grant?.method !== 'access_token' || grant.state['api_base_url_for_customer'] !== undefined) return {};
  const message =
    "Gong didn't accept this access token at its generic API address. Pass the address from the token response as state: { api_base_url_for_customer }";
  return { issues: [{ path: 'credentials.access_token', message }] };
}

/** Reads the sentences from an error response. Returns null if it contains none. */
export function readErrorMessage(body: unknown): string | null {
  const sentences = asArray(asObject(body)['errors']).flatMap(
    error => asString(error) ?? asString(asObject(error)['message']) ?? [],
  );
  return sentences.length === 0 ? null : sentences.join('; ');
}
