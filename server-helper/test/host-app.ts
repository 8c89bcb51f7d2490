import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import express, { type Express } from 'express';
import { request, type Dispatcher } from 'undici';
import { onTestFinished } from 'vitest';
import { connectorAuth, type ConnectorAuthOptions } from '../src/index.ts';
import type { FakeService } from './fake-service.ts';

export const pageOrigin = 'https://app.example.com';
export const clientSecret = 'secret-do-not-log';

export const id = '7d9f3a52-1c6e-4c0b-9a53-0a6f6b1d8d11';
export const executePath = `/connectors/${id}/execute`;
export const list = JSON.stringify({ entity: 'notes', action: 'list' });
export const json = { 'content-type': 'application/json' };

/** Request headers. Undefined headers are not sent. */
export interface PageRequest {
  readonly headers?: Record<string, string | undefined>;
  readonly body?: string | Buffer | Readable;
  readonly signal?: AbortSignal;
}

/** An integrator's app with the router at `/connector-auth`; the cookie names the customer. */
export class HostApp {
  /** Errors that reached the app's own error handler. */
  readonly errors: unknown[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(
    options: Partial<ConnectorAuthOptions> & { baseUrl: string },
    prepare: (app: Express) => void = () => {},
  ): Promise<HostApp> {
    const app = express();
    prepare(app);
    app.use(
      '/connector-auth',
      connectorAuth({
        clientId: 'client-1',
        clientSecret,
        allowedOrigins: [pageOrigin, 'http://localhost:5173'],
        resolveCustomer: ({ headers }) => headers.cookie?.replace('customer=', '') ?? null,
        // Without a hook, the helper logs problems.
        onError: () => {},
        ...options,
      }),
    );
    const host = new HostApp(createServer(app));
    app.use(
      (
        error: unknown,
        _request: express.Request,
        response: express.Response,
        _next: express.NextFunction,
      ) => {
        host.errors.push(error);
        response.status(500).end('the app’s own error page');
      },
    );
    host.#server.listen(0, '127.0.0.1');
    await once(host.#server, 'listening');
    return host;
  }

  get url(): string {
    // A server that listens on a port has an AddressInfo.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/connector-auth`;
  }

  /** Sends a request from the integrator's page as `acme`. `headers` can override the origin and cookie. */
  async fetch(
    method: Dispatcher.HttpMethod,
    path: string,
    { headers = {}, ...rest }: PageRequest = {},
  ): Promise<Dispatcher.ResponseData> {
    const all = { origin: pageOrigin, cookie: 'customer=acme', ...headers };
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return request(`${this.url}${path}`, { method, headers: Object.fromEntries(sent), ...rest });
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Starts an integrator's app that calls this service; it stops when the test ends. */
export async function startHost(
  service: FakeService,
  options: Partial<ConnectorAuthOptions> = {},
  prepare?: (app: Express) => void,
): Promise<HostApp> {
  const host = await HostApp.start({ baseUrl: service.baseUrl, ...options }, prepare);
  onTestFinished(() => host.stop());
  return host;
}

/** Executes {@link list}, or the given body, on the connector. */
export function execute(host: HostApp, request: PageRequest = {}): Promise<Dispatcher.ResponseData> {
  return host.fetch('POST', executePath, {
    body: list,
    ...request,
    headers: { ...json, ...request.headers },
  });
}
