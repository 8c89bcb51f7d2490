import type { Kind } from '@connector-auth/connectors/kind';
import type { Response } from 'express';
import { html, type Html } from '../http/html.ts';

/** Renders a reference page with its navigation. */
export function page(title: string, content: Html, kinds: readonly Kind[]): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Connector Auth reference</title>
        <link rel="stylesheet" href="/docs/style.css" />
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header>
          <a class="brand" href="/docs">Connector Auth</a>
          <nav aria-label="Reference">
            <a href="/docs/http">HTTP API</a>
            <a href="/docs/errors">Errors</a>
            ${kinds.map(({ key, name }) => html`<a href="/docs/kinds/${key}">${name}</a>`)}
            <a href="/openapi.json">OpenAPI</a>
          </nav>
        </header>
        <main id="content" tabindex="-1">
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`.toString();
}

/** Renders a table that scrolls horizontally on narrow screens. */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(column => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          cells =>
            html`<tr>
              ${cells.map((cell, index) => (index === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Sends a page with a content security policy that forbids scripts and resources from other origins. */
export function sendPage(response: Response, text: string): void {
  response
    .set(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    .set('Cache-Control', 'no-cache')
    .type('html')
    .send(text);
}
