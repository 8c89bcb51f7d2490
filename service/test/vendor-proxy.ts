import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

/** A proxy in front of the sandbox that can withhold requests or responses, or replace responses. */
export interface VendorProxy {
  readonly url: string;
  /**
   * Withholds the next request whose path ends with `pathEnd`, or the response to it. If the request is
   * withheld, the vendor never receives it. Resolves when the request or response has been withheld.
   */
  hold(pathEnd: string, what: 'request' | 'answer'): Promise<void>;
  /** Replaces the next response for a path that ends with `pathEnd`, based on the vendor's own JSON. */
  replace(pathEnd: string, answer: (own: Record<string, unknown>) => Replacement): void;
  close(): Promise<void>;
}

export interface Replacement {
  readonly status?: number;
  readonly contentType?: string;
  readonly body: string;
}

interface Hold {
  readonly pathEnd: string;
  readonly what: 'request' | 'answer';
  readonly held: () => void;
}

interface Substitution {
  readonly pathEnd: string;
  readonly answer: (own: Record<string, unknown>) => Replacement;
}

/** Starts a proxy that forwards requests to `target`. */
export async function startVendorProxy(target: string): Promise<VendorProxy> {
  let hold: Hold | null = null;
  let substitution: Substitution | null = null;
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const mine = hold !== null && path.endsWith(hold.pathEnd) ? hold : null;
    if (mine !== null) hold = null;
    if (mine?.what === 'request') return mine.held();
    const instead = substitution !== null && path.endsWith(substitution.pathEnd) ? substitution : null;
    if (instead !== null) substitution = null;
    pass(target, request, response, { hold: mine, substitution: instead });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    hold: (pathEnd, what) => new Promise(resolve => (hold = { pathEnd, what, held: resolve })),
    replace: (pathEnd, answer) => {
      substitution = { pathEnd, answer };
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function pass(
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
  { hold, substitution }: { hold: Hold | null; substitution: Substitution | null },
): void {
  const { method, headers } = request;
  const onward = forward(`${target}${request.url}`, { method, headers }, answer => {
    if (hold !== null) {
      answer.resume().once('end', hold.held);
    } else if (substitution !== null) {
      void sendInstead(substitution, answer, response);
    } else {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    }
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}

async function sendInstead(
  { answer: instead }: Substitution,
  answer: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // The responses that tests replace are JSON objects.
  const own = (await json(answer)) as Record<string, unknown>;
  const { status = 200, contentType = 'application/json', body } = instead(own);
  response.writeHead(status, { 'content-type': contentType }).end(body);
}
