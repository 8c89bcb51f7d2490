import { ConnectorAuthError } from '@connector-auth/api';
import { createClient, type CallOptions, type RawResponse } from '@connector-auth/api/client';
import express, { type Request, type Response, type Router } from 'express';
import { CustomerClients } from './customer-clients.ts';
import { parseOptions, type ConnectorAuthOptions } from './options.ts';
import { allowOrigins } from './page-origin.ts';
import { applicationRejected, sendProblem } from './problem-response.ts';
import { forwardedHeaders, forwardResponse } from './proxy.ts';
import { readBody } from './request-body.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Creates an Express router for pages that embed the widget. Its routes act only for the signed-in customer:
 *
 * - `POST /widget-token` mints a widget token for the page's origin: `{token, expires_in, service_url}`
 * - `GET /connectors` lists the customer's connectors
 * - `POST /connectors/:id/execute` runs an action on one of them
 *
 * Forwards the service's responses unchanged; errors are `application/problem+json`. Mount it before
 * `express.json()`.
 * @throws TypeError that lists every invalid option.
 */
export function connectorAuth(options: ConnectorAuthOptions): Router {
  const settings = parseOptions(options);
  const client = createClient(settings.client);
  const customers = new CustomerClients(client, settings.limits);
  const router = express.Router();

  /**
   * Returns the signed-in customer. Errors thrown by `resolveCustomer` are passed to the app's error handler.
   */
  async function currentCustomer(request: Request): Promise<string> {
    const customer: unknown = await settings.resolveCustomer(request);
    if (customer === null || customer === undefined) {
      throw new ConnectorAuthError('not_signed_in', 'Not signed in: sign in and try again');
    }
    if (typeof customer !== 'string' || customer === '') {
      throw new TypeError('resolveCustomer must return a customer name, or null if no one is signed in');
    }
    return customer;
  }

  async function mintWidgetToken(request: Request, response: Response): Promise<void> {
    // checkOrigin rejects a POST without an origin.
    const origin = request.headers.origin ?? '';
    const customer = await currentCustomer(request);
    await callService(response, async callOptions => {
      const { token, expires_in } = await client.tokens.mintWidget(
        { customer_name: customer, allowed_origin: origin, ...settings.limits, ...settings.management },
        callOptions,
      );
      response.json({ token, expires_in, service_url: settings.serviceUrl });
    });
  }

  async function listConnectors(request: Request, response: Response): Promise<void> {
    const query = new URL(request.url, 'http://localhost').searchParams;
    if (query.has('customer_name')) {
      throw ConnectorAuthError.invalid('malformed_request', [
        { path: 'customer_name', message: 'Not allowed: the customer is always the signed-in one' },
      ]);
    }
    const customer = await currentCustomer(request);
    await callService(response, async callOptions => {
      const path = `/api/v1/integrations/connectors?${query.toString()}` as const;
      const upstream = await customers
        .of(customer)
        .send({ method: 'GET', path, headers: forwardedHeaders(request) }, callOptions);
      await forwardUnlessUnauthorized(upstream, response);
    });
  }

  async function execute(request: Request<{ id: string }>, response: Response): Promise<void> {
    const { id } = request.params;
    if (!uuid.test(id)) {
      throw ConnectorAuthError.invalid('malformed_request', [{ path: 'id', message: 'Must be a UUID' }]);
    }
    const customer = await currentCustomer(request);
    await callService(response, async callOptions => {
      const body = await readBody(request);
      const path = `/api/v1/integrations/connectors/${id}/execute` as const;
      const upstream = await customers
        .of(customer)
        .send({ method: 'POST', path, headers: forwardedHeaders(request), body }, callOptions);
      await forwardUnlessUnauthorized(upstream, response);
    });
  }

  const checkOrigin = allowOrigins(settings.allowedOrigins);
  router.route('/widget-token').all(checkOrigin).post(mintWidgetToken).all(rejectMethod('POST'));
  router.route('/connectors').all(checkOrigin).get(listConnectors).all(rejectMethod('GET'));
  router.route('/connectors/:id/execute').all(checkOrigin).post(execute).all(rejectMethod('POST'));
  router.use(sendProblem);
  return router;
}

/** Calls the service and cancels the call if the browser disconnects. */
async function callService(response: Response, call: (options: CallOptions) => Promise<void>): Promise<void> {
  const browser = new AbortController();
  response.once('close', () => browser.abort(new Error('The browser disconnected')));
  if (response.destroyed) browser.abort(new Error('The browser disconnected'));
  try {
    await call({ signal: browser.signal });
  } catch (error) {
    const leftWhileSending = response.req.errored !== null;
    if (browser.signal.aborted || leftWhileSending) return;
    throw error instanceof ConnectorAuthError && error.status === 401
      ? applicationRejected(error.requestId, error)
      : error;
  }
}

async function forwardUnlessUnauthorized(upstream: RawResponse, response: Response): Promise<void> {
  if (upstream.status !== 401) return forwardResponse(upstream, response);
  upstream.body.resume();
  const requestId = upstream.headers['x-request-id'];
  throw applicationRejected(typeof requestId === 'string' ? requestId : null);
}

function rejectMethod(allowed: 'GET' | 'POST') {
  return (request: Request, response: Response): void => {
    response.set('Allow', `${allowed}, OPTIONS`);
    throw new ConnectorAuthError(
      'method_not_allowed',
      `${request.method} is not allowed. Allowed method: ${allowed}`,
    );
  };
}
