import type { Response } from 'express';
import { html, type Html } from '../http/html.ts';

/** Returns the head of a page that continues without a click. A redirect would be blocked by the policy of the form before it. */
export function refreshTo(target: string): Html {
  return html`<meta http-equiv="refresh" content="0; url=${target}" />`;
}

/** Shows that the browser loads the page that follows, with a link if that takes long. The style needs the class `leaving`. */
export function leaving(title: Html, target: string, label: Html | string): Html {
  return html`<span class="spinner"></span>
    <h1>${title}</h1>
    <a class="button" href="${target}">${label}</a>`;
}

/** Redirects the browser, without its referrer. Keeps `window.opener`. */
export function redirectTo(response: Response, location: string): void {
  response
    .status(303)
    .set({
      Location: location,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'unsafe-none',
    })
    .end();
}
