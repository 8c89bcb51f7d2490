import { createServer } from 'node:http';
import { connectorAuth } from '@connector-auth/server-helper/node';
import { options } from './options.ts';
import { customerOf } from './session.ts';

const connect = connectorAuth({ ...options, resolveCustomer: request => customerOf(request) });
createServer((request, response) => {
  if (request.url?.startsWith('/connector-auth/')) connect(request, response);
  else response.writeHead(404).end();
}).listen(process.env.PORT ?? 3000);
