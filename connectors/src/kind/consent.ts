import { readRetryAfter, type VendorFailure } from './failure.ts';
import type { Grant, OAuthApp } from './grants.ts';
import { asObject, asString } from './record.ts';
import type { VendorRequest, VendorResponse } from './vendor.ts';

/**
 * A vendor's OAuth flow as pure functions, from the consent page to the grant. The caller stores `state`,
 * creates the PKCE verifier and sends the requests.
 */
export interface Consent {
  /** Whether the vendor supports PKCE with S256 (RFC 7636, section 4.2; RFC 9700, section 2.1.1). */
  readonly usesPkce: boolean;
  /**
   * The `iss` value of the vendor's redirects (RFC 9207, section 2.4). Declare it only if the vendor always sends it, because a
   * redirect without it is then rejected. If it is omitted, a redirect with any `iss` is rejected.
   */
  readonly issuer?: string;
  /** The scopes that the consent page asks for. */
  readonly scopes?: readonly Scope[];
  /** Returns the URL of the vendor's consent page (RFC 6749, section 4.1.1). */
  readonly url: (request: ConsentRequest) => string;
  /** Parses the query parameters of the vendor's redirect (RFC 6749, sections 4.1.2 and 4.1.2.1). */
  readonly readCallback: (query: Readonly<Record<string, string>>) => ConsentOutcome;
  /** Returns the request for tokens (RFC 6749, section 4.1.3). */
  readonly exchange: (exchange: CodeExchange) => VendorRequest;
  /**
   * Parses credentials and state from the response to `exchange` (RFC 6749, sections 5.1 and 5.2).
   * @throws ConnectorAuthError the vendor's error; `vendor_misconfigured` if the OAuth app caused it.
   */
  readonly readTokens: (response: VendorResponse, nowMs: number) => Pick<Grant, 'credentials' | 'state'>;
}

/** A permission at a vendor. */
export interface Scope {
  readonly name: string;
  /** What the vendor's consent page says that the app may do, such as `edit`, if that is more than reading. */
  readonly says?: string;
}

export interface ConsentRequest {
  readonly app: OAuthApp;
  readonly redirectUri: string;
  /**
   * Opaque value that the vendor includes in its redirect, so that the redirect can be matched to this
   * request.
   */
  readonly state: string;
  /** Null if the vendor does not support PKCE. */
  readonly codeChallenge: string | null;
}

/** An authorization code, or the reason why the vendor returned none. */
export type ConsentOutcome =
  | { readonly code: string }
  | { readonly error: string; readonly description: string | null };

export interface CodeExchange {
  readonly app: OAuthApp;
  /** Must equal the redirect URI of the consent request (RFC 6749, section 4.1.3). */
  readonly redirectUri: string;
  readonly code: string;
  /** Null if the vendor does not support PKCE. */
  readonly codeVerifier: string | null;
}

export function consentUrl(page: string, parameters: Readonly<Record<string, string>>): string {
  return `${page}?${new URLSearchParams(parameters).toString()}`;
}

/**
 * Parses a callback as defined in RFC 6749, sections 4.1.2 and 4.1.2.1.
 * @param codeName the vendor's name for the `code` parameter.
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
 * RFC 6749 (section 5.2) error codes that a misconfigured OAuth app causes, and a common code for an
 * unregistered redirect URL.
 */
const appErrors = new Set(['invalid_client', 'unauthorized_client', 'redirect_uri_mismatch']);

/** Classifies the token endpoint's error response to a code exchange (RFC 6749, section 5.2). */
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
