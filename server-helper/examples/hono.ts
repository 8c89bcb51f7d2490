import { connectorAuth } from '@connector-auth/server-helper/hono';
import { serve } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { options } from './options.ts';
import { customerOf } from './session.ts';

const connect = connectorAuth({
  ...options,
  resolveCustomer: (context: Context) => customerOf(context.req.raw),
});
const app = new Hono().all('/connector-auth/*', connect);
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) });
