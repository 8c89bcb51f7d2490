import type { IncomingHttpHeaders } from 'node:http';

/**
 * Checks the `Referer` to determine whether a request is a top-level navigation from a page on this origin.
 * Pages on other origins cannot forge that header. Bookmarks, links in emails and pages with `no-referrer` do
 * not send it.
 */
export function comesFrom(origin: string | null, headers: IncomingHttpHeaders): boolean {
  const { referer } = headers;
  if (origin === null || referer === undefined || !URL.canParse(referer)) return false;
  return isNavigation(headers) && new URL(referer).origin === origin;
}

/**
 * Returns whether a request submits a form from a page on this origin. Unlike a link, a form submission cannot
 * be sent to another person, and browsers send `Origin` even if the page's referrer policy hides the referrer of links.
 */
export function isFormFrom(origin: string | null, headers: IncomingHttpHeaders): boolean {
  return origin !== null && isNavigation(headers) && headers.origin === origin;
}

/** Returns whether a request submits a form from one of the service's own pages. */
export function isOwnForm(ownOrigin: string, headers: IncomingHttpHeaders): boolean {
  if (!isNavigation(headers)) return false;
  const site = headers['sec-fetch-site'];
  // Browsers that do not support Sec-Fetch-Site (Safari before 16.4) send Origin when submitting a form.
  return site === undefined ? headers.origin === ownOrigin : site === 'same-origin';
}

/** Returns whether a script of one of the service's own pages sends a request. */
export function isOwnFetch(ownOrigin: string, headers: IncomingHttpHeaders): boolean {
  const { origin, 'sec-fetch-site': site = 'same-origin', 'sec-fetch-mode': mode = 'cors' } = headers;
  return origin === ownOrigin && site === 'same-origin' && mode !== 'navigate';
}

/**
 * Returns false for images, frames, fetches and prefetches. Accepts requests without fetch metadata headers,
 * which older browsers do not send.
 */
function isNavigation(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': destination = 'document' } = headers;
  const isPrefetch = headers['sec-purpose'] !== undefined || headers['purpose'] === 'prefetch';
  return mode === 'navigate' && destination === 'document' && !isPrefetch;
}
