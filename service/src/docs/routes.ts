import { readFileSync } from 'node:fs';
import type { Kind } from '@connector-auth/connectors/kind';
import { Router } from 'express';
import { html, type Html } from '../http/html.ts';
import { errorsPage, httpPage } from './http-page.ts';
import { kindPage } from './kind-page.ts';
import { page, sendPage } from './page.ts';

/** Serves the reference under `/docs`. Renders each page once, from the contract and the connector kinds. */
export function mountDocs(kinds: readonly Kind[]): Router {
  const router = Router();
  const style = readFileSync(new URL('style.css', import.meta.url), 'utf8');
  const pages = new Map<string, string>([
    ['/docs', page('Reference', startPage(kinds), kinds)],
    ['/docs/http', page('HTTP API', httpPage(), kinds)],
    ['/docs/errors', page('Errors', errorsPage(), kinds)],
    ...kinds.map((kind): [string, string] => [
      `/docs/kinds/${kind.key}`,
      page(kind.name, kindPage(kind), kinds),
    ]),
  ]);
  router.get('/docs/style.css', (_request, response) => {
    response.locals['route'] = '/docs/style.css';
    response.set('Cache-Control', 'public, max-age=3600').type('css').send(style);
  });
  for (const [path, text] of pages) {
    router.get(path, (_request, response) => {
      response.locals['route'] = path;
      sendPage(response, text);
    });
  }
  return router;
}

function startPage(kinds: readonly Kind[]): Html {
  return html`
    <p class="lead">Available sources with their entities, actions and fields.</p>
    <ul class="kinds">
      ${kinds.map(
        ({ key, name, description }) =>
          html`<li>
            <a href="/docs/kinds/${key}"
              ><img src="/icons/${key}.svg" alt="" width="40" height="40" /><span>${name}</span></a
            >
            <p>${description}</p>
          </li>`,
      )}
    </ul>
    <p>
      See also the <a href="/docs/http">HTTP API</a> for all endpoints and
      <a href="/docs/errors">Errors</a> for all error codes.
    </p>
  `;
}
