import { ConnectorAuthError, uuid, type Issue } from '@connector-auth/api';
import type { HelperRequest } from './helper-request.ts';

/** What the service's page for a connect link adds to the helper's URL. */
interface LinkVisit {
  /** Id of the connect link. */
  readonly link: string;
  /** Works once, and only for the browser that has the link open. */
  readonly code: string;
  /** Path and query of the request, for a sign-in page to return to. Never an address on another host. */
  readonly returnTo: string;
}

/**
 * Rejects requests that are not a person opening a page: fetches, frames, images, prefetches and link scanners that
 * send HEAD. Accepts any site, because the service redirects here, and older browsers, which do not send fetch metadata.
 * @throws ConnectorAuthError `origin_not_allowed`.
 */
export function checkNavigation({ method, headers }: HelperRequest): void {
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
 * Returns the link and code of the request, and the path to return to.
 * @throws ConnectorAuthError `malformed_request` that names what is missing or invalid.
 */
export function readLinkVisit({ url }: HelperRequest): LinkVisit {
  const { pathname, searchParams } = new URL(url);
  const link = searchParams.get('link') ?? '';
  const code = searchParams.get('code') ?? '';
  const issues: Issue[] = [];
  if (!uuid.safeParse(link).success) issues.push({ path: 'link', message: 'Must be a UUID' });
  if (!base64url.test(code)) issues.push({ path: 'code', message: 'Must be a code of the service' });
  if (issues.length > 0) throw ConnectorAuthError.invalid('malformed_request', issues);
  // Browsers take two leading slashes for the start of a host name.
  return { link, code, returnTo: `${pathname.replace(/^\/+/, '/')}?link=${link}&code=${code}` };
}

const base64url = /^[\w-]{16,128}$/;
