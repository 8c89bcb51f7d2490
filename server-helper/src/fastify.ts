import type { IncomingMessage, ServerResponse } from 'node:http';
import { toRequest } from './node-messages.ts';
import type { HelperOptions } from './options.ts';
import { toWebResponse } from './page.ts';
import { createResponder } from './responder.ts';

/** What the helper uses of Fastify's request. */
export interface FastifyRequest {
  readonly raw: IncomingMessage;
}

/** What the helper uses of a Fastify instance. */
export interface FastifyInstance<AppRequest> {
  removeAllContentTypeParsers: () => void;
  addContentTypeParser: (
    contentType: string,
    parse: (request: AppRequest, body: unknown, done: (error: null) => void) => void,
  ) => unknown;
  all: (
    path: string,
    handler: (request: AppRequest, reply: { readonly raw: ServerResponse }) => Promise<Response>,
  ) => unknown;
}

/** Options for {@link connectorAuth}. */
export type ConnectorAuthOptions<AppRequest> = HelperOptions<AppRequest>;

/**
 * Creates a Fastify plugin with the routes of `createConnectorAuth()`. Register it with a `prefix`.
 * @throws TypeError that lists every invalid option.
 */
export function connectorAuth<AppRequest extends FastifyRequest>(
  options: ConnectorAuthOptions<AppRequest>,
): (fastify: FastifyInstance<AppRequest>) => Promise<void> {
  const respond = createResponder(options);
  return async fastify => {
    // The body is forwarded unread. Only this plugin's routes are affected.
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser('*', (_request, _body, done) => done(null));
    fastify.all('/*', async (appRequest, { raw: outgoing }) => {
      // If the app has responded, Fastify ignores this response, and its body is destroyed when the app's ends.
      return toWebResponse(await respond(toRequest(appRequest.raw, outgoing), appRequest));
    });
  };
}
