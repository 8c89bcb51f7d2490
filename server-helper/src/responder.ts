import { Readable } from 'node:stream';
import { ConnectorAuthError, uuid } from '@connector-auth/api';
import { readOptions, type HelperOptions } from './options.ts';
import { checkOrigin, commonHeaders, corsHeaders, preflightHeaders } from './page-origin.ts';
import type { PageRequest, PageResponse } from './page.ts';
import { callApp, invalidField, logProblem, problemResponse, runHook, toPageError } from './problems.ts';
import { findRoute, type Route } from './route.ts';
import { createRoutes } from './routes.ts';
import { visitPage } from './visit-page.ts';
import { checkNavigation, isVisit } from './visit.ts';

/**
 * Responds to a page's request, of which `appRequest` is the framework's own form. Never rejects, so that no request
 * can end the process. Without `route`, the route is found on any mount path; null if the helper has no such route.
 */
type Responder<AppRequest> = (
  request: PageRequest,
  appRequest: AppRequest,
  route?: Route | null,
) => Promise<PageResponse>;

/**
 * Creates the function that responds to all requests, whatever the framework.
 * @param log called with each error if there is no `onError`.
 * @throws TypeError that lists every invalid option.
 */
export function createResponder<AppRequest>(
  options: HelperOptions<AppRequest>,
  log: (problem: ConnectorAuthError) => void = logProblem,
): Responder<AppRequest> {
  const settings = readOptions(options);
  const routes = createRoutes(settings);
  const { allowsOrigin, onError = log } = settings;

  return async (request, appRequest, route = findRoute(new URL(request.url).pathname)) => {
    const headers: Record<string, string> = { ...commonHeaders };
    // Other pages must not see the code in the URL.
    if (isVisit(route)) headers['referrer-policy'] = 'no-referrer';
    let response: PageResponse;
    try {
      if (isVisit(route)) checkNavigation(request);
      // The service sends events, which their signature authenticates.
      else if (route?.name !== 'events') {
        const origin = await checkOrigin(request, each => callApp(() => allowsOrigin(each)));
        if (origin !== null) Object.assign(headers, corsHeaders(origin));
      }
      response = await respond(request, appRequest, route, headers);
    } catch (error) {
      const problem = toPageError(error);
      const hasLeft = problem.code === 'aborted' || request.signal.aborted;
      if (!hasLeft) runHook(() => onError(problem, appRequest));
      response = isVisit(route)
        ? visitPage(route.name, problem, request, settings.serviceUrl)
        : problemResponse(problem);
    }
    return { ...response, headers: { ...response.headers, ...headers } };
  };

  async function respond(
    request: PageRequest,
    appRequest: AppRequest,
    route: Route | null,
    headers: Record<string, string>,
  ): Promise<PageResponse> {
    if (route === null || (route.name === 'events' && settings.onEvent === undefined)) {
      throw new ConnectorAuthError(
        'route_not_found',
        'connectorAuth() has no such route: token-url must be its mount path followed by /widget-token',
      );
    }
    if (request.method === 'OPTIONS') return { status: 204, headers: preflightHeaders, body: null };
    const handlers = routes[route.name];
    const handler = handlers.get(request.method === 'HEAD' ? 'GET' : request.method);
    if (handler === undefined) {
      const allowed = [...handlers.keys()];
      headers['allow'] = [...allowed, 'OPTIONS'].join(', ');
      throw new ConnectorAuthError(
        'method_not_allowed',
        `${request.method} is not allowed. Allowed method${allowed.length > 1 ? 's' : ''}: ${allowed.join(', ')}`,
      );
    }
    if (route.id !== '' && !uuid.safeParse(route.id).success) throw invalidField('id', 'Must be a UUID');
    const response = await handler({ request, appRequest, id: route.id });
    return request.method === 'HEAD' ? withoutBody(response) : response;
  }
}

function withoutBody(response: PageResponse): PageResponse {
  if (response.body instanceof Readable) response.body.destroy();
  return { ...response, body: null };
}
