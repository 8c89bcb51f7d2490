import type { RawResponse } from '@connector-auth/api/client';
import type { HelperRequest } from './helper-request.ts';
import type { PageResponse } from './page-response.ts';

/** Request headers that are forwarded to the service. Cookies and the page's own tokens are not. */
const requestHeaders = ['content-type', 'content-encoding', 'accept-encoding'] as const;

/**
 * Response headers that are forwarded to the browser. Connection headers and cookies are not, nor are
 * policies, which the integrator sets.
 */
const responseHeaders = [
  'content-type',
  'content-encoding',
  'content-length',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'x-request-id',
] as const;

export function forwardedHeaders(request: HelperRequest): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of requestHeaders) {
    const value = request.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  return headers;
}

/** Returns the service's response, including an error, with its body as a stream of the same bytes. */
export function forwardResponse({ status, headers, body }: RawResponse): PageResponse {
  const forwarded: Record<string, string> = {};
  for (const name of responseHeaders) {
    const value = headers[name];
    if (typeof value === 'string') forwarded[name] = value;
  }
  if (status !== 204) return { status, headers: forwarded, body };
  body.resume();
  return { status, headers: forwarded, body: null };
}
