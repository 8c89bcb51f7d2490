import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A site that serves the widget on one page, the baselines (see widget.bench.ts) on others, and a fake service
 * without latency.
 */
export interface Site {
  readonly url: string;
  /** The requested paths, excluding the page itself. */
  readonly requestedPaths: string[];
  readonly close: () => void;
}

/** The names of the pages, with the tags that they contain. */
const tags = {
  widget: '<connector-auth token-url="/token"></connector-auth>',
  floor: '<floor-list></floor-list>',
  window: '<window-list></window-list>',
};
type PageName = keyof typeof tags;

/**
 * Serves the scripts. `/widget?sources=600` shows a catalog with 600 sources; `&icons=off` omits icons.
 */
export async function startSite(scripts: Readonly<Record<PageName, string>>): Promise<Site> {
  const requestedPaths: string[] = [];
  let sources = 20;
  let icons = true;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, name, isScript] = /^\/(\w+)(\.js)?$/.exec(url.pathname) ?? [];
    if (isPageName(name) && !isScript) {
      sources = Number(url.searchParams.get('sources') ?? 20);
      icons = url.searchParams.get('icons') !== 'off';
      send(response, 'text/html', page(name));
      return;
    }
    requestedPaths.push(url.pathname);
    if (isPageName(name)) send(response, 'text/javascript', scripts[name]);
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

function isPageName(name: string | undefined): name is PageName {
  return name !== undefined && name in tags;
}

function page(name: PageName): string {
  return `<!doctype html><meta charset="utf-8"><title>Measured</title><link rel="icon" href="data:,"><script src="/${name}.js" defer></script>${tags[name]}`;
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
