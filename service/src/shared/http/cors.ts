import type { IncomingHttpHeaders } from 'node:http';
import { ConnectorAuthError, parsePageOrigin } from '@connector-auth/api';
import type { RequestHandler } from 'express';
import type { Admission } from './admission.ts';

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
export function allowPageOrigins(exposed: readonly string[] = []): RequestHandler {
  return (request, response, next) => {
    response.vary('Origin');
    const origin = wellFormedOrigin(request.get('Origin'));
    if (origin !== null) {
      response.set('Access-Control-Allow-Origin', origin);
      response.set('Access-Control-Expose-Headers', [exposedHeaders, ...exposed].join(', '));
    }
    next();
  };
}

/** Rejects requests from pages of other origins, which browsers mark with `Origin` or `Sec-Fetch-Site`. */
export function rejectForeignPages(ownOrigin: string, admission: Admission): RequestHandler {
  return async (request, response, next) => {
    if (!isForeignPage(ownOrigin, request.headers)) return next();
    await admission.admit(null, request, response);
    throw new ConnectorAuthError(
      'origin_not_allowed',
      `Only pages at ${ownOrigin} can call the administration API. If you open the console at another URL, set PUBLIC_URL (with CONSOLE=private: CONSOLE_URL) to it`,
    );
  };
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
export function respondToPreflights(
  methods: readonly string[],
  headers: readonly string[] = [],
): RequestHandler {
  return (request, response) => {
    if (request.get('Origin') !== undefined && wellFormedOrigin(request.get('Origin')) === null) {
      throw new ConnectorAuthError('malformed_request', 'The Origin header is not a valid page origin');
    }
    response.vary('Access-Control-Request-Method, Access-Control-Request-Headers');
    response.set('Access-Control-Allow-Methods', methods.join(', '));
    response.set('Access-Control-Allow-Headers', [allowedHeaders, ...headers].join(', '));
    response.set('Access-Control-Max-Age', String(preflightLifetimeSeconds));
    response.status(204).end();
  };
}

/** Returns the header if it is a normalized origin, the only form that browsers send, otherwise null. */
function wellFormedOrigin(header: string | undefined): string | null {
  return header !== undefined && parsePageOrigin(header) === header ? header : null;
}
