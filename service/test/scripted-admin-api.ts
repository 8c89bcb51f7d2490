import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { stringifyJson } from '@connector-auth/api';
import { onTestFinished } from 'vitest';

/** A request that the scripted API received. */
export interface AdminCall {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** A response of the scripted API. `null` as the body closes the connection without a response. */
export interface Reply {
  readonly status?: number;
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Starts a server that answers with a function, for the time of one test. */
export async function startScriptedApi(
  answer: (call: AdminCall, count: number) => Reply | null,
): Promise<{ url: string; calls: AdminCall[] }> {
  const calls: AdminCall[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://localhost');
    const body = await text(request);
    const call: AdminCall = {
      method: request.method ?? '',
      path: decodeURIComponent(url.pathname),
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: body === '' ? undefined : (JSON.parse(body) as unknown),
    };
    calls.push(call);
    const reply = answer(call, calls.length);
    if (reply === null) {
      request.socket.destroy();
      return;
    }
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.text ?? (reply.body === undefined ? '' : stringifyJson(reply.body)));
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return { url: `http://127.0.0.1:${address.port}`, calls };
}

/** Returns an RFC 9457 problem as the service sends it. */
export function problemReply(status: number, code: string, more: object = {}): Reply {
  const problem = {
    type: `urn:${code}`,
    title: `Title of ${code}`,
    status,
    detail: `Detail of ${code}`,
    code,
  };
  return { status, body: { ...problem, request_id: 'req_1', ...more }, headers: { 'retry-after': '0' } };
}

/** Returns a URL at which nothing listens. */
export async function closedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise(resolve => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return `http://127.0.0.1:${address.port}`;
}
