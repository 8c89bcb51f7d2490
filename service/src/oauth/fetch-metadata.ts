import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request is a top-level navigation from a page of this origin, by its `Referer`. Pages of other
 * origins cannot forge that header. Bookmarks, links in emails and pages with `no-referrer` send none.
 */
export function comesFrom(origin: string | null, headers: IncomingHttpHeaders): boolean {
  const { referer } = headers;
  if (origin === null || referer === undefined || !URL.canParse(referer)) return false;
  return isNavigation(headers) && new URL(referer).origin === origin;
}

/** Whether a request is a form submitted by one of the service's own pages. */
export function isOwnForm(ownOrigin: string, headers: IncomingHttpHeaders): boolean {
  if (!isNavigation(headers)) return false;
  const site = headers['sec-fetch-site'];
  // Browsers without Sec-Fetch-Site (Safari before 16.4) send Origin with a form.
  return site === undefined ? headers.origin === ownOrigin : site === 'same-origin';
}

/** Excludes images, frames, fetches and prefetches. Older browsers do not send these headers. */
function isNavigation(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': destination = 'document' } = headers;
  const isPrefetch = headers['sec-purpose'] !== undefined || headers['purpose'] === 'prefetch';
  return mode === 'navigate' && destination === 'document' && !isPrefetch;
}
