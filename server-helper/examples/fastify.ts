import { connectorAuth } from '@connector-auth/server-helper/fastify';
import fastify, { type FastifyRequest } from 'fastify';
import { options } from './options.ts';
import { customerOf } from './session.ts';

const connect = connectorAuth({
  ...options,
  resolveCustomer: (request: FastifyRequest) => customerOf(request),
});
await fastify()
  .register(connect, { prefix: '/connector-auth' })
  .listen({ port: Number(process.env.PORT ?? 3000) });
