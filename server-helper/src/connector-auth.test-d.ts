/** Type tests, checked by the compiler only. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { ConnectorAuthError } from '@connector-auth/api';
import express, { type Request as ExpressRequest, type RequestHandler } from 'express';
import fastify, { type FastifyRequest } from 'fastify';
import { Hono, type Context } from 'hono';
import { expectTypeOf } from 'vitest';
import { connectorAuth as forFastify } from './fastify.ts';
import { connectorAuth as forHono } from './hono.ts';
import {
  connectorAuth,
  createConnectorAuth,
  type ConnectorAuthOptions,
  type HelperOptions,
} from './index.ts';
import { connectorAuth as forNext } from './next.ts';
import { connectorAuth as forNode } from './node.ts';

declare const options: ConnectorAuthOptions;
type Options = Omit<HelperOptions<unknown>, 'resolveCustomer' | 'resolveUser' | 'onError'>;
declare const most: Options;

expectTypeOf(connectorAuth(options)).toExtend<RequestHandler>();
expectTypeOf<ConnectorAuthOptions[keyof ConnectorAuthOptions]>().not.toBeAny();

// Each server's own request is inferred.
express().use(
  connectorAuth({
    ...most,
    resolveCustomer: request => {
      expectTypeOf(request).toEqualTypeOf<ExpressRequest>();
      return null;
    },
    onError: (problem, request) => {
      expectTypeOf(problem).toEqualTypeOf<ConnectorAuthError>();
      expectTypeOf(request).toEqualTypeOf<ExpressRequest>();
    },
    onToken: issued =>
      expectTypeOf(issued).toEqualTypeOf<{ readonly customer: string; readonly origin: string }>(),
  }),
);
const { handler } = createConnectorAuth({
  ...most,
  resolveCustomer: request => {
    expectTypeOf(request).toEqualTypeOf<Request>();
    return null;
  },
});
expectTypeOf(handler).toEqualTypeOf<(request: Request) => Promise<Response>>();
createServer(
  forNode({
    ...most,
    resolveCustomer: request => {
      expectTypeOf(request).toExtend<IncomingMessage>();
      return null;
    },
  }),
);
expectTypeOf(forNode({ ...most, resolveCustomer: () => null })).toExtend<RequestListener>();
new Hono().all(
  '/*',
  forHono({ ...most, resolveCustomer: (context: Context) => context.req.header('x') ?? null }),
);
void fastify().register(
  forFastify({ ...most, resolveCustomer: (request: FastifyRequest) => request.headers.cookie ?? null }),
);

/** A framework's request that has more than a web request, like Next's. */
interface NextRequest extends Request {
  readonly cookies: { get: (name: string) => { value: string } | undefined };
}
const next = forNext({
  ...most,
  resolveCustomer: (request: NextRequest) => request.cookies.get('session')?.value,
});
expectTypeOf(next.POST).toEqualTypeOf<(request: NextRequest) => Promise<Response>>();

// Allowed origins.
connectorAuth({ ...options, allowedOrigins: origin => origin.endsWith('.example.com') });
connectorAuth({ ...options, allowedOrigins: async origin => Promise.resolve(origin === '') });
// @ts-expect-error A single origin is not a list.
connectorAuth({ ...options, allowedOrigins: 'https://app.example.com' });
// @ts-expect-error The function returns true or false.
connectorAuth({ ...options, allowedOrigins: origin => origin });
// @ts-expect-error Unknown action.
void connectorAuth({ ...options, allowedActions: ['delete'] });
// @ts-expect-error Unknown management right.
void connectorAuth({ ...options, allowedManagement: ['destroy'] });
void connectorAuth({
  ...options,
  access: 'read',
  replicationDefaults: { 'google-ads': { api_version: 'v25' } },
});
// @ts-expect-error Unknown access.
void connectorAuth({ ...options, access: 'admin' });
// @ts-expect-error A customer name is a string.
void connectorAuth({ ...options, resolveCustomer: () => 7 });
void connectorAuth({ ...options, resolveCustomer: () => ({ name: 'acme', displayName: 'Acme Inc.' }) });
// @ts-expect-error A display name alone identifies no customer.
void connectorAuth({ ...options, resolveCustomer: () => ({ displayName: 'Acme Inc.' }) });
void connectorAuth({ ...options, signInUrl: returnTo => `/login?next=${returnTo}` });
// @ts-expect-error A fixed URL cannot return to the link.
void connectorAuth({ ...options, signInUrl: '/login' });
// @ts-expect-error Unknown option.
void connectorAuth({ ...options, customer: 'acme' });
// @ts-expect-error The token is not passed to the hook.
void connectorAuth({ ...options, onToken: ({ token }) => token });
