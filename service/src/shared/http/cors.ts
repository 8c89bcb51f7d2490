import type { IncomingHttpHeaders } from 'node:http';
import { ConnectorAuthError, parsePageOrigin } from '@connector-auth/api';
import type { Admission } from './admission.ts';
import type { HttpRequest, HttpResponse } from './locals.ts';
import { vary } from './vary.ts';

const allowedHeaders =
  'Authorization, Content-Type, Idempotency-Key, X-OAuth-Secret-Id, X-OAuth-Verifier, X-Organization-Id, X-Request-Id';
const exposedHeaders = 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, WWW-Authenticate';
/** Two hours, which is the maximum time for which Chromium caches a preflight response. */
const preflightLifetimeSeconds = 7200;

/**
 * Allows pages from any well-formed origin to read responses, including errors, on paths that require a token.
 * This is safe because browsers do not send bearer tokens automatically. A page that cannot read a 401, or the
 * 403 for a token that belongs on a server, would mistake it for an outage. Credentials (cookies) are never
 * allowed.
 * @param exposed the headers that pages can read in addition.
 */
export function allowPageOrigins(
  { headers }: HttpRequest,
  response: HttpResponse,
  exposed: readonly string[] = [],
): void {
  vary(response, 'Origin');
  const origin = wellFormedOrigin(headers.origin);
  if (origin === null) return;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', [exposedHeaders, ...exposed].join(', '));
}

/** Rejects requests from pages of other origins, which browsers mark with `Origin` or `Sec-Fetch-Site`. */
export async function rejectForeignPages(
  ownOrigin: string,
  admission: Admission,
  request: HttpRequest,
  response: HttpResponse,
): Promise<void> {
  if (!isForeignPage(ownOrigin, request.headers)) return;
  await admission.admit(null, request, response);
  throw new ConnectorAuthError(
    'origin_not_allowed',
    `Only pages at ${ownOrigin} can call the administration API. If you open the console at another URL, set PUBLIC_URL (with CONSOLE=private: CONSOLE_URL) to it`,
  );
}

function isForeignPage(ownOrigin: string, { origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (origin !== undefined && origin !== ownOrigin) return true;
  return site === 'cross-site' || site === 'same-site';
}

/**
 * Responds to preflight requests on paths that require a token. Preflights carry no token, so the responses
 * reveal only the contract.
 * @param headers those that pages can send in addition.
 */
export function respondToPreflight(
  { headers: { origin } }: HttpRequest,
  response: HttpResponse,
  methods: readonly string[],
  headers: readonly string[] = [],
): void {
  if (origin !== undefined && wellFormedOrigin(origin) === null) {
    throw new ConnectorAuthError('malformed_request', 'The Origin header is not a valid page origin');
  }
  vary(response, 'Access-Control-Request-Method, Access-Control-Request-Headers');
  response.setHeader('Access-Control-Allow-Methods', methods.join(', '));
  response.setHeader('Access-Control-Allow-Headers', [allowedHeaders, ...headers].join(', '));
  response.setHeader('Access-Control-Max-Age', String(preflightLifetimeSeconds));
  response.statusCode = 204;
  response.end();
}

/** Returns the header if it is a normalized origin, the only form that browsers send, otherwise null. */
function wellFormedOrigin(header: string | undefined): string | null {
  return header !== undefined && parsePageOrigin(header) === header ? header : null;
}
