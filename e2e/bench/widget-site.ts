import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A site that serves the widget on one page, the baseline (the floor, see widget.bench.ts) on another, and a
 * fake service without latency.
 */
export interface Site {
  readonly url: string;
  /** The requested paths, excluding the page itself. */
  readonly requestedPaths: string[];
  readonly close: () => void;
}

/**
 * Serves the two scripts. `/widget?sources=600` shows a catalog with 600 sources; `&icons=off` omits icons.
 */
export async function startSite(scripts: { widget: string; floor: string }): Promise<Site> {
  const requestedPaths: string[] = [];
  let sources = 20;
  let icons = true;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname === '/widget' || url.pathname === '/floor') {
      sources = Number(url.searchParams.get('sources') ?? 20);
      icons = url.searchParams.get('icons') !== 'off';
      send(response, 'text/html', page(url.pathname));
      return;
    }
    requestedPaths.push(url.pathname);
    if (url.pathname === '/widget.js') send(response, 'text/javascript', scripts.widget);
    else if (url.pathname === '/floor.js') send(response, 'text/javascript', scripts.floor);
    else if (url.pathname === '/token') {
      sendJson(response, { token: 'token', expires_in: 1200, service_url: `http://${request.headers.host}` });
    } else if (url.pathname.endsWith('/definitions/sources')) {
      sendJson(response, {
        definitions: Array.from({ length: sources }, (_, index) => definition(index, icons)),
      });
    } else if (url.pathname.endsWith('/connectors')) {
      sendJson(response, { data: [], meta: { cursor: null, has_more: false } });
    } else if (url.pathname.startsWith('/icons/')) send(response, 'image/svg+xml', icon);
    else send(response, 'text/plain', '', 404);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server listening on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requestedPaths,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>';

function page(path: string): string {
  const element =
    path === '/floor' ? '<floor-list></floor-list>' : '<connector-auth token-url="/token"></connector-auth>';
  return `<!doctype html><meta charset="utf-8"><title>Measured</title><link rel="icon" href="data:,"><script src="${path}.js" defer></script>${element}`;
}

function definition(index: number, hasIcon: boolean): object {
  return {
    sourceDefinitionId: `def-${index}`,
    name: `Source ${index.toString(36)} of ${index % 7 === 0 ? 'campaigns' : 'conversations'}`,
    iconUrl: hasIcon ? `/icons/${index}.svg` : 'data:,',
    supportLevel: index % 3 === 0 ? 'certified' : 'community',
    connectorType: `source-${index}`,
    description: `What people said and did, number ${index}, with everything that belongs to it`,
  };
}

function sendJson(response: ServerResponse, body: object): void {
  send(response, 'application/json', JSON.stringify(body));
}

function send(response: ServerResponse, type: string, body: string, status = 200): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}
