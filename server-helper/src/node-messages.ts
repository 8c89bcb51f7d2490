import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { PageRequest, PageResponse } from './page.ts';

/** Without a reason, every request would create an error with its stack when its response is closed. */
const responseClosed = 'The browser disconnected, or the app responded';

/**
 * Returns what the helper reads of a Node request, without the cost of a web request. Its signal is aborted when the
 * response is closed: at its end, and before that if the browser disconnects or the app itself responds. Its body is
 * read only when it is needed.
 */
export function toRequest(incoming: IncomingMessage, outgoing: ServerResponse): PageRequest {
  const browser = new AbortController();
  const leave = (): void => browser.abort(responseClosed);
  if (outgoing.destroyed) leave();
  else outgoing.once('close', leave);
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

/**
 * Sends a response, unless the browser has left or the app has responded. Closes the connection if the body fails,
 * because the headers are then already sent.
 */
export function sendResponse(
  { status, headers, body }: PageResponse,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const stream = body instanceof Readable ? body : null;
  if (outgoing.destroyed || outgoing.headersSent) {
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
  if (stream !== null) stream.pipe(outgoing);
  else outgoing.end(body);
}

/** Sets a response's headers, and keeps earlier values of `Vary`. */
export function setHeaders(headers: PageResponse['headers'], outgoing: ServerResponse): void {
  for (const [name, value] of Object.entries(headers)) {
    const earlier = name === 'vary' ? outgoing.getHeader(name) : undefined;
    outgoing.setHeader(name, earlier === undefined ? value : [earlier, value].flat().join(', '));
  }
}
