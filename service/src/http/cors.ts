import { ConnectorAuthError, parsePageOrigin, type Endpoint } from '@connector-auth/api';
import type { RequestHandler } from 'express';

const allowedHeaders =
  'Authorization, Content-Type, Idempotency-Key, X-OAuth-Verifier, X-Organization-Id, X-Request-Id';
const exposedHeaders = 'Retry-After, X-Request-Id, WWW-Authenticate';
/** Two hours: Chromium's maximum for caching a preflight response. */
const preflightLifetimeSeconds = 7200;

/**
 * Lets pages of any well-formed origin read the responses of a path that widgets call, errors included: a bearer
 * token is not ambient authority, and a page that cannot read a 401 mistakes it for an outage. Credentials
 * (cookies) are never allowed.
 */
export function allowPageOrigins(): RequestHandler {
  return (request, response, next) => {
    response.vary('Origin');
    const origin = wellFormedOrigin(request.get('Origin'));
    if (origin !== null) {
      response.set('Access-Control-Allow-Origin', origin);
      response.set('Access-Control-Expose-Headers', exposedHeaders);
    }
    next();
  };
}

/** Responds to preflights of a path that widgets call. They carry no token, so they reveal only the contract. */
export function respondToPreflights(callable: readonly Endpoint[]): RequestHandler {
  const methods = callable.map(({ method }) => method).join(', ');
  return (request, response) => {
    if (request.get('Origin') !== undefined && wellFormedOrigin(request.get('Origin')) === null) {
      throw new ConnectorAuthError('malformed_request', 'The Origin header is not a valid page origin');
    }
    response.vary('Access-Control-Request-Method, Access-Control-Request-Headers');
    response.set('Access-Control-Allow-Methods', methods);
    response.set('Access-Control-Allow-Headers', allowedHeaders);
    response.set('Access-Control-Max-Age', String(preflightLifetimeSeconds));
    response.status(204).end();
  };
}

/** Browsers send origins in normal form only. */
function wellFormedOrigin(header: string | undefined): string | null {
  return header !== undefined && parsePageOrigin(header) === header ? header : null;
}
