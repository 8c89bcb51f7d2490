import type { HelperOptions } from './options.ts';
import { toWebResponse } from './page-response.ts';
import { createHandler } from './responder.ts';
import { findMountedRoute } from './route.ts';

/** The helper for servers that work with web requests. */
export interface ConnectorAuth<AppRequest extends Request = Request> {
  /** Responds to a request on any mount path. Never rejects. */
  readonly handler: (request: AppRequest) => Promise<Response>;
}

/**
 * Creates the routes that pages with the widget call, for servers that work with web requests. The routes act
 * only for the signed-in customer:
 *
 * - `POST …/widget-token` mints a widget token for the page's origin: `{token, expires_in, service_url}`
 * - `GET …/connectors` lists the customer's connectors
 * - `GET …/connectors/:id` and `DELETE …/connectors/:id` return and delete one of them
 * - `POST …/connectors/:id/execute` runs an action on one of them
 * - `GET …/connect-link` confirms to the service who opened a connect link, and redirects
 *
 * Forwards the service's responses unchanged; errors are `application/problem+json`.
 * @throws TypeError that lists every invalid option.
 */
export function createConnectorAuth<AppRequest extends Request = Request>(
  options: HelperOptions<AppRequest>,
): ConnectorAuth<AppRequest> {
  const respond = createHandler(options);
  return {
    handler: async request => {
      const route = findMountedRoute(new URL(request.url).pathname);
      return toWebResponse(await respond({ request, appRequest: request, route }));
    },
  };
}
