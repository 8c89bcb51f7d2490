import { createHash } from 'node:crypto';
import { readRetryAfter, type VendorFailure } from '../kind/failure.ts';
import type { Grant } from '../kind/grants.ts';
import { asObject, asString } from '../kind/record.ts';
import type { VendorResponse } from '../kind/vendor.ts';

/**
 * An access token. It is stored in the connector's state because it changes far more often than the credentials.
 */
interface Access {
  readonly token: string;
  /** Time at which the token expires, in milliseconds since the epoch. */
  readonly endsAt: number;
  /**
   * Fingerprint of the credential that the access token was created with, so that the access token is not used after the credentials
   * were replaced.
   */
  readonly from: string;
}

/** Returns the access token that was created with a credential, or null if there is none. */
export function accessOf({ state }: Grant, credential: unknown): Access | null {
  const { token, endsAt, from } = asObject(state['access']);
  if (typeof token !== 'string' || typeof endsAt !== 'number' || from !== fingerprint(credential))
    return null;
  return { token, endsAt, from };
}

/** Returns state that contains an access token, bound to the credential that it was created with. */
export function accessState(
  token: string,
  expiresIn: unknown,
  credential: unknown,
  nowMs: number,
): Grant['state'] {
  const lifetimeMs = typeof expiresIn === 'number' ? expiresIn * 1000 : 3_600_000;
  const access: Access = { token, endsAt: nowMs + lifetimeMs, from: fingerprint(credential) };
  return { access };
}

/** An access token that expires within this time is refreshed before use. */
export const marginMs = 60_000;

/** Returns whether the access token is missing or about to expire. */
export function isAccessDue(grant: Grant, credential: unknown, nowMs: number): boolean {
  const access = accessOf(grant, credential);
  return access === null || access.endsAt - nowMs < marginMs;
}

function fingerprint(credential: unknown): string {
  return createHash('sha256').update(String(credential)).digest('base64url').slice(0, 22);
}

/** Returns an `Authorization` header value for HTTP Basic (RFC 7617). */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

export interface RejectedGrant {
  /** The credential that a rejected grant makes invalid, and what to say about it. */
  readonly grant: { readonly field: string; readonly message: string };
  /** The credential that a rejected client makes invalid. Null if the operator must fix the client. */
  readonly client: { readonly field: string; readonly message: string } | null;
}

/**
 * Classifies the token endpoint's error response to a request with a stored grant (RFC 6749, section 5.2). The customer must fix
 * `invalid_grant`; the owner of the OAuth app must fix `invalid_client`.
 */
export function readGrantError(
  { status, headers, body }: VendorResponse,
  nowMs: number,
  { grant, client }: RejectedGrant,
): VendorFailure {
  const { error, error_description } = asObject(body);
  const details = { code: asString(error), message: asString(error_description) ?? asString(error) };
  const rejected = ({ field, message }: RejectedGrant['grant']): VendorFailure => ({
    kind: 'credentials',
    ...details,
    issues: [{ path: `credentials.${field}`, message }],
  });
  if (error === 'invalid_grant') return rejected(grant);
  if (error === 'invalid_client' || error === 'unauthorized_client')
    return client === null ? { kind: 'operator', ...details } : rejected(client);
  if (status === 429) {
    const retryAfterSeconds = readRetryAfter(headers['retry-after'], nowMs);
    return { kind: 'rate_limit', ...details, retryAfterSeconds };
  }
  return { kind: 'vendor', ...details, message: details.message ?? 'the response has no access token' };
}
