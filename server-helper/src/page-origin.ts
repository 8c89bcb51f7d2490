import { ConnectorAuthError } from '@connector-auth/api';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * Allows requests only from pages on an allowed origin and throws `origin_not_allowed` for all others.
 *
 * | request headers | GET | other methods |
 * |---|---|---|
 * | `Origin` in the list | allowed, with CORS headers | allowed, with CORS headers |
 * | `Origin` not in the list, or `null` | 403 | 403 |
 * | no `Origin`, `Sec-Fetch-Site: same-origin` or absent | allowed | 403 |
 * | no `Origin`, another `Sec-Fetch-Site` | 403 | 403 |
 *
 * Browsers send `Origin` with every request except a same-origin GET, so a POST without `Origin` does not
 * come from a page. A GET without `Origin` can come from an image or script tag on another site, which
 * `Sec-Fetch-Site` reveals.
 */
export function allowOrigins(allowedOrigins: ReadonlySet<string>): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    response.vary('Origin');
    response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    const { origin } = request.headers;
    if (origin === undefined) {
      const site = request.headers['sec-fetch-site'];
      const reads = request.method === 'GET' || request.method === 'HEAD';
      if (!reads || (site !== undefined && site !== 'same-origin')) {
        throw new ConnectorAuthError(
          'origin_not_allowed',
          'This request is only accepted from pages on an allowed origin',
        );
      }
    } else if (!allowedOrigins.has(origin)) {
      throw new ConnectorAuthError(
        'origin_not_allowed',
        "The page's origin is not allowed: add it to allowedOrigins of connectorAuth()",
      );
    } else {
      response.set({
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Credentials': 'true',
        'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
      });
    }
    if (request.method === 'OPTIONS') sendPreflight(response);
    else next();
  };
}

function sendPreflight(response: Response): void {
  response
    .set({
      'Access-Control-Allow-Methods': 'GET, POST',
      'Access-Control-Allow-Headers': 'Content-Type',
      'Access-Control-Max-Age': '600',
    })
    .status(204)
    .end();
}
