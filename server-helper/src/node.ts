import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendResponse, toRequest } from './node-messages.ts';
import type { HelperOptions } from './options.ts';
import { createResponder } from './responder.ts';

/** Options for {@link connectorAuth}. */
export type ConnectorAuthOptions<AppRequest = IncomingMessage> = HelperOptions<AppRequest>;

/**
 * Creates a request listener for `node:http` with the routes of `createConnectorAuth()`, on any mount path.
 * @throws TypeError that lists every invalid option.
 */
export function connectorAuth<AppRequest extends IncomingMessage = IncomingMessage>(
  options: ConnectorAuthOptions<AppRequest>,
): (request: AppRequest, response: ServerResponse) => void {
  const respond = createResponder(options);
  return (appRequest, outgoing) => {
    respond(toRequest(appRequest, outgoing), appRequest)
      .then(response => sendResponse(response, appRequest, outgoing))
      .catch(() => outgoing.destroy());
  };
}
