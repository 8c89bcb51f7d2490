import { agentScopeNames, ConnectorAuthError, stringifyJson } from '@connector-auth/api';
import { createClient, type CustomerClient, type RawRequest } from '@connector-auth/api/client';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { NamedCustomer, ResolvedUser, Settings } from './options.ts';
import type { PageRequest, PageResponse } from './page.ts';
import { callApp, invalidField, runHook } from './problems.ts';
import { forwardedHeaders, forwardResponse } from './proxy.ts';
import { readBody } from './request-body.ts';
import type { Route } from './route.ts';
import { readVisit, visits } from './visit.ts';
import { verifyWebhook } from './webhook.ts';

/** A request of an allowed page. */
interface Call<AppRequest> {
  readonly request: PageRequest;
  /** The framework's own form of the request. */
  readonly appRequest: AppRequest;
  /** Of the connector in the path; empty if the route has none. */
  readonly id: string;
}

type Handlers<AppRequest> = ReadonlyMap<string, (call: Call<AppRequest>) => Promise<PageResponse>>;

const resolvedUser = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  scopes: z.array(z.enum(agentScopeNames)).optional(),
});

/** The number of customers whose tokens are cached. After an eviction, the next request needs a new token. */
const maxCustomers = 1000;

const notSignedIn =
  'Not signed in: sign in and try again. If you are, resolveCustomer of connectorAuth() found no session in the request: ' +
  'token-credentials="include" on <connector-auth> sends cookies to another origin';

/** Creates the handlers of each route by method. They reject with the error to respond with. */
export function createRoutes<AppRequest>(
  settings: Settings<AppRequest>,
): Readonly<Record<Route['name'], Handlers<AppRequest>>> {
  const { resolveCustomer, resolveUser, signInUrl, onToken } = settings;
  const client = createClient(settings.client);
  const customers = new LRUCache<string, CustomerClient>({
    max: maxCustomers,
    memoMethod: customer => client.forCustomer(customer, settings.ownLimits),
  });

  return {
    'widget-token': new Map([['POST', mintWidgetToken]]),
    'connect-link': new Map([['GET', confirmConnectLink]]),
    'agent-sign-in': new Map([['GET', confirmAgentSignIn]]),
    connectors: new Map([['GET', listConnectors]]),
    connector: new Map([
      ['GET', call => forward(call, 'GET', `/${call.id}`)],
      ['DELETE', deleteConnector],
    ]),
    execute: new Map([['POST', call => forward(call, 'POST', `/${call.id}/execute`)]]),
    events: new Map([['POST', receiveEvent]]),
  };

  async function mintWidgetToken({ request, appRequest }: Call<AppRequest>): Promise<PageResponse> {
    const { name: customer, displayName } = await currentCustomer(appRequest);
    // A POST without an origin was rejected.
    const origin = request.headers.get('origin') ?? '';
    const { token, expires_in } = await client.tokens.mintWidget(
      {
        customer_name: customer,
        customer_display_name: displayName,
        allowed_origin: origin,
        ...settings.widgetLimits,
      },
      { signal: request.signal },
    );
    if (onToken !== undefined) runHook(() => onToken({ customer, origin }));
    const body = stringifyJson({ token, expires_in, service_url: settings.serviceUrl });
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  }

  /** Confirms to the service that the link's customer is signed in, and returns the person to the link's page. */
  async function confirmConnectLink({ request, appRequest }: Call<AppRequest>): Promise<PageResponse> {
    const { id, code, returnTo } = readVisit(request, 'connect-link');
    const customer = await findCustomer(appRequest);
    if (customer === null) return redirect(await signInUrlFor(returnTo));
    const { return_url } = await client.connectLinks.confirm(
      id,
      { code, customer_name: customer.name, user_id: (await findUser(appRequest, customer))?.id },
      { signal: request.signal },
    );
    return redirect(return_url);
  }

  /** Confirms to the service which person is signed in, and returns them to the page that asks what an agent may do. */
  async function confirmAgentSignIn({ request, appRequest }: Call<AppRequest>): Promise<PageResponse> {
    const { id, code, returnTo } = readVisit(request, 'agent-sign-in');
    if (resolveUser === undefined) {
      throw new ConnectorAuthError(
        'backend_misconfigured',
        'A person cannot sign in to allow an agent without resolveUser: pass it to connectorAuth()',
      );
    }
    const customer = await findCustomer(appRequest);
    if (customer === null) return redirect(await signInUrlFor(returnTo));
    const user = await findUser(appRequest, customer);
    if (user === null)
      return redirect(`${settings.serviceUrl}${visits['agent-sign-in'].page}${id}?no_access`);
    const { allowed_sources, allowed_data } = settings.widgetLimits;
    const { return_url } = await client.agents.confirmSignIn(
      id,
      {
        code,
        customer_name: customer.name,
        customer_display_name: customer.displayName,
        user: { id: user.id, name: user.name },
        allowed_scopes: user.scopes && [...user.scopes],
        allowed_sources,
        allowed_data,
      },
      { signal: request.signal },
    );
    return redirect(return_url);
  }

  /** Responds once `onEvent` has handled the event, so that the service sends it again if it did not. */
  async function receiveEvent({ request }: Call<AppRequest>): Promise<PageResponse> {
    const { onEvent, webhookSecret } = settings;
    // Without them, the route was not found.
    const event = verifyWebhook(await readBody(request), request.headers, webhookSecret ?? []);
    await callApp(async () => onEvent?.(event));
    return { status: 204, headers: {}, body: null };
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

  async function listConnectors(call: Call<AppRequest>): Promise<PageResponse> {
    const query = new URL(call.request.url).searchParams;
    if (query.has('customer_name')) {
      throw invalidField('customer_name', 'Not allowed: the customer is always the signed-in one');
    }
    return forward(call, 'GET', `?${query.toString()}`);
  }

  async function deleteConnector(call: Call<AppRequest>): Promise<PageResponse> {
    if (!settings.allowsDelete) {
      throw new ConnectorAuthError(
        'management_not_allowed',
        'Deleting connectors is not allowed: add delete to allowedManagement of connectorAuth()',
      );
    }
    return forward(call, 'DELETE', `/${call.id}`);
  }

  /** Sends a request about connectors to the service as the signed-in customer. */
  async function forward(
    { request, appRequest }: Call<AppRequest>,
    method: RawRequest['method'],
    path: string,
  ): Promise<PageResponse> {
    const { name } = await currentCustomer(appRequest);
    const upstream = await customers.memo(name).send(
      {
        method,
        path: `/api/v1/integrations/connectors${path}`,
        headers: forwardedHeaders(request),
        ...(method === 'POST' ? { body: await readBody(request) } : {}),
      },
      { signal: request.signal },
    );
    return forwardResponse(upstream);
  }

  async function currentCustomer(appRequest: AppRequest): Promise<NamedCustomer> {
    const customer = await findCustomer(appRequest);
    if (customer === null) throw new ConnectorAuthError('not_signed_in', notSignedIn);
    return customer;
  }

  /** Returns null if no one is signed in. */
  function findCustomer(appRequest: AppRequest): Promise<NamedCustomer | null> {
    return callApp(async () => {
      const resolved: unknown = await resolveCustomer(appRequest);
      if (resolved === null || resolved === undefined) return null;
      const { name, displayName } = Object(
        typeof resolved === 'string' ? { name: resolved } : resolved,
      ) as Record<keyof NamedCustomer, unknown>;
      const hasValidDisplayName = displayName === undefined || typeof displayName === 'string';
      if (typeof name === 'string' && name !== '' && hasValidDisplayName) return { name, displayName };
      throw new TypeError(
        'resolveCustomer must return a customer name or { name, displayName }, or null if no one is signed in',
      );
    });
  }

  /** Returns null if the person has no access, or there is no `resolveUser`. */
  async function findUser(appRequest: AppRequest, customer: NamedCustomer): Promise<ResolvedUser | null> {
    if (resolveUser === undefined) return null;
    return callApp(async () => {
      const resolved: unknown = await resolveUser(appRequest, customer);
      if (resolved === null || resolved === undefined) return null;
      const user = resolvedUser.safeParse(resolved);
      if (user.success) return user.data;
      throw new TypeError(
        `resolveUser must return { id, name, scopes? } with scopes of ${agentScopeNames.join(', ')}, or null for a person without access`,
      );
    });
  }
}

function redirect(url: string): PageResponse {
  return { status: 303, headers: { location: url }, body: null };
}
