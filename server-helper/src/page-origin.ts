import { ConnectorAuthError, parseOrigin, parsePageOrigin } from '@connector-auth/api';
import type { AllowsOrigin } from './allowed-origins.ts';
import type { PageRequest } from './page.ts';

/** Headers of all responses, including errors. */
export const commonHeaders = {
  vary: 'Origin',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** Headers with which an allowed page on another origin can read the response. */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
  };
}

export const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': 'Content-Type',
  'access-control-max-age': '600',
} as const;

/**
 * Returns the origin of the page that sent the request, or null for a same-origin GET.
 *
 * | request headers | GET | other methods |
 * |---|---|---|
 * | `Origin` allowed | allowed | allowed |
 * | `Origin` not allowed, or `null` | 403 | 403 |
 * | no `Origin`, `Sec-Fetch-Site: same-origin` or absent | allowed | 403 |
 * | no `Origin`, another `Sec-Fetch-Site` | 403 | 403 |
 *
 * Browsers send `Origin` with every request except a same-origin GET, so a POST without `Origin` does not
 * come from a page. A GET without `Origin` can come from an image or script tag on another site, which
 * `Sec-Fetch-Site` reveals.
 * @throws ConnectorAuthError `origin_not_allowed`.
 */
export async function checkOrigin(request: PageRequest, allows: AllowsOrigin): Promise<string | null> {
  const origin = request.headers.get('origin');
  if (origin === null) {
    const site = request.headers.get('sec-fetch-site');
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (reads && (site === null || site === 'same-origin')) return null;
    throw new ConnectorAuthError(
      'origin_not_allowed',
      'This request is only accepted from pages on an allowed origin',
    );
  }
  if (await allows(origin)) return origin;
  throw new ConnectorAuthError('origin_not_allowed', adviceFor(origin));
}

function adviceFor(origin: string): string {
  if (origin === 'null') {
    return 'The page has no origin: open it from a web server, not from a file or a sandboxed frame';
  }
  // Any client can send any text as its origin.
  if (parsePageOrigin(origin) !== origin) return 'The Origin header is not the origin of a page';
  return parseOrigin(origin) === null
    ? `The page's origin ${origin} cannot be allowed: open the page with https, or on localhost`
    : `The page's origin is not allowed: add '${origin}' to allowedOrigins of connectorAuth()`;
}
