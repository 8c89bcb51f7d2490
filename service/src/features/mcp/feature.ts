import { ConnectorAuthError } from '@connector-auth/api';
import { Router, type RequestHandler } from 'express';
import type { VerifyAgentToken } from '../../shared/auth/agent-token.ts';
import type { AuthenticatedRequest } from '../../shared/auth/authenticate.ts';
import type { Needs } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { limitAddresses, type Admission } from '../../shared/http/admission.ts';
import { maxBodyKiB, readJsonBody } from '../../shared/http/body.ts';
import { allowPageOrigins, respondToPreflight } from '../../shared/http/cors.ts';
import { abortOnDisconnect, rejectMethod } from '../../shared/http/mount-endpoints.ts';
import {
  challenge,
  createCheckScope,
  createMcpAuthenticate,
  hasNoToken,
  type McpAuthentication,
} from './authenticate.ts';
import type { HostedContext, McpCall } from './hosted-sources.ts';
import { mcpHeaders, mcpPaths, mountResourceMetadata, resourceOf, type McpResource } from './resource.ts';
import type { RespondToMcp } from './respond.ts';

type Need = 'db' | 'anonymous' | 'kinds' | 'authenticate' | 'audit' | 'publicUrl' | 'clock' | 'log';

/**
 * The MCP server: Streamable HTTP without sessions, for the current revision of the protocol and that of 2025.
 * Every request is authenticated. Pages of other origins, also those whose name is rebound to this address, can use only the
 * tokens of agents: a page has one only if a person has allowed it, and browsers add none by themselves.
 */
export function mcp(
  core: Needs<Need>,
  admission: Admission,
  handlers: HostedContext['handlers'],
  verifyToken: VerifyAgentToken,
) {
  const context = { ...core, handlers, audit: { log: core.audit, isRequired: false }, verifyToken };
  return {
    callerRoutes: () => mountMcp(context, admission),
    pages: () => mountResourceMetadata(core),
  } satisfies Feature;
}

function mountMcp(
  context: HostedContext & McpAuthentication & Needs<'anonymous' | 'publicUrl'>,
  admission: Admission,
): Router {
  let loading: Promise<RespondToMcp> | null = null;
  // The SDK takes 25 MB, so it is loaded with the first request.
  const load = () => (loading ??= import('./respond.ts').then(({ createRespond }) => createRespond(context)));
  const authenticate = createMcpAuthenticate(context);
  const checkScope = createCheckScope(context.clock);
  const at =
    (handle: (resource: McpResource, ...http: Parameters<RequestHandler>) => unknown): RequestHandler =>
    (request, response, next) => {
      const resource = resourceOf(context.publicUrl, request);
      return resource === null ? next() : handle(resource, request, response, next);
    };

  const respondToMessage = at(async (resource, request, response) => {
    const { headers, ip: address = '' } = request;
    const { locals } = response;
    const reportRejection: AuthenticatedRequest['reportRejection'] = rejection => {
      locals.rejection = rejection;
    };
    const authenticated = await authenticate({ headers, address, reportRejection }, resource, response).catch(
      async (error: unknown) => {
        await admission.admit(null, request, response);
        if (error instanceof ConnectorAuthError && error.status === 401)
          await challenge(context, resource, response);
        throw error;
      },
    );
    const { caller, agent } = authenticated;
    locals.caller = caller;
    await admission.admit(caller, request, response);
    const body = await readJsonBody(request, maxBodyKiB.withToken);
    const declinedScope = agent && checkScope(agent, body, resource, response);
    const call: McpCall = {
      ...authenticated,
      declinedScope,
      requestId: locals.requestId,
      address,
      audit: details => {
        if (details.connectorId) locals.connector = details;
      },
      signal: abortOnDisconnect(response),
      onClose: callback => void (response.closed ? callback() : response.once('close', callback)),
    };
    response.set('Cache-Control', 'no-store');
    const respond = await load();
    await respond(call, body, { request, response });
  });

  // Some clients look with another method whether they need a token.
  const challengeWithoutToken = at(async (resource, request, response, next) => {
    if (hasNoToken(request) && (await challenge(context, resource, response)))
      throw new ConnectorAuthError('token_missing', 'Send the header Authorization: Bearer <token>');
    next();
  });

  const router = Router({ caseSensitive: true });
  for (const path of mcpPaths) {
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    route.all((request, response, next) => {
      response.locals.route = path;
      allowPageOrigins(request, response, ['Mcp-Session-Id']);
      next();
    });
    route.options(limitAddresses(admission), (request, response) =>
      respondToPreflight(request, response, ['POST'], mcpHeaders),
    );
    route.post(respondToMessage);
    route.all(
      limitAddresses(admission),
      challengeWithoutToken,
      at((_resource, _request, response) => rejectMethod(response, ['POST'])),
    );
  }
  return router;
}
