import { ConnectorAuthError } from '@connector-auth/api';
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

/** Statuses of responses that have no body, so that a web response with one cannot be created. */
const statusesWithoutBody = [204, 205, 304];

/**
 * Returns the service's response, including an error, with its body as a stream of the same bytes.
 * @throws ConnectorAuthError `unexpected_answer` if no web response can have the status.
 */
export function forwardResponse({ status, headers, body }: RawResponse): PageResponse {
  if (status < 200 || status > 599) {
    body.destroy();
    throw new ConnectorAuthError(
      'unexpected_answer',
      `Unexpected response from the service: status ${status}. Check that baseUrl is the service's URL`,
    );
  }
  const forwarded: Record<string, string> = {};
  for (const name of responseHeaders) {
    const value = headers[name];
    if (typeof value === 'string') forwarded[name] = value;
  }
  if (!statusesWithoutBody.includes(status)) return { status, headers: forwarded, body };
  body.destroy();
  return { status, headers: forwarded, body: null };
}
