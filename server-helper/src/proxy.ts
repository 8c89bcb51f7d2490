import { ConnectorAuthError } from '@connector-auth/api';
import type { RawResponse } from '@connector-auth/api/client';
import type { PageRequest, PageResponse } from './page.ts';

/** Request headers that are forwarded to the service. Cookies and the page's own tokens are not. */
const requestHeaders = ['content-type', 'content-encoding', 'accept-encoding'];

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
];

export function forwardedHeaders({ headers }: PageRequest): Record<string, string> {
  return pick(requestHeaders, name => headers.get(name));
}

/** Statuses of responses that have no body, so that a web response with one cannot be created. */
const statusesWithoutBody = [204, 205, 304];

/**
 * Returns the service's response, including an error, with its body as a stream of the same bytes.
 * @throws ConnectorAuthError `token_invalid` if the service rejects the helper's own token, and `unexpected_answer` if
 * no web response can have the status.
 */
export function forwardResponse({ status, headers, body }: RawResponse): PageResponse {
  if (status === 401) {
    body.resume();
    const { 'x-request-id': requestId } = headers;
    throw new ConnectorAuthError(
      'token_invalid',
      'The service rejected the scoped token',
      typeof requestId === 'string' ? { requestId } : {},
    );
  }
  if (status < 200 || status > 599) {
    body.destroy();
    throw new ConnectorAuthError(
      'unexpected_answer',
      `Unexpected response from the service: status ${status}. Check that baseUrl is the service's URL`,
    );
  }
  const hasBody = !statusesWithoutBody.includes(status);
  if (!hasBody) body.destroy();
  return { status, headers: pick(responseHeaders, name => headers[name]), body: hasBody ? body : null };
}

function pick(names: readonly string[], get: (name: string) => unknown): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = get(name);
    if (typeof value === 'string') picked[name] = value;
  }
  return picked;
}
