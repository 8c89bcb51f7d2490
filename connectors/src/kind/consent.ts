import { readRetryAfter, type VendorFailure } from './failure.ts';
import type { Grant, OAuthApp } from './grants.ts';
import { asObject, asString } from './record.ts';
import type { VendorRequest, VendorResponse } from './vendor.ts';

/**
 * How a person's consent at the vendor becomes a grant: the vendor's own dialect of OAuth, in pure functions. Whoever runs
 * the flow keeps `state`, makes the PKCE verifier and sends the requests.
 */
export interface Consent {
  /** Whether the vendor takes a PKCE challenge (RFC 7636, S256). */
  readonly usesPkce: boolean;
  /** Address of the vendor's consent page. */
  readonly url: (request: ConsentRequest) => string;
  /** What the vendor's redirect says, from its query. */
  readonly readCallback: (query: Readonly<Record<string, string>>) => ConsentOutcome;
  readonly exchange: (exchange: CodeExchange) => VendorRequest;
  /**
   * Credentials and state out of the vendor's answer to `exchange`.
   * @throws ConnectorAuthError what is wrong with it; `vendor_misconfigured` when it is the app.
   */
  readonly readTokens: (response: VendorResponse, nowMs: number) => Pick<Grant, 'credentials' | 'state'>;
  /** Ends the grant at the vendor; absent where the vendor has no way to. */
  readonly revoke?: (grant: Grant, app: OAuthApp | null) => VendorRequest | null;
}

export interface ConsentRequest {
  readonly app: OAuthApp;
  readonly redirectUri: string;
  /** Given back by the vendor, so that its redirect is known to be the answer to this request. */
  readonly state: string;
  /** Null where the vendor does not use PKCE. */
  readonly codeChallenge: string | null;
}

/** What the person decided, or why they could not. */
export type ConsentOutcome =
  { readonly code: string } | { readonly error: string; readonly description: string | null };

export interface CodeExchange {
  readonly app: OAuthApp;
  /** The same as in the request for consent. */
  readonly redirectUri: string;
  readonly code: string;
  /** Null where the vendor does not use PKCE. */
  readonly codeVerifier: string | null;
}

/** The address of a consent page with its parameters. */
export function consentUrl(page: string, parameters: Readonly<Record<string, string>>): string {
  return `${page}?${new URLSearchParams(parameters).toString()}`;
}

/** The callback as in RFC 6749, sections 4.1.2 and 4.1.2.1, with the vendor's name for the code. */
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

/** Errors of RFC 6749, section 5.2, that are the app's, and one that vendors use for a redirect URL that is not registered. */
const appErrors = new Set(['invalid_client', 'unauthorized_client', 'redirect_uri_mismatch']);

/** What a token endpoint's refusal of a code means. */
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
