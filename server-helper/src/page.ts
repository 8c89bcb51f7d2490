import { Readable } from 'node:stream';
import type { ConnectorAuthError } from '@connector-auth/api';

/** What the helper reads of a page's request. A web request is one. */
export interface PageRequest extends Pick<Request, 'method' | 'url' | 'signal' | 'bodyUsed'> {
  readonly headers: Pick<Headers, 'get'>;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** A response to a page. Each framework's adapter sends it in the framework's own form. */
export interface PageResponse {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Readable | null;
  /** The error that the response reports, if the helper itself responds with one. */
  readonly problem?: ConnectorAuthError;
}

/** Returns the response as a web response. */
export function toWebResponse({ status, headers, body }: PageResponse): Response {
  return new Response(body instanceof Readable ? streamOf(body) : body, { status, headers });
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
