import { agentSignInId, ConnectorAuthError, uuid, validate } from '@connector-auth/api';
import { z } from 'zod';
import type { PageRequest } from './page.ts';
import type { Route } from './route.ts';

/** The routes that people open: what the service adds to their URL, and its page where they can start again. */
export const visits = {
  'connect-link': { parameter: 'link', id: uuid, page: '/connect/' },
  'agent-sign-in': { parameter: 'sign_in', id: agentSignInId, page: '/agents/sign-in/' },
} as const;
export type VisitRoute = keyof typeof visits;

export function isVisit(route: Route | null): route is Route & { readonly name: VisitRoute } {
  return route !== null && Object.hasOwn(visits, route.name);
}

/** Works once, and only for the browser that the service has sent here. */
const code = z.string().regex(/^[\w-]{16,128}$/, 'Must be a code of the service');

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
    'This address is opened as a page of its own, not in a frame, by a form or by a script',
  );
}

/**
 * Returns the id and code of the request, and its path and query as `returnTo`, for a sign-in page to return to: never an
 * address on another host.
 * @throws ConnectorAuthError `malformed_request` that names what is missing or invalid.
 */
export function readVisit({ url }: PageRequest, route: VisitRoute) {
  const { pathname, searchParams } = new URL(url);
  const { parameter, id } = visits[route];
  const visit = validate(z.object({ [parameter]: id, code }), {
    [parameter]: searchParams.get(parameter),
    code: searchParams.get('code'),
  });
  if (!visit.ok) throw ConnectorAuthError.invalid('malformed_request', visit.issues);
  const query = new URLSearchParams(visit.value).toString();
  return {
    id: visit.value[parameter] ?? '',
    code: visit.value['code'] ?? '',
    // Browsers take two leading slashes for the start of a host name.
    returnTo: `${pathname.replace(/^\/+/, '/')}?${query}`,
  };
}
