import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import express5 from 'express';
import express4 from 'express-4';
import fastify, { type FastifyRequest } from 'fastify';
import { Hono, type Context } from 'hono';
import { request, type Dispatcher } from 'undici';
import { onTestFinished } from 'vitest';
import { connectorAuth as forFastify } from '../src/fastify.ts';
import { connectorAuth as forHono } from '../src/hono.ts';
import { createConnectorAuth, connectorAuth as forExpress, type HelperOptions } from '../src/index.ts';
import { connectorAuth as forNext } from '../src/next.ts';
import { connectorAuth as forNode } from '../src/node.ts';
import { clientSecret, pageOrigin, type PageRequest } from './host-app.ts';

/** What the tests use of each framework's request: its cookies. */
type Options = Omit<HelperOptions<unknown>, 'resolveCustomer' | 'onError'> & {
  readonly resolveCustomer: (cookie: string | null) => Promise<string | null>;
  readonly onError?: (problem: Error, cookie: string | null) => void;
};

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;
type Start = (options: Options) => Listener | Promise<Listener>;

const mountPath = '/connector-auth';

/** Every supported server, with the helper at {@link mountPath}. */
const servers = {
  'Express 4': options => withExpress(express4(), options),
  'Express 5': options => withExpress(express5(), options),
  Fastify: async options => {
    const app = fastify();
    const plugin = forFastify(adapt(options, ({ headers }: FastifyRequest) => headers.cookie));
    await app.register(plugin, { prefix: mountPath });
    await app.ready();
    return (incoming, outgoing) => app.routing(incoming, outgoing);
  },
  Hono: options => {
    const app = new Hono();
    app.all(`${mountPath}/*`, forHono(adapt(options, (context: Context) => context.req.header('cookie'))));
    return getRequestListener(app.fetch);
  },
  Next: options => {
    const handlers: Partial<Record<string, (request: Request) => Promise<Response>>> = forNext(
      adapt(options, ({ headers }: Request) => headers.get('cookie')),
    );
    return getRequestListener(webRequest => {
      const handler = handlers[webRequest.method];
      return handler === undefined ? new Response(null, { status: 405 }) : handler(webRequest);
    });
  },
  'node:http': options => forNode(adapt(options, ({ headers }: IncomingMessage) => headers.cookie)),
  'web requests': options =>
    getRequestListener(
      createConnectorAuth(adapt(options, ({ headers }: Request) => headers.get('cookie'))).handler,
    ),
} as const satisfies Record<string, Start>;

export type ServerName = keyof typeof servers;

// Object.keys loses the literal types.
export const serverNames = Object.keys(servers) as ServerName[];

function withExpress(app: express5.Express, options: Options): Listener {
  app.use(mountPath, forExpress(adapt(options, ({ headers }: express5.Request) => headers.cookie)));
  app.use(
    (
      _error: unknown,
      _request: express5.Request,
      response: express5.Response,
      _next: express5.NextFunction,
    ) => {
      response.status(500).end('the app’s own error page');
    },
  );
  return app;
}

function adapt<AppRequest>(
  { resolveCustomer, onError, ...options }: Options,
  cookieOf: (appRequest: AppRequest) => string | null | undefined,
): HelperOptions<AppRequest> {
  return {
    ...options,
    resolveCustomer: appRequest => resolveCustomer(cookieOf(appRequest) ?? null),
    ...(onError ? { onError: (problem, appRequest) => onError(problem, cookieOf(appRequest) ?? null) } : {}),
  };
}

export interface RunningServer {
  readonly url: string;
  /** Sends a request from the integrator's page as `acme`. `headers` can override the origin and cookie. */
  readonly fetch: (
    method: Dispatcher.HttpMethod,
    path: string,
    page?: PageRequest,
  ) => Promise<Dispatcher.ResponseData>;
  readonly close: () => Promise<void>;
}

/** Starts a server whose cookie names the customer; it stops when the test ends. */
export async function startServer(...args: Parameters<typeof openServer>): Promise<RunningServer> {
  const server = await openServer(...args);
  onTestFinished(server.close);
  return server;
}

/** Starts a server whose cookie names the customer, until it is closed. */
export async function openServer(
  name: ServerName,
  options: Partial<Options> & { baseUrl: string },
): Promise<RunningServer> {
  const listener = await servers[name]({
    clientId: 'client-1',
    clientSecret,
    allowedOrigins: [pageOrigin, 'https://*.tenants.example.com', 'http://*.localhost:3000'],
    resolveCustomer: cookie => Promise.resolve(cookie?.replace('customer=', '') ?? null),
    ...options,
  });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an AddressInfo.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${mountPath}`;
  return {
    url,
    fetch(method, path, { headers = {}, ...rest } = {}) {
      const all = { origin: pageOrigin, cookie: 'customer=acme', ...headers };
      const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
      return request(`${url}${path}`, { method, headers: Object.fromEntries(sent), ...rest });
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
