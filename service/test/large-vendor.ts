import { once } from 'node:events';
import { createServer } from 'node:http';

/** A vendor whose list of notes has any size. Start it in place of the sandbox. */
export interface LargeVendor {
  readonly url: string;
  /** Sizes of the responses that were sent completely. */
  readonly sent: readonly number[];
  close(): Promise<void>;
}

/**
 * Starts a vendor that sends notes in the format of Granola: one for a page of one note, otherwise `bytes` of
 * them.
 * @param options.isChunked omits `Content-Length`.
 */
export async function startLargeVendor(
  bytes: number,
  { isChunked = false }: { readonly isChunked?: boolean } = {},
): Promise<LargeVendor> {
  const one = pageOf(1);
  const large = pageOf(Math.ceil(bytes / (one.length - pageOf(0).length)));
  const sent: number[] = [];
  const server = createServer((request, response) => {
    const body = /page_size=1(?!\d)/.test(request.url ?? '') ? one : large;
    response.setHeader('Content-Type', 'application/json');
    if (!isChunked) response.setHeader('Content-Length', body.length);
    response.once('finish', () => sent.push(body.length));
    response.write(body.subarray(0, 1000));
    response.end(body.subarray(1000));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    sent,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function pageOf(count: number): Buffer {
  const person = { name: 'Ada Lovelace', email: 'ada@example.com' };
  const notes = Array.from({ length: count }, (_, index) => ({
    id: `not_${String(index).padStart(14, '0')}`,
    object: 'note',
    title: 'Weekly planning – café, budget and next steps',
    owner: person,
    created_at: '2026-01-05T10:00:00.000Z',
    updated_at: '2026-01-05T11:00:00.000Z',
  }));
  return Buffer.from(JSON.stringify({ notes, hasMore: false, cursor: null }));
}
