import { Readable } from 'node:stream';
import { ConnectorAuthError, stringifyJson, uuid } from '@connector-auth/api';
import { createClient, type RawRequest } from '@connector-auth/api/client';
import { connectLinkPage } from './connect-link-page.ts';
import { checkNavigation, readLinkVisit } from './connect-link.ts';
import { CustomerClients } from './customer-clients.ts';
import type { HelperRequest } from './helper-request.ts';
import { parseOptions, type HelperOptions } from './options.ts';
import { checkOrigin, commonHeaders, corsHeaders, preflightHeaders } from './page-origin.ts';
import type { PageResponse } from './page-response.ts';
import { problemResponse, toPageError, UnexpectedError } from './problem-response.ts';
import { forwardedHeaders, forwardResponse } from './proxy.ts';
import { readBody } from './request-body.ts';
import { findRoute, type Route } from './route.ts';

/** A page's request, as the helper reads it and as the framework's own. */
interface PageRequest<AppRequest> {
  readonly request: HelperRequest;
  readonly appRequest: AppRequest;
  /** Null if the helper has no such route. */
  readonly route: Route | null;
}

/** A response. If it is 500 because of an unexpected error, e.g. in one of the integrator's functions, also that error. */
interface Outcome {
  readonly response: PageResponse;
  readonly unexpected?: { readonly error: unknown };
}

const notSignedIn =
  'Not signed in: sign in and try again. If you are, resolveCustomer of connectorAuth() found no session in the request: ' +
  'token-credentials="include" on <connector-auth> sends cookies to another origin';

/**
 * Creates a function that responds to a page's request. It never rejects, so that no request can end the process.
 * @throws TypeError that lists every invalid option.
 */
export function createResponder<AppRequest>(
  options: HelperOptions<AppRequest>,
): (page: PageRequest<AppRequest>) => Promise<Outcome> {
  const settings = parseOptions(options);
  const { resolveCustomer, signInUrl, onError, onToken } = settings;
  const client = createClient(settings.client);
  const customers = new CustomerClients(client, settings.ownLimits);

  type Handler = (page: PageRequest<AppRequest>, id: string) => Promise<PageResponse>;
  const handlers: Readonly<Record<Route['name'], ReadonlyMap<string, Handler>>> = {
    'widget-token': new Map([['POST', mintWidgetToken]]),
    'connect-link': new Map([['GET', confirmConnectLink]]),
    connectors: new Map([['GET', listConnectors]]),
    connector: new Map([
      ['GET', (page, id) => forward(page, 'GET', `/${id}`)],
      ['DELETE', deleteConnector],
    ]),
    execute: new Map([['POST', (page, id) => forward(page, 'POST', `/${id}/execute`)]]),
  };

  return async page => {
    const { request, appRequest, route } = page;
    const isConnectLink = route?.name === 'connect-link';
    const headers: Record<string, string> = { ...commonHeaders };
    // Other pages must not see the code in the URL.
    if (isConnectLink) headers['referrer-policy'] = 'no-referrer';
    try {
      if (isConnectLink) checkNavigation(request);
      else {
        const origin = await checkOrigin(request, each => callApp(() => settings.allowsOrigin(each)));
        if (origin !== null) Object.assign(headers, corsHeaders(origin));
      }
      const response = withHeaders(await respond(page, headers), headers);
      return { response: request.method === 'HEAD' ? withoutBody(response) : response };
    } catch (error) {
      const problem = toPageError(error);
      const response = isConnectLink ? linkProblemPage(problem, request) : problemResponse(problem);
      const isUnexpected = problem instanceof UnexpectedError;
      const hasLeft = problem.code === 'aborted' || request.signal.aborted;
      if (!hasLeft && onError !== undefined) runHook(() => onError(problem, appRequest));
      // Wrong options, or a service that fails: the operator of this backend has to act.
      if (!hasLeft && onError === undefined && !isUnexpected && problem.status >= 500) {
        logError(`connectorAuth(): ${problem.message} (${problem.code})`);
      }
      return {
        response: withHeaders(response, headers),
        ...(isUnexpected ? { unexpected: { error: problem.cause } } : {}),
      };
    }
  };

  async function respond(
    page: PageRequest<AppRequest>,
    headers: Record<string, string>,
  ): Promise<PageResponse> {
    const { request, route } = page;
    if (route === null) {
      throw new ConnectorAuthError(
        'route_not_found',
        'connectorAuth() has no such route: token-url must be its mount path followed by /widget-token',
      );
    }
    if (request.method === 'OPTIONS') return { status: 204, headers: preflightHeaders, body: null };
    const handler = handlers[route.name].get(request.method === 'HEAD' ? 'GET' : request.method);
    if (handler === undefined) {
      const allowed = [...handlers[route.name].keys()];
      headers['allow'] = [...allowed, 'OPTIONS'].join(', ');
      throw new ConnectorAuthError(
        'method_not_allowed',
        `${request.method} is not allowed. Allowed method${allowed.length > 1 ? 's' : ''}: ${allowed.join(', ')}`,
      );
    }
    if (route.id !== '' && !isUuid(route.id)) throw invalidField('id', 'Must be a UUID');
    return handler(page, route.id);
  }

  async function mintWidgetToken({ request, appRequest }: PageRequest<AppRequest>): Promise<PageResponse> {
    const customer = await currentCustomer(appRequest);
    // checkOrigin rejects a POST without an origin.
    const origin = request.headers.get('origin') ?? '';
    const { token, expires_in } = await client.tokens.mintWidget(
      { customer_name: customer, allowed_origin: origin, ...settings.widgetLimits },
      { signal: request.signal },
    );
    if (onToken !== undefined) runHook(() => onToken({ customer, origin }));
    const body = stringifyJson({ token, expires_in, service_url: settings.serviceUrl });
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  }

  /** Confirms to the service that the link's customer is signed in, and returns the person to the link's page. */
  async function confirmConnectLink({ request, appRequest }: PageRequest<AppRequest>): Promise<PageResponse> {
    const { link, code, returnTo } = readLinkVisit(request);
    const customer = await findCustomer(appRequest);
    if (customer === null) return redirect(await signInUrlFor(returnTo));
    const { return_url } = await client.connectLinks.confirm(
      link,
      { code, customer_name: customer },
      { signal: request.signal },
    );
    return redirect(return_url);
  }

  async function signInUrlFor(returnTo: string): Promise<string> {
    if (signInUrl === undefined) throw new ConnectorAuthError('not_signed_in', notSignedIn);
    return callApp(async () => {
      const url: unknown = await signInUrl(returnTo);
      // A relative URL is one too. Characters outside of ASCII are not valid in a header.
      if (typeof url === 'string' && /^[\x21-\x7e]+$/.test(url)) return url;
      throw new TypeError('signInUrl must return a URL, with other characters than ASCII encoded');
    });
  }

  /** Returns the page for a connect link that did not continue. */
  function linkProblemPage(problem: ConnectorAuthError, { url, headers }: HelperRequest): PageResponse {
    const link = new URL(url).searchParams.get('link') ?? '';
    const linkUrl = isUuid(link) ? `${settings.serviceUrl}/connect/${link}` : null;
    return connectLinkPage(problem, headers.get('accept-language'), linkUrl);
  }

  async function listConnectors(page: PageRequest<AppRequest>): Promise<PageResponse> {
    const query = new URL(page.request.url).searchParams;
    if (query.has('customer_name')) {
      throw invalidField('customer_name', 'Not allowed: the customer is always the signed-in one');
    }
    return forward(page, 'GET', `?${query.toString()}`);
  }

  async function deleteConnector(page: PageRequest<AppRequest>, id: string): Promise<PageResponse> {
    if (!settings.allowsDelete) {
      throw new ConnectorAuthError(
        'management_not_allowed',
        'Deleting connectors is not allowed: add delete to allowedManagement of connectorAuth()',
      );
    }
    return forward(page, 'DELETE', `/${id}`);
  }

  /** Sends a request about connectors to the service as the signed-in customer. */
  async function forward(
    { request, appRequest }: PageRequest<AppRequest>,
    method: RawRequest['method'],
    path: string,
  ): Promise<PageResponse> {
    const customer = await currentCustomer(appRequest);
    const upstream = await customers.of(customer).send(
      {
        method,
        path: `/api/v1/integrations/connectors${path}`,
        headers: forwardedHeaders(request),
        ...(method === 'POST' ? { body: await readBody(request) } : {}),
      },
      { signal: request.signal },
    );
    if (upstream.status !== 401) return forwardResponse(upstream);
    upstream.body.resume();
    const requestId = upstream.headers['x-request-id'];
    throw new ConnectorAuthError(
      'token_invalid',
      'The service rejected the scoped token',
      typeof requestId === 'string' ? { requestId } : {},
    );
  }

  async function currentCustomer(appRequest: AppRequest): Promise<string> {
    const customer = await findCustomer(appRequest);
    if (customer === null) throw new ConnectorAuthError('not_signed_in', notSignedIn);
    return customer;
  }

  /** Returns null if no one is signed in. */
  function findCustomer(appRequest: AppRequest): Promise<string | null> {
    return callApp(async () => {
      const customer: unknown = await resolveCustomer(appRequest);
      if (customer === null || customer === undefined) return null;
      if (typeof customer === 'string' && customer !== '') return customer;
      throw new TypeError('resolveCustomer must return a customer name, or null if no one is signed in');
    });
  }
}

/**
 * Creates a function that responds to requests on any mount path, for servers without an error handler of their own.
 * It logs unexpected errors with `console.error` unless there is an `onError`.
 * @throws TypeError that lists every invalid option.
 */
export function createHandler<AppRequest>(
  options: HelperOptions<AppRequest>,
): (request: HelperRequest, appRequest: AppRequest) => Promise<PageResponse> {
  const respond = createResponder(options);
  return async (request, appRequest) => {
    const route = findRoute(new URL(request.url).pathname);
    const { response, unexpected } = await respond({ request, appRequest, route });
    if (unexpected !== undefined && options.onError === undefined) logError(unexpected.error);
    return response;
  };
}

/** Calls one of the integrator's functions. */
async function callApp<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw new UnexpectedError(
      'A function in the options of connectorAuth() threw an error. See the log of your server',
      error,
    );
  }
}

/** Calls a hook without waiting for it. An error in it does not change the response. */
function runHook(hook: () => unknown): void {
  const run = async () => hook();
  run().catch(logError);
}

/** Logs an error that would otherwise be lost. */
function logError(error: unknown): void {
  // oxlint-disable-next-line no-console -- The helper has no logger of its own.
  console.error(error);
}

function isUuid(text: string): boolean {
  return uuid.safeParse(text).success;
}

function redirect(url: string): PageResponse {
  return { status: 303, headers: { location: url }, body: null };
}

function withHeaders(response: PageResponse, headers: Readonly<Record<string, string>>): PageResponse {
  return { ...response, headers: { ...response.headers, ...headers } };
}

function withoutBody(response: PageResponse): PageResponse {
  if (response.body instanceof Readable) response.body.destroy();
  return { ...response, body: null };
}

function invalidField(path: string, message: string): ConnectorAuthError {
  return ConnectorAuthError.invalid('malformed_request', [{ path, message }]);
}
