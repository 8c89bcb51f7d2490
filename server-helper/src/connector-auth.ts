import type { IncomingMessage, ServerResponse } from 'node:http';
/** @ts-ignore Only apps with Express have its types. Without them, `Request` is `any`, and no one uses it. */
import type { Request as ExpressRequest } from 'express';
import { sendResponse, setHeaders, toRequest } from './node-messages.ts';
import type { HelperOptions } from './options.ts';
import { logProblem, UnexpectedError } from './problems.ts';
import { createResponder } from './responder.ts';
import { findRoute } from './route.ts';

/** Options for {@link connectorAuth}. */
export type ConnectorAuthOptions<AppRequest = ExpressRequest> = HelperOptions<AppRequest>;

/** Express middleware, for Express 4 and 5. */
export type ConnectorAuthMiddleware<AppRequest = ExpressRequest> = (
  request: AppRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Creates Express middleware with the routes of `createConnectorAuth()`. Passes other paths, TRACE, and errors
 * thrown by your own functions, to the app. Mount it before `express.json()`.
 * @throws TypeError that lists every invalid option.
 */
export function connectorAuth<AppRequest extends IncomingMessage = ExpressRequest>(
  options: ConnectorAuthOptions<AppRequest>,
): ConnectorAuthMiddleware<AppRequest> {
  const respond = createResponder(options, problem => {
    // The app's own error handler receives the others.
    if (!(problem instanceof UnexpectedError)) logProblem(problem);
  });

  return (appRequest, outgoing, next) => {
    // Express removes the mount path.
    const path = appRequest.url?.replace(/\?.*$/s, '') ?? '';
    const route = findRoute(path, '^');
    if (route === null || appRequest.method === 'TRACE') return next();
    const handle = async (): Promise<void> => {
      const response = await respond(toRequest(appRequest, outgoing), appRequest, route);
      const { problem } = response;
      if (!(problem instanceof UnexpectedError)) return sendResponse(response, appRequest, outgoing);
      const { 'content-type': _type, 'content-security-policy': _policy, ...headers } = response.headers;
      setHeaders(headers, outgoing);
      next(problem.cause);
    };
    // Express 4 does not wait for promises, so that a rejection would end the process.
    handle().catch(() => outgoing.destroy());
  };
}
