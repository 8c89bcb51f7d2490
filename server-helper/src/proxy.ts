import type { Readable } from 'node:stream';
import type { RawResponse } from '@connector-auth/api/client';

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

export function forwardedHeaders(request: Request): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of requestHeaders) {
    const value = request.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  return headers;
}

/** Returns the service's response, including an error, with its body as a stream of the same bytes. */
export function forwardResponse({ status, headers, body }: RawResponse): Response {
  const forwarded = new Headers();
  for (const name of responseHeaders) {
    const value = headers[name];
    if (typeof value === 'string') forwarded.set(name, value);
  }
  if (status !== 204) return new Response(streamOf(body), { status, headers: forwarded });
  body.resume();
  return new Response(null, { status, headers: forwarded });
}

/**
 * Returns the bytes as a web stream. Unlike with `Readable.toWeb`, a browser that disconnects between two chunks
 * cannot cause an exception that no caller catches.
 */
function streamOf(body: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const chunk = await chunks.next();
      if (chunk.done === true) controller.close();
      else controller.enqueue(chunk.value);
    },
    cancel() {
      body.destroy();
    },
  });
}
