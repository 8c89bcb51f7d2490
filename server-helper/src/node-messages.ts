import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { alreadyParsed } from './request-body.ts';

/** Returns the path of a Node request's URL, without the query. */
export function pathOf(url: string | undefined): string {
  return url?.replace(/\?.*$/s, '') ?? '';
}

/**
 * Returns a Node request as a web request whose signal is aborted when the browser disconnects. Its body is read
 * only when it is needed.
 */
export function toRequest(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const browser = new AbortController();
  const leave = () => browser.abort(new Error('The browser disconnected'));
  outgoing.once('close', leave);
  if (outgoing.destroyed) leave();
  const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
  // The host is not used. The path can be any text, e.g. `//`, which is not a valid URL.
  return new Request(`http://localhost/${fullPathOf(incoming).replace(/^\/+/, '')}`, {
    method: incoming.method ?? 'GET',
    headers: headersOf(incoming),
    signal: browser.signal,
    ...(hasBody ? { body: bodyOf(incoming), duplex: 'half' } : {}),
  });
}

/** Whether the web's `Request` supports the method. */
export function isRequestMethod(method: string | undefined): boolean {
  return method !== undefined && !['CONNECT', 'TRACE', 'TRACK'].includes(method.toUpperCase());
}

/** Sends a web response. Resolves also if the browser disconnects. */
export async function sendResponse(
  response: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (outgoing.destroyed) return;
  outgoing.statusCode = response.status;
  setHeaders(response, outgoing);
  // Closes the connection instead of reading the rest of the body.
  if (response.status === 413 && !incoming.complete) outgoing.setHeader('Connection', 'close');
  try {
    if (response.body === null) outgoing.end();
    else await pipeline(response.body, outgoing);
  } catch {
    // The headers are already sent, so no error can be reported. The pipeline has closed both sides.
  }
}

/** Sets a web response's headers, and keeps earlier values of `Vary`. */
export function setHeaders(response: Response, outgoing: ServerResponse): void {
  for (const [name, value] of response.headers) {
    const earlier = name === 'vary' ? outgoing.getHeader(name) : undefined;
    outgoing.setHeader(name, earlier === undefined ? value : [earlier, value].flat().join(', '));
  }
}

/** Returns the path with the mount path, which Express removes from `url`, and with the query. */
function fullPathOf(incoming: IncomingMessage & { originalUrl?: unknown }): string {
  const { originalUrl } = incoming;
  return typeof originalUrl === 'string' ? originalUrl : (incoming.url ?? '');
}

function headersOf({ headers }: IncomingMessage): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith(':')) result.set(name, [value].flat().join(', '));
  }
  return result;
}

function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  // Body parsers put their result in `body`.
  const isParsed = incoming.readableDidRead || ('body' in incoming && incoming.body !== undefined);
  // Destroying the request would close the connection before the response is sent.
  const chunks: AsyncIterator<Uint8Array> = incoming.iterator({ destroyOnReturn: false });
  return new ReadableStream(
    {
      async pull(controller) {
        if (isParsed) throw alreadyParsed();
        const chunk = await chunks.next();
        if (chunk.done === true) controller.close();
        else controller.enqueue(chunk.value);
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    // Reads nothing before the body is needed.
    { highWaterMark: 0 },
  );
}
