import { Readable } from 'node:stream';

/** A response to a page. Each framework's wrapper sends it in the framework's own form. */
export interface PageResponse {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Readable | null;
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
