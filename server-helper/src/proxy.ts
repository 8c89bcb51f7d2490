import { pipeline } from 'node:stream/promises';
import type { RawResponse } from '@connector-auth/api/client';
import type { Request, Response } from 'express';

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
  'retry-after',
  'x-request-id',
] as const;

export function forwardedHeaders(request: Request): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of requestHeaders) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}

/**
 * Streams the service's response to the browser unchanged, including error responses. If either side
 * disconnects, the other connection is closed too.
 */
export async function forwardResponse(upstream: RawResponse, response: Response): Promise<void> {
  response.status(upstream.status);
  for (const name of responseHeaders) {
    const value = upstream.headers[name];
    if (value !== undefined) response.setHeader(name, value);
  }
  try {
    await pipeline(upstream.body, response);
  } catch {
    // The headers are already sent, so no error can be reported. The pipeline has closed both sides.
  }
}
