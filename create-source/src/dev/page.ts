import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { ConnectorAuthError, stringifyJson } from '@connector-auth/api';
import type { Client } from '@connector-auth/api/client';
import type { Kind } from '@connector-auth/connectors/kind';

export interface PageOptions {
  readonly client: Client;
  readonly kind: Kind;
  readonly serviceUrl: string;
  readonly widgetFolder: string | null;
  readonly port: number;
}

const customer = 'developer';

/** Starts the page with the widget, and a search in the records of the source. It listens on this machine only. */
export async function startPage(options: PageOptions): Promise<Server> {
  const server = createServer((request, response) => {
    void answer(request, response, options).catch((error: unknown) => {
      const message = error instanceof ConnectorAuthError ? error.message : 'The request failed';
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'application/json' });
      response.end(stringifyJson({ error: message }));
    });
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: PageOptions,
): Promise<void> {
  const { client, kind, serviceUrl, widgetFolder } = options;
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const send = (body: unknown): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(stringifyJson(body));
  };
  const isLocal = /^(?:localhost|127\.0\.0\.1):\d+$/.test(request.headers.host ?? '');
  if (!isLocal) {
    // Another name for this machine would let a website read the records.
    response.writeHead(403).end();
  } else if (pathname === '/') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html(kind));
  } else if (pathname === '/token' && request.method === 'POST') {
    const origin = request.headers.origin ?? '';
    const { token, expires_in } = await client.tokens.mintWidget({
      customer_name: customer,
      allowed_origin: origin,
    });
    send({ token, expires_in, service_url: serviceUrl });
  } else if (pathname === '/search') {
    const entity = searchParams.get('entity') ?? '';
    const text = searchParams.get('text') ?? '';
    const fields = kind.entities[entity]?.search?.text ?? [];
    const matches = fields.map(field => ({ fuzzy: { [field]: text } }));
    const query = text === '' || matches.length === 0 ? {} : { filter: { or: matches } };
    const {
      data: [connector],
    } = await client.connectors.list({ customer_name: customer });
    send(
      connector === undefined
        ? { error: 'Connect the source first' }
        : await client.execute(connector.id, { entity, action: 'search', params: { query, limit: 20 } }),
    );
  } else {
    sendWidgetFile(response, widgetFolder, pathname);
  }
}

function sendWidgetFile(response: ServerResponse, folder: string | null, pathname: string): void {
  const name = /^\/(connector-auth\.js|languages\/\w+\.js)$/.exec(pathname)?.[1];
  const file = folder === null || name === undefined ? null : join(folder, name);
  if (file === null || !existsSync(file)) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' });
  createReadStream(file).pipe(response);
}

function html({ name, entities }: Kind): string {
  const searchable = Object.entries(entities).filter(([, { search }]) => search !== undefined);
  const entries = searchable.map(([key]) => `<option>${escape(key)}</option>`).join('');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(name)}</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 2rem auto; max-width: 48rem; padding: 0 1rem; }
  form { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 2rem 0 1rem; }
  input { flex: 1 1 12rem; }
  input, select, button { font: inherit; padding: 0.25rem 0.5rem; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.875rem; }
</style>
<h1>${escape(name)}</h1>
<script src="/connector-auth.js" defer></script>
<connector-auth token-url="/token"></connector-auth>
<form>
  <select aria-label="Entity">${entries}</select>
  <input type="search" aria-label="Text" placeholder="All records">
  <button>Search</button>
</form>
<output><pre></pre></output>
<script>
  const [form] = document.forms;
  const [entity, text] = form.elements;
  const output = document.querySelector('pre');
  form.addEventListener('submit', async event => {
    event.preventDefault();
    const query = new URLSearchParams({ entity: entity.value, text: text.value });
    const found = await (await fetch('/search?' + query)).text();
    // Parsing would round long integers.
    output.textContent = found.replaceAll(/},{/g, '},\\n{');
    form.scrollIntoView();
  });
</script>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);
}
