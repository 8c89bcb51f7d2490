import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';

/** A proxy before the sandbox that can keep back what goes through it, as a network does. */
export interface WayToVendors {
  readonly url: string;
  /**
   * Keeps back the next exchange whose path ends so: its request (the vendor never hears of it), or only its answer (the vendor has
   * acted). Resolves when it is kept back.
   */
  hold(pathEnd: string, what: 'request' | 'answer'): Promise<void>;
  close(): Promise<void>;
}

interface Hold {
  readonly pathEnd: string;
  readonly what: 'request' | 'answer';
  readonly held: () => void;
}

/** Opens a way to this address. */
export async function openWay(target: string): Promise<WayToVendors> {
  let hold: Hold | null = null;
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const mine = hold !== null && path.endsWith(hold.pathEnd) ? hold : null;
    if (mine !== null) hold = null;
    if (mine?.what === 'request') return mine.held();
    pass(target, request, response, mine);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The system gave no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    hold: (pathEnd, what) => new Promise(resolve => (hold = { pathEnd, what, held: resolve })),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function pass(target: string, request: IncomingMessage, response: ServerResponse, hold: Hold | null): void {
  const { method, headers } = request;
  const onward = forward(`${target}${request.url}`, { method, headers }, answer => {
    if (hold !== null) {
      answer.resume().once('end', hold.held);
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}
