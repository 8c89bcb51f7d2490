import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a person comes from a page of this origin: a navigation of the whole window whose `Referer` is on it. No page of another
 * origin can send that header; a page that hides it, a bookmark and a link in a mail send none, and are not taken for it.
 */
export function comesFrom(origin: string | null, headers: IncomingHttpHeaders): boolean {
  const { referer } = headers;
  if (origin === null || referer === undefined || !URL.canParse(referer)) return false;
  return isNavigation(headers) && new URL(referer).origin === origin;
}

/** Whether a form was sent by a page of the service itself. */
export function isOwnForm(ownOrigin: string, headers: IncomingHttpHeaders): boolean {
  if (!isNavigation(headers)) return false;
  const site = headers['sec-fetch-site'];
  // Browsers without Sec-Fetch-Site (Safari before 16.4) still send the Origin of a form.
  return site === undefined ? headers.origin === ownOrigin : site === 'same-origin';
}

/** Not an image, a frame, a script's fetch or a page loaded in advance. Old browsers do not tell. */
function isNavigation(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': destination = 'document' } = headers;
  const isInAdvance = headers['sec-purpose'] !== undefined || headers['purpose'] === 'prefetch';
  return mode === 'navigate' && destination === 'document' && !isInAdvance;
}
