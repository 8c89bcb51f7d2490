import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

const definition = {
  sourceDefinitionId: 'def-granola',
  name: 'Granola',
  iconUrl: '',
  supportLevel: 'certified',
  connectorType: 'granola',
  description: 'Meeting notes',
};
const schema = {
  type: 'object',
  required: ['api_key'],
  properties: { api_key: { type: 'string', title: 'API key' } },
};
const method = {
  id: 'api_key',
  type: 'credentials',
  title: 'API key',
  description: null,
  help_url: null,
  schema,
};

/** The fake service's responses by path: the minimum that the widget needs to show a form. */
const answers: Record<string, unknown> = {
  '/api/v1/integrations/definitions/sources': { definitions: [definition] },
  '/api/v1/integrations/definitions/sources/def-granola': {
    ...definition,
    auth_methods: [method],
    replication_schema: null,
  },
  '/api/v1/integrations/connectors': { data: [], meta: { cursor: null, has_more: false } },
};

/** The strictest Content-Security-Policy that the widget works with. */
export const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "require-trusted-types-for 'script'",
].join('; ');

/** A static file server that also serves a fake service. */
export interface Host {
  readonly url: string;
  close(): void;
}

/**
 * Serves files from the first folder that contains them. `edit` can modify a response. Like a CDN, allows
 * other origins to load files.
 */
export async function serve(
  folders: readonly string[],
  options: { policy?: string | null; edit?: (path: string, text: string) => string } = {},
): Promise<Host> {
  const { policy: contentPolicy = policy, edit = (_path, text) => text } = options;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    // A server listening on a port has an AddressInfo.
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    if (pathname === '/token') return answerJson(response, { token: 't', expires_in: 600, service_url: url });
    if (pathname in answers) return answerJson(response, answers[pathname]);
    const path = pathname === '/' ? '/index.html' : pathname;
    const text = folders.map(folder => readText(join(folder, path))).find(found => found !== null);
    if (text === undefined) return response.writeHead(404).end();
    response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream');
    response.setHeader('access-control-allow-origin', '*');
    if (contentPolicy !== null) response.setHeader('content-security-policy', contentPolicy);
    return response.end(edit(path, text ?? ''));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answerJson(response: ServerResponse, body: unknown): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
