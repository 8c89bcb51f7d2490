import type { HelperOptions } from './options.ts';
import { toWebResponse } from './page.ts';
import { createResponder } from './responder.ts';

/** What the helper uses of Hono's context. */
export interface HonoContext {
  readonly req: { readonly raw: Request };
}

/** Options for {@link connectorAuth}. `resolveCustomer` receives Hono's context. */
export type ConnectorAuthOptions<Context> = HelperOptions<Context>;

/**
 * Creates a Hono handler with the routes of `createConnectorAuth()`.
 * @throws TypeError that lists every invalid option.
 */
export function connectorAuth<Context extends HonoContext>(
  options: ConnectorAuthOptions<Context>,
): (context: Context) => Promise<Response> {
  const respond = createResponder(options);
  return async context => toWebResponse(await respond(context.req.raw, context));
}
