import { ConnectorAuthError, uuid, validate } from '@connector-auth/api';
import { z } from 'zod';
import type { PageRequest } from './page.ts';

/** What the service's page for a connect link adds to the helper's URL. */
const linkVisit = z.object({
  /** Id of the connect link. */
  link: uuid,
  /** Works once, and only for the browser that has the link open. */
  code: z.string().regex(/^[\w-]{16,128}$/, 'Must be a code of the service'),
});

/**
 * Rejects requests that are not a person opening a page: fetches, frames, images, prefetches and link scanners that
 * send HEAD. Accepts any site, because the service redirects here, and older browsers, which do not send fetch metadata.
 * @throws ConnectorAuthError `origin_not_allowed`.
 */
export function checkNavigation({ method, headers }: PageRequest): void {
  const mode = headers.get('sec-fetch-mode') ?? 'navigate';
  const destination = headers.get('sec-fetch-dest') ?? 'document';
  const isPrefetch = headers.get('sec-purpose') !== null || headers.get('purpose') === 'prefetch';
  const opensPage = mode === 'navigate' && destination === 'document' && headers.get('origin') === null;
  if (method === 'GET' && opensPage && !isPrefetch) return;
  throw new ConnectorAuthError(
    'origin_not_allowed',
    'Connect links are opened as a page of their own, not in a frame, by a form or by a script',
  );
}

/**
 * Returns the link and code of the request, and its path and query as `returnTo`, for a sign-in page to return to:
 * never an address on another host.
 * @throws ConnectorAuthError `malformed_request` that names what is missing or invalid.
 */
export function readLinkVisit({ url }: PageRequest) {
  const { pathname, searchParams } = new URL(url);
  const visit = validate(linkVisit, { link: searchParams.get('link'), code: searchParams.get('code') });
  if (!visit.ok) throw ConnectorAuthError.invalid('malformed_request', visit.issues);
  const { link, code } = visit.value;
  // Browsers take two leading slashes for the start of a host name.
  return { link, code, returnTo: `${pathname.replace(/^\/+/, '/')}?link=${link}&code=${code}` };
}
