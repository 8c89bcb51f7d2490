import { createConnectorAuth, type ConnectorAuth } from './create-connector-auth.ts';
import type { HelperOptions } from './options.ts';

/** Options for {@link connectorAuth}. */
export type ConnectorAuthOptions<AppRequest = Request> = HelperOptions<AppRequest>;

type RouteHandlers<Handler> = Readonly<Record<'GET' | 'HEAD' | 'POST' | 'DELETE' | 'OPTIONS', Handler>>;

/**
 * Creates Next.js route handlers with the routes of `createConnectorAuth()`, for the file `route.ts` in a folder
 * like `app/connector-auth/[...path]`.
 * @throws TypeError that lists every invalid option.
 */
export function connectorAuth<AppRequest extends Request = Request>(
  options: ConnectorAuthOptions<AppRequest>,
): RouteHandlers<ConnectorAuth<AppRequest>['handler']> {
  const { handler } = createConnectorAuth(options);
  return { GET: handler, HEAD: handler, POST: handler, DELETE: handler, OPTIONS: handler };
}
