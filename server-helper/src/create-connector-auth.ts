import type { HelperOptions } from './options.ts';
import { toWebResponse } from './page.ts';
import { createResponder } from './responder.ts';

/** The helper for servers that work with web requests. */
export interface ConnectorAuth<AppRequest extends Request = Request> {
  /** Responds to a request on any mount path. Never rejects. */
  readonly handler: (request: AppRequest) => Promise<Response>;
}

/**
 * Creates the routes that pages with the widget call, for servers that work with web requests. They act only for the
 * signed-in customer: `widget-token`, `connectors`, `connectors/:id`, `connectors/:id/execute`, `connect-link` and `agent-sign-in`. With `onEvent`, `events` receives the events of a
 * webhook.
 * @throws TypeError that lists every invalid option.
 */
export function createConnectorAuth<AppRequest extends Request = Request>(
  options: HelperOptions<AppRequest>,
): ConnectorAuth<AppRequest> {
  const respond = createResponder(options);
  return { handler: async request => toWebResponse(await respond(request, request)) };
}
