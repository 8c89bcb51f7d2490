import { Readable } from 'node:stream';
import { ConnectorAuthError } from '@connector-auth/api';
import { createClient, type RawRequest } from '@connector-auth/api/client';
import { connectLinkPage } from './connect-link-page.ts';
import { checkNavigation, pathToReturnTo, readLinkVisit } from './connect-link.ts';
import { CustomerClients } from './customer-clients.ts';
import type { HelperRequest } from './helper-request.ts';
import { parseOptions, type HelperOptions, type Settings } from './options.ts';
import { checkOrigin, commonHeaders, corsHeaders, preflightHeaders } from './page-origin.ts';
import { jsonResponse, type PageResponse } from './page-response.ts';
import {
  appFailed,
  applicationRejected,
  concernsDefaults,
  defaultsRejected,
  problemResponse,
} from './problem-response.ts';
import { forwardedHeaders, forwardResponse } from './proxy.ts';
import { readBody } from './request-body.ts';
import { uuid, type Route } from './route.ts';

/** A page's request, as the helper reads it and as the framework's own. */
export interface PageRequest<AppRequest> {
  readonly request: HelperRequest;
  readonly appRequest: AppRequest;
  /** Null if the helper has no such route. */
  readonly route: Route | null;
}

/** A response. If it is 500 because of an unexpected error, e.g. in one of the integrator's functions, also that error. */
export interface Outcome {
  readonly response: PageResponse;
  readonly unexpected?: { readonly error: unknown };
}

/** Responds to a page's request. Never rejects, so that no request can end the process. */
export type Responder<AppRequest> = (page: PageRequest<AppRequest>) => Promise<Outcome>;

/** Contains what one of the integrator's functions threw, which can be any value. */
class AppError extends Error {
  constructor(cause: unknown) {
    super('A function in the options threw an error', { cause });
  }
}

const notSignedIn =
  'Not signed in: sign in and try again. If you are, resolveCustomer of connectorAuth() found no session in the request: ' +
  'token-credentials="include" on <connector-auth> sends cookies to another origin';

/**
 * Creates the function behind each framework's wrapper.
 * @throws TypeError that lists every invalid option.
 */
export function createResponder<AppRequest>(options: HelperOptions<AppRequest>): Responder<AppRequest> {
  const settings = parseOptions(options);
  const client = createClient(settings.client);
  const customers = new CustomerClients(client, settings.ownLimits);

  return async page => {
    const headers: Record<string, string> = { ...commonHeaders };
    // Other pages must not see the code in the URL.
    if (isConnectLink(page)) headers['referrer-policy'] = 'no-referrer';
    try {
      const origin = await checkSender(page);
      if (origin !== null) Object.assign(headers, corsHeaders(origin));
      const response = withHeaders(await respond(page, origin, headers), headers);
      return { response: page.request.method === 'HEAD' ? withoutBody(response) : response };
    } catch (error) {
      const problem = toProblemError(error);
      const response = withHeaders(
        isConnectLink(page) ? linkProblemPage(problem, page) : problemResponse(problem),
        headers,
      );
      const hasLeft = problem.code === 'aborted' || page.request.signal.aborted;
      if (!hasLeft) reportError(settings, problem, page.appRequest);
      if (error instanceof ConnectorAuthError) {
        // Wrong options, or a service that fails: the operator of this backend has to act.
        if (!hasLeft && problem.status >= 500 && settings.onError === undefined) {
          logError(`connectorAuth(): ${problem.message} (${problem.code})`);
        }
        return { response };
      }
      return { response, unexpected: { error: error instanceof AppError ? error.cause : error } };
    }
  };

  /** Returns the origin of the page that sent the request, or null if the browser sent none. */
  async function checkSender(page: PageRequest<AppRequest>): Promise<string | null> {
    const { request } = page;
    if (!isConnectLink(page)) return checkOrigin(request, each => callApp(() => settings.allowsOrigin(each)));
    checkNavigation(request);
    return null;
  }

  function respond(
    page: PageRequest<AppRequest>,
    origin: string | null,
    headers: Record<string, string>,
  ): Promise<PageResponse> | PageResponse {
    const { request, route } = page;
    if (route === null) {
      throw new ConnectorAuthError(
        'route_not_found',
        'connectorAuth() has no such route: token-url must be its mount path followed by /widget-token',
      );
    }
    if (request.method === 'OPTIONS') return { status: 204, headers: preflightHeaders, body: null };
    const allowed: readonly string[] = route.methods;
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (!allowed.includes(method)) {
      headers['allow'] = [...allowed, 'OPTIONS'].join(', ');
      throw new ConnectorAuthError(
        'method_not_allowed',
        `${request.method} is not allowed. Allowed method${allowed.length > 1 ? 's' : ''}: ${allowed.join(', ')}`,
      );
    }
    if ('id' in route && !uuid.test(route.id)) throw invalidField('id', 'Must be a UUID');
    switch (route.name) {
      case 'widget-token':
        // checkOrigin rejects a POST without an origin.
        return mintWidgetToken(page, origin ?? '');
      case 'connect-link':
        return confirmConnectLink(page);
      case 'connectors':
        return listConnectors(page);
      case 'connector':
        return method === 'GET' ? getConnector(page, route.id) : deleteConnector(page, route.id);
      case 'execute':
        return execute(page, route.id);
    }
  }

  async function mintWidgetToken(page: PageRequest<AppRequest>, origin: string): Promise<PageResponse> {
    const customer = await currentCustomer(page.appRequest);
    const { token, expires_in } = await client.tokens
      .mintWidget(
        { customer_name: customer, allowed_origin: origin, ...settings.widgetLimits },
        { signal: page.request.signal },
      )
      .catch((error: unknown) => {
        throw concernsDefaults(error) ? defaultsRejected(error) : error;
      });
    const { onToken } = settings;
    if (onToken !== undefined) runHook(() => onToken({ customer, origin }));
    return jsonResponse({ token, expires_in, service_url: settings.serviceUrl });
  }

  /** Confirms to the service that the link's customer is signed in, and returns the person to the link's page. */
  async function confirmConnectLink({ request, appRequest }: PageRequest<AppRequest>): Promise<PageResponse> {
    const visit = readLinkVisit(request);
    const customer = await findCustomer(appRequest);
    if (customer === null) return redirect(await signInUrlFor(pathToReturnTo(request, visit)));
    const { return_url } = await client.connectLinks.confirm(
      visit.link,
      { code: visit.code, customer_name: customer },
      { signal: request.signal },
    );
    return redirect(return_url);
  }

  async function signInUrlFor(returnTo: string): Promise<string> {
    const { signInUrl } = settings;
    if (signInUrl === undefined) throw new ConnectorAuthError('not_signed_in', notSignedIn);
    const url: unknown = await callApp(() => signInUrl(returnTo));
    // A relative URL is one too. Characters outside of ASCII are not valid in a header.
    if (typeof url === 'string' && /^[\x21-\x7e]+$/.test(url)) return url;
    throw new AppError(
      new TypeError('signInUrl must return a URL, with other characters than ASCII encoded'),
    );
  }

  /** Returns the page for a connect link that did not continue. */
  function linkProblemPage(problem: ConnectorAuthError, { request }: PageRequest<AppRequest>): PageResponse {
    const link = new URL(request.url).searchParams.get('link') ?? '';
    const linkUrl = uuid.test(link) ? `${settings.serviceUrl}/connect/${link}` : null;
    return connectLinkPage(problem, request.headers.get('accept-language'), linkUrl);
  }

  function listConnectors(page: PageRequest<AppRequest>): Promise<PageResponse> {
    const query = new URL(page.request.url).searchParams;
    if (query.has('customer_name')) {
      throw invalidField('customer_name', 'Not allowed: the customer is always the signed-in one');
    }
    return forward(page, { method: 'GET', path: `/api/v1/integrations/connectors?${query.toString()}` });
  }

  function getConnector(page: PageRequest<AppRequest>, id: string): Promise<PageResponse> {
    return forward(page, { method: 'GET', path: `/api/v1/integrations/connectors/${id}` });
  }

  function deleteConnector(page: PageRequest<AppRequest>, id: string): Promise<PageResponse> {
    if (!settings.allowsDelete) {
      throw new ConnectorAuthError(
        'management_not_allowed',
        'Deleting connectors is not allowed: add delete to allowedManagement of connectorAuth()',
      );
    }
    return forward(page, { method: 'DELETE', path: `/api/v1/integrations/connectors/${id}` });
  }

  function execute(page: PageRequest<AppRequest>, id: string): Promise<PageResponse> {
    return forward(page, { method: 'POST', path: `/api/v1/integrations/connectors/${id}/execute` });
  }

  /** Sends a request to the service as the signed-in customer. */
  async function forward(
    { request, appRequest }: PageRequest<AppRequest>,
    { method, path }: Pick<RawRequest, 'method' | 'path'>,
  ): Promise<PageResponse> {
    const customer = await currentCustomer(appRequest);
    const headers = forwardedHeaders(request);
    const body = method === 'POST' ? { body: await readBody(request) } : {};
    const upstream = await customers
      .of(customer)
      .send({ method, path, headers, ...body }, { signal: request.signal });
    if (upstream.status !== 401) return forwardResponse(upstream);
    upstream.body.resume();
    const requestId = upstream.headers['x-request-id'];
    throw applicationRejected(typeof requestId === 'string' ? requestId : null);
  }

  async function currentCustomer(appRequest: AppRequest): Promise<string> {
    const customer = await findCustomer(appRequest);
    if (customer === null) throw new ConnectorAuthError('not_signed_in', notSignedIn);
    return customer;
  }

  /** Returns null if no one is signed in. */
  async function findCustomer(appRequest: AppRequest): Promise<string | null> {
    const customer: unknown = await callApp(() => settings.resolveCustomer(appRequest));
    if (customer === null || customer === undefined) return null;
    if (typeof customer === 'string' && customer !== '') return customer;
    throw new AppError(
      new TypeError('resolveCustomer must return a customer name, or null if no one is signed in'),
    );
  }
}

/**
 * Creates a function that responds to a page's request, for servers without an error handler of their own.
 * Never rejects. Logs unexpected errors with `console.error` unless there is an `onError`.
 * @throws TypeError that lists every invalid option.
 */
export function createHandler<AppRequest>(
  options: HelperOptions<AppRequest>,
): (page: PageRequest<AppRequest>) => Promise<PageResponse> {
  const respond = createResponder(options);
  const { onError } = options;
  return async page => {
    const { response, unexpected } = await respond(page);
    if (unexpected !== undefined && onError === undefined) logError(unexpected.error);
    return response;
  };
}

/** Calls one of the integrator's functions. */
async function callApp<Result>(call: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw new AppError(error);
  }
}

/** Returns the error to respond with. */
function toProblemError(error: unknown): ConnectorAuthError {
  if (error instanceof AppError) return appFailed(error.cause);
  if (!(error instanceof ConnectorAuthError)) {
    return new ConnectorAuthError('internal_error', 'connectorAuth() failed: see the log of your server', {
      cause: error,
    });
  }
  // Widget tokens are minted with the application's credentials. All other 401s are the helper's own.
  const concernsApplication = error.status === 401 && error.code !== 'not_signed_in';
  return concernsApplication ? applicationRejected(error.requestId, error) : error;
}

function reportError<AppRequest>(
  { onError }: Settings<AppRequest>,
  problem: ConnectorAuthError,
  appRequest: AppRequest,
): void {
  if (onError !== undefined) runHook(() => onError(problem, appRequest));
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

function isConnectLink({ route }: Pick<PageRequest<unknown>, 'route'>): boolean {
  return route?.name === 'connect-link';
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
