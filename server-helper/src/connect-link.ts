import { ConnectorAuthError, type Issue } from '@connector-auth/api';
import type { HelperRequest } from './helper-request.ts';
import { uuid } from './route.ts';

/** What the service's page for a connect link adds to the helper's URL. */
export interface LinkVisit {
  /** Id of the connect link. */
  readonly link: string;
  /** Works once, and only for the browser that has the link open. */
  readonly code: string;
}

/**
 * Rejects requests that are not a person opening a page: fetches, frames, images, prefetches and link scanners that
 * send HEAD. Accepts any site, because the service redirects here, and older browsers, which do not send fetch metadata.
 * @throws ConnectorAuthError `origin_not_allowed`.
 */
export function checkNavigation({ method, headers }: HelperRequest): void {
  const mode = headers.get('sec-fetch-mode') ?? 'navigate';
  const destination = headers.get('sec-fetch-dest') ?? 'document';
  const isPrefetch = headers.has('sec-purpose') || headers.get('purpose') === 'prefetch';
  const opensPage = mode === 'navigate' && destination === 'document' && !headers.has('origin');
  if (method === 'GET' && opensPage && !isPrefetch) return;
  throw new ConnectorAuthError(
    'origin_not_allowed',
    'Connect links are opened as a page of their own, not in a frame, by a form or by a script',
  );
}

/**
 * Returns the link and code of the request.
 * @throws ConnectorAuthError `malformed_request` that names what is missing or invalid.
 */
export function readLinkVisit({ url }: HelperRequest): LinkVisit {
  const query = new URL(url).searchParams;
  const link = query.get('link') ?? '';
  const code = query.get('code') ?? '';
  const issues: Issue[] = [];
  if (!uuid.test(link)) issues.push({ path: 'link', message: 'Must be a UUID' });
  if (!base64url.test(code)) issues.push({ path: 'code', message: 'Must be a code of the service' });
  if (issues.length > 0) throw ConnectorAuthError.invalid('malformed_request', issues);
  return { link, code };
}

const base64url = /^[\w-]{16,128}$/;

/** Returns the path and query of the request, for a sign-in page to return to. Never an address on another host. */
export function pathToReturnTo({ url }: HelperRequest, { link, code }: LinkVisit): string {
  // Browsers take two leading slashes for the start of a host name.
  const path = new URL(url).pathname.replace(/^\/+/, '/');
  return `${path}?link=${link}&code=${code}`;
}
