import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRequestMethod, pathOf, sendResponse, toRequest } from './node-messages.ts';
import type { HelperOptions } from './options.ts';
import { createHandler } from './responder.ts';
import { findMountedRoute } from './route.ts';

/** Options for {@link connectorAuth}. */
export type ConnectorAuthOptions<AppRequest = IncomingMessage> = HelperOptions<AppRequest>;

/**
 * Creates a request listener for `node:http` with the routes of `createConnectorAuth()`, on any mount path.
 * @throws TypeError that lists every invalid option.
 */
export function connectorAuth<AppRequest extends IncomingMessage = IncomingMessage>(
  options: ConnectorAuthOptions<AppRequest>,
): (request: AppRequest, response: ServerResponse) => void {
  const respond = createHandler(options);

  async function handle(appRequest: AppRequest, outgoing: ServerResponse): Promise<void> {
    const route = findMountedRoute(pathOf(appRequest.url));
    const request = toRequest(appRequest, outgoing);
    sendResponse(await respond({ request, appRequest, route }), appRequest, outgoing);
  }

  return (appRequest, outgoing) => {
    if (isRequestMethod(appRequest.method)) handle(appRequest, outgoing).catch(() => outgoing.destroy());
    else outgoing.writeHead(405).end();
  };
}
