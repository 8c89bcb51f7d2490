/** The servers that execute is compared with, each in a process of its own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseJson, stringifyJson } from '@connector-auth/api';
import { Granola } from '@connector-auth/connectors';
import { createTransport, unlimited } from '@connector-auth/connectors/kind';
import express from 'express';
import { Agent, request } from 'undici';
import { connectorAuth } from '../../../server-helper/src/index.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { application } from '../../test/service-process.ts';
import { atEnd } from '../harness.ts';

export type ServerOptions =
  /** Sends the vendor's response on as it is. */
  | { readonly role: 'pass-through'; readonly vendorUrl: string; readonly apiKey: string }
  /** Does only what every execute has to: parses the vendor's response, writes a result, and logs a line. */
  | { readonly role: 'floor'; readonly vendorUrl: string; readonly apiKey: string }
  /** Calls the vendor with the connector in open source mode. */
  | { readonly role: 'open source mode'; readonly sandboxUrl: string; readonly apiKey: string }
  /** Calls the service through the integrator's helper. */
  | { readonly role: 'helper'; readonly serviceUrl: string; readonly customer: string };

export interface RunningServer {
  readonly url: string;
  /** Returns the processor time that the process has used, in seconds. */
  readonly cpuSeconds: () => Promise<number>;
}

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const child = fork(import.meta.filename, [JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  atEnd(() => child.kill());
  // The log is read and discarded.
  child.stdout?.resume();
  // The process sends its URL first, then its processor time for every message.
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    cpuSeconds: async () => {
      const answer = once(child, 'message');
      child.send('cpu');
      const [seconds] = (await answer) as [number];
      return seconds;
    },
  };
}

function handlerOf(options: ServerOptions): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const dispatcher = new Agent({ connections: 100 });
  if (options.role === 'helper') {
    return app.use(
      connectorAuth({
        baseUrl: options.serviceUrl,
        clientId: application.BOOTSTRAP_CLIENT_ID,
        clientSecret: application.BOOTSTRAP_CLIENT_SECRET,
        allowedOrigins: ['http://localhost:1'],
        resolveCustomer: () => options.customer,
      }),
    );
  }
  const { apiKey } = options;
  if (options.role === 'pass-through') {
    const headers = { authorization: `Bearer ${apiKey}` };
    return app.use(async (_request, response) => {
      const { statusCode, body } = await request(options.vendorUrl, { dispatcher, headers });
      response.writeHead(statusCode, { 'content-type': 'application/json' });
      body.pipe(response);
    });
  }
  if (options.role === 'floor') {
    const headers = { authorization: `Bearer ${apiKey}` };
    const log = createLog();
    return app.use(async (_request, response) => {
      const { statusCode, body } = await request(options.vendorUrl, { dispatcher, headers });
      const page = parseJson(await body.text());
      log.info('request', { method: 'GET', route: '/', status: statusCode });
      response.setHeader('content-type', 'application/json').end(Buffer.from(stringifyJson(page)));
    });
  }
  const transport = createTransport({ sandboxUrl: options.sandboxUrl, dispatcher });
  const granola = new Granola({ credentials: { api_key: apiKey }, transport, limiter: unlimited });
  return app.use(async (_request, response) => {
    const page = await granola.notes.list({ page_size: 20 });
    response.setHeader('content-type', 'application/json').end(Buffer.from(stringifyJson(page)));
  });
}

if (import.meta.main) {
  // `startServer` passes the options as JSON.
  const options = JSON.parse(process.argv[2] ?? '') as ServerOptions;
  await serve(options);
  process.on('disconnect', () => process.exit());
}

async function serve(options: ServerOptions): Promise<void> {
  const server = createServer(handlerOf(options)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an AddressInfo.
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.((user + system) / 1e6);
  });
}
