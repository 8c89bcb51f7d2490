import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { HelperRequest } from './helper-request.ts';
import type { PageResponse } from './page-response.ts';

/** The responses that the helper itself sends, so that the app no longer can. */
const sentByHelper = new WeakSet<ServerResponse>();

/**
 * Returns what the helper reads of a Node request, without the cost of a web request. Its signal is aborted when the
 * browser disconnects or the app itself responds, and its body is read only when it is needed.
 */
export function toRequest(incoming: IncomingMessage, outgoing: ServerResponse): HelperRequest {
  const browser = new AbortController();
  const leave = (): void => {
    const isSent = outgoing.writableFinished && sentByHelper.has(outgoing);
    if (!isSent) browser.abort(new Error('The browser disconnected, or the app responded'));
  };
  outgoing.once('close', leave);
  if (outgoing.destroyed) leave();
  // Express removes the mount path from `url`.
  const { originalUrl, url = '' }: IncomingMessage & { originalUrl?: unknown } = incoming;
  const path = typeof originalUrl === 'string' ? originalUrl : url;
  return {
    method: incoming.method ?? 'GET',
    // The host is not used. The path can be any text, e.g. `//`, which is not a valid URL.
    url: `http://localhost/${path.replace(/^\/+/, '')}`,
    signal: browser.signal,
    headers: {
      get: name => {
        const value = incoming.headers[name];
        return value === undefined ? null : [value].flat().join(', ');
      },
    },
    get bodyUsed() {
      // Body parsers put their result in `body`.
      return incoming.readableDidRead || ('body' in incoming && incoming.body !== undefined);
    },
    get body() {
      // Destroying the request would close the connection before the response is sent.
      return incoming.iterator({ destroyOnReturn: false });
    },
  };
}

/** Sends a response. Closes the connection if the body fails, because the headers are then already sent. */
export function sendResponse(
  { status, headers, body }: PageResponse,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const stream = body instanceof Readable ? body : null;
  if (!startSending(outgoing)) {
    stream?.destroy();
    return;
  }
  // `pipeline` would create an error with its stack for each response.
  stream?.once('error', () => outgoing.destroy());
  outgoing.once('close', () => stream?.destroy());
  outgoing.statusCode = status;
  setHeaders(headers, outgoing);
  // Closes the connection instead of reading the rest of the body.
  if (status === 413 && !incoming.complete) outgoing.setHeader('Connection', 'close');
  if (body instanceof Readable) body.pipe(outgoing);
  else outgoing.end(body);
}

/** Returns whether the helper may send its response, because the browser still waits and the app has not responded. */
export function startSending(outgoing: ServerResponse): boolean {
  if (outgoing.destroyed || outgoing.headersSent) return false;
  sentByHelper.add(outgoing);
  return true;
}

/** Sets a response's headers, and keeps earlier values of `Vary`. */
export function setHeaders(headers: PageResponse['headers'], outgoing: ServerResponse): void {
  for (const [name, value] of Object.entries(headers)) {
    const earlier = name === 'vary' ? outgoing.getHeader(name) : undefined;
    outgoing.setHeader(name, earlier === undefined ? value : [earlier, value].flat().join(', '));
  }
}
