import { readRetryAfter, type VendorFailure } from './failure.ts';
import type { Grant, OAuthApp } from './grants.ts';
import { asObject, asString } from './record.ts';
import type { VendorRequest, VendorResponse } from './vendor.ts';

/**
 * How a user's consent becomes a grant: the vendor's variant of OAuth as pure functions. The caller stores
 * `state`, creates the PKCE verifier and sends the requests.
 */
export interface Consent {
  /** Whether the vendor supports PKCE (RFC 7636, S256). */
  readonly usesPkce: boolean;
  /** Returns the URL of the vendor's consent page. */
  readonly url: (request: ConsentRequest) => string;
  /** Reads the query of the vendor's redirect. */
  readonly readCallback: (query: Readonly<Record<string, string>>) => ConsentOutcome;
  readonly exchange: (exchange: CodeExchange) => VendorRequest;
  /**
   * Reads credentials and state from the response to `exchange`.
   * @throws ConnectorAuthError the vendor's error; `vendor_misconfigured` if the OAuth app caused it.
   */
  readonly readTokens: (response: VendorResponse, nowMs: number) => Pick<Grant, 'credentials' | 'state'>;
  /** Returns the request that revokes the grant. Absent if the vendor cannot revoke grants. */
  readonly revoke?: (grant: Grant, app: OAuthApp | null) => VendorRequest | null;
}

export interface ConsentRequest {
  readonly app: OAuthApp;
  readonly redirectUri: string;
  /** Returned by the vendor, to match its redirect with this request. */
  readonly state: string;
  /** Null if the vendor does not support PKCE. */
  readonly codeChallenge: string | null;
}

/** An authorization code, or the reason why there is none. */
export type ConsentOutcome =
  { readonly code: string } | { readonly error: string; readonly description: string | null };

export interface CodeExchange {
  readonly app: OAuthApp;
  /** Must equal the redirect URI of the consent request. */
  readonly redirectUri: string;
  readonly code: string;
  /** Null if the vendor does not support PKCE. */
  readonly codeVerifier: string | null;
}

export function consentUrl(page: string, parameters: Readonly<Record<string, string>>): string {
  return `${page}?${new URLSearchParams(parameters).toString()}`;
}

/**
 * Reads a callback as defined in RFC 6749, sections 4.1.2 and 4.1.2.1.
 * @param codeName the vendor's name for the code.
 */
export function readStandardCallback(
  query: Readonly<Record<string, string>>,
  codeName = 'code',
): ConsentOutcome {
  const { error, error_description: description = null, [codeName]: code } = query;
  if (error !== undefined) return { error, description };
  return code === undefined || code === ''
    ? { error: 'server_error', description: 'The callback has neither a code nor an error' }
    : { code };
}

/**
 * Errors of RFC 6749, section 5.2, that the OAuth app causes, and one that vendors use for an unregistered
 * redirect URL.
 */
const appErrors = new Set(['invalid_client', 'unauthorized_client', 'redirect_uri_mismatch']);

/** Classifies a token endpoint's error response to an authorization code. */
export function readTokenError({ status, headers, body }: VendorResponse, nowMs: number): VendorFailure {
  const { error, error_description } = asObject(body);
  const code = asString(error);
  const details = { code, message: asString(error_description) ?? code };
  if (status === 429) {
    return {
      kind: 'rate_limit',
      ...details,
      retryAfterSeconds: readRetryAfter(headers['retry-after'], nowMs),
    };
  }
  if (code !== null && appErrors.has(code)) return { kind: 'operator', ...details };
  if (code !== null && status < 500) return { kind: 'request', ...details };
  return { kind: 'vendor', ...details, message: details.message ?? 'the response has no access token' };
}
