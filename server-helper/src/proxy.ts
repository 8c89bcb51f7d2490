import { pipeline } from 'node:stream/promises';
import type { RawResponse } from '@connector-auth/api/client';
import type { Request, Response } from 'express';

/** Headers of the browser's request that the service needs. Cookies and the page's own tokens stay here. */
const requestHeaders = ['content-type', 'content-encoding', 'accept-encoding'] as const;

/**
 * Headers of the service's answer that the browser needs. Everything else is left out: headers of the connection, cookies,
 * and policies that are the integrator's to set.
 */
const responseHeaders = [
  'content-type',
  'content-encoding',
  'content-length',
  'retry-after',
  'x-request-id',
] as const;

/** The headers to call the service with. */
export function forwardedHeaders(request: Request): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of requestHeaders) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}

/**
 * Streams the service's answer to the browser as it comes, byte by byte, errors too. When the service breaks off, so does
 * the answer to the browser; when the browser leaves, so does the call.
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
    // The head is sent, so nothing more can be said: the pipeline has closed both sides.
  }
}
