import { Router } from 'express';
import { html } from '../../shared/http/html.ts';
import { packageVersion } from '../../shared/http/openapi.ts';

/**
 * Serves `/` as a page, or as JSON to clients that prefer it: what the service is, and where its reference and console
 * are.
 * @param publicUrl the service's public base URL, without a trailing slash.
 */
export function mountHome(publicUrl: string, { hasConsole }: { readonly hasConsole: boolean }): Router {
  const router = Router();
  const links = {
    docs: { path: 'docs', text: 'Reference', description: 'the HTTP API, every source and every error code' },
    ...(hasConsole
      ? {
          console: {
            path: 'console',
            text: 'Console',
            description: 'organizations, applications, connectors',
          },
        }
      : {}),
    openapi: { path: 'openapi.json', text: 'OpenAPI document', description: 'for generated clients' },
    health: { path: 'readyz', text: 'Health', description: 'whether the service can serve requests' },
  };
  const text = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Connector Auth</title>
        <link rel="icon" href="docs/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="docs/assets/style.css" />
      </head>
      <body>
        <main class="home">
          <h1>Connector Auth</h1>
          <p class="lead">
            The service is running, version ${packageVersion()}. Its URL is <code>${publicUrl}</code>.
          </p>
          <ul>
            ${Object.values(links).map(
              link => html`<li><a href="${link.path}">${link.text}</a>: ${link.description}</li>`,
            )}
          </ul>
        </main>
      </body>
    </html>`.toString();
  const body = {
    service: 'connector-auth',
    version: packageVersion(),
    links: Object.fromEntries(
      Object.entries(links).map(([name, { path }]) => [name, `${publicUrl}/${path}`]),
    ),
  };
  router.get('/', (request, response) => {
    response.locals['route'] = '/';
    response.vary('Accept');
    if (request.accepts('html', 'json') === 'json') response.set('Cache-Control', 'no-cache').json(body);
    else
      response
        .set({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': policy })
        .type('html')
        .send(text);
  });
  return router;
}

/** Allows the style, the icon and nothing else. */
const policy = [
  "default-src 'none'",
  "img-src 'self'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
