import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ConnectorAuthError, toProblem } from '@connector-auth/api';
import { onTestFinished } from 'vitest';

/** A request that the service received. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * Mints tokens `app-1`, `app-2` …, `scoped-<customer>-1` … and `widget-<customer>-1` …; {@link respond}
 * handles all other requests.
 */
export class FakeService {
  readonly applicationTokenRequests: SeenRequest[] = [];
  readonly scopedTokenRequests: SeenRequest[] = [];
  readonly widgetTokenRequests: SeenRequest[] = [];
  /** All requests except those for tokens. */
  readonly requests: SeenRequest[] = [];
  readonly rejectedTokens = new Set<string>();
  rejectsApplication = false;
  /** The path of a default setting that is rejected. */
  rejectedDefault: string | null = null;
  tokenLifetimeSeconds = 1200;
  respond: (request: SeenRequest, response: ServerResponse) => void = emptyResult;
  readonly #server: Server;
  readonly #arrivals: { count: number; resolve: () => void }[] = [];

  constructor() {
    this.#server = createServer((incoming, response) => {
      void (async () => {
        const { method = '', url: path = '', headers } = incoming;
        this.#handle({ method, path, headers, body: await text(incoming) }, response);
      })();
    });
  }

  /** Starts the service; it stops when the test ends. */
  async start(): Promise<this> {
    onTestFinished(() => this.stop());
    return this.listen();
  }

  /** Starts the service until {@link stop}. */
  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  /** Removes the requests and the response of an earlier test. */
  reset(): void {
    for (const list of [this.requests, this.scopedTokenRequests, this.widgetTokenRequests]) list.length = 0;
    this.respond = emptyResult;
  }

  get baseUrl(): string {
    // A server that listens on a port has an AddressInfo.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when `count` requests have arrived, not counting those for tokens. */
  received(count: number): Promise<void> {
    if (this.requests.length >= count) return Promise.resolve();
    return new Promise(resolve => {
      this.#arrivals.push({ count, resolve });
    });
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #handle(request: SeenRequest, response: ServerResponse): void {
    const bearer = request.headers.authorization?.slice('Bearer '.length) ?? '';
    if (request.path.endsWith('/applications/token')) {
      this.applicationTokenRequests.push(request);
      if (this.rejectsApplication) return problem(response, 401, 'client_credentials_invalid');
      const access_token = `app-${this.applicationTokenRequests.length}`;
      const organization_id = '0c1f2e3d-4a5b-4c6d-8e7f-9a0b1c2d3e4f';
      return json(response, { access_token, token_type: 'bearer', expires_in: 900, organization_id });
    }
    if (this.rejectedTokens.has(bearer)) {
      if (!request.path.includes('-token')) this.requests.push(request);
      return problem(response, 401, 'token_expired');
    }
    for (const [kind, list] of [
      ['scoped', this.scopedTokenRequests],
      ['widget', this.widgetTokenRequests],
    ] as const) {
      if (!request.path.endsWith(`/${kind}-token`)) continue;
      list.push(request);
      if (this.rejectedDefault !== null) {
        const issue = { path: this.rejectedDefault, message: 'Too large' };
        const error = ConnectorAuthError.invalid('invalid_credentials', [issue]);
        response.writeHead(error.status, { 'content-type': 'application/problem+json' });
        response.end(JSON.stringify(toProblem(error, 'req-1')));
        return;
      }
      // All requests in these tests are JSON objects.
      const { customer_name, allowed_origin } = JSON.parse(request.body) as Record<string, unknown>;
      const token = `${kind}-${String(customer_name)}-${list.length}`;
      return json(response, {
        token,
        token_type: 'bearer',
        expires_in: this.tokenLifetimeSeconds,
        customer_name,
        allowed_origin,
      });
    }
    this.requests.push(request);
    for (const { count, resolve } of this.#arrivals) if (this.requests.length >= count) resolve();
    this.respond(request, response);
  }
}

function emptyResult(_request: SeenRequest, response: ServerResponse): void {
  json(response, { result: [], connector_metadata: null });
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Responds with problem details. */
export function problem(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/problem+json', 'x-request-id': 'req-1', ...headers })
    .end(
      JSON.stringify({
        type: `urn:x:${code}`,
        title: code,
        status,
        detail: 'What to do',
        code,
        request_id: 'req-1',
      }),
    );
}
