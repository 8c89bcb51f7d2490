import { createConnectorAuth, type ConnectorAuth } from './create-connector-auth.ts';
import type { HelperOptions } from './options.ts';

/** Options for {@link connectorAuth}. */
export type ConnectorAuthOptions<AppRequest = Request> = HelperOptions<AppRequest>;

type RouteHandlers<Handler> = Readonly<Record<'GET' | 'HEAD' | 'POST' | 'DELETE' | 'OPTIONS', Handler>>;

/**
 * Creates Next.js route handlers with the routes of `createConnectorAuth()`, for the file `route.ts` in a folder
 * like `app/connector-auth/[...path]`.
 * @throws TypeError that lists every invalid option, except during `next build`.
 */
export function connectorAuth<AppRequest extends Request = Request>(
  options: ConnectorAuthOptions<AppRequest>,
): RouteHandlers<ConnectorAuth<AppRequest>['handler']> {
  let created: ConnectorAuth<AppRequest> | null = null;
  const create = (): ConnectorAuth<AppRequest> => (created ??= createConnectorAuth(options));
  // The build imports every route, and often runs without the variables of the server.
  if (process.env['NEXT_PHASE'] !== 'phase-production-build') create();
  const handler = async (request: AppRequest): Promise<Response> => create().handler(request);
  return { GET: handler, HEAD: handler, POST: handler, DELETE: handler, OPTIONS: handler };
}
