import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { stringifyJson } from '../src/index.ts';

/** A request that the service received. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly response: ServerResponse;
}

/** A scripted response. `drop` closes the connection without a response, and `hang` never responds. */
export type Reply =
  | { status?: number; headers?: Record<string, string>; json?: unknown; body?: string }
  | 'drop'
  | 'hang';

/** A real HTTP server that responds as scripted and records its requests. */
export interface ScriptedService extends AsyncDisposable {
  readonly baseUrl: string;
  /** All requests except those for an application token. */
  readonly requests: readonly SeenRequest[];
  readonly tokenRequests: readonly SeenRequest[];
  /** Resolves when `count` requests have arrived, not counting those for tokens. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
}

export const application = { clientId: 'client-1', clientSecret: 'secret-do-not-log' };
export const organizationId = '0c1f2e3d-4a5b-4c6d-8e7f-9a0b1c2d3e4f';

/**
 * Starts a service that mints application tokens `app-1`, `app-2` … and handles all other requests with
 * `script`.
 * @param token overrides the response to a request for an application token.
 */
export async function startService(
  script: (request: SeenRequest, index: number) => Reply | Promise<Reply>,
  token: (request: SeenRequest, index: number) => Reply | Promise<Reply> = applicationToken,
): Promise<ScriptedService> {
  const requests: SeenRequest[] = [];
  const tokenRequests: SeenRequest[] = [];
  const arrivals: { count: number; resolve: () => void }[] = [];

  const server = createServer((incoming, response) => {
    void (async () => {
      const { method = '', url: path = '', headers } = incoming;
      const request = { method, path, headers, body: await text(incoming), response };
      const isToken = path === '/api/v1/account/applications/token';
      const list = isToken ? tokenRequests : requests;
      list.push(request);
      for (const arrival of arrivals) if (requests.length >= arrival.count) arrival.resolve();
      send(response, await (isToken ? token : script)(request, list.length - 1));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function close(): Promise<void> {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
  return {
    // A server that listens on a port has an AddressInfo.
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    tokenRequests,
    received(count) {
      if (requests.length >= count) return Promise.resolve();
      return new Promise(resolve => arrivals.push({ count, resolve }));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The default response to a request for an application token. */
export function applicationToken(_request: SeenRequest, index: number, expiresInSeconds = 900): Reply {
  return {
    json: {
      access_token: `app-${index + 1}`,
      token_type: 'bearer',
      expires_in: expiresInSeconds,
      organization_id: organizationId,
    },
  };
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === 'hang') return;
  if (reply === 'drop') {
    response.destroy();
    return;
  }
  const body = reply.json === undefined ? (reply.body ?? '') : stringifyJson(reply.json);
  response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
  response.end(body);
}
