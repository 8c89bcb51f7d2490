import { Router } from 'express';
import type { Authenticate, AuthenticatedRequest } from '../../shared/auth/authenticate.ts';
import type { Needs } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { limitAddresses, type Admission } from '../../shared/http/admission.ts';
import { maxBodyKiB, readJsonBody } from '../../shared/http/body.ts';
import { abortOnDisconnect, rejectMethod } from '../../shared/http/mount-endpoints.ts';
import type { HostedContext, McpCall } from './hosted-sources.ts';
import type { RespondToMcp } from './respond.ts';

const path = '/mcp';
/** Widget tokens are for pages, which use the API itself. */
const callers = ['application', 'scoped'] as const;

/**
 * The MCP server: Streamable HTTP without sessions, for the current revision of the protocol and that of 2025.
 * Every request is authenticated as one to an endpoint, which also rejects pages of other origins, so that a page whose
 * name is rebound to this address cannot use it.
 */
export function mcp(
  {
    db,
    kinds,
    authenticate,
    audit,
    clock,
    log,
  }: Needs<'db' | 'kinds' | 'authenticate' | 'audit' | 'clock' | 'log'>,
  admission: Admission,
  handlers: HostedContext['handlers'],
) {
  const context = { db, kinds, handlers, audit: { log: audit, isRequired: false }, clock, log };
  return { callerRoutes: () => mountMcp(context, authenticate, admission) } satisfies Feature;
}

function mountMcp(
  context: HostedContext & Needs<'log'>,
  authenticate: Authenticate,
  admission: Admission,
): Router {
  let loading: Promise<RespondToMcp> | null = null;
  // The SDK takes 25 MB, so it is loaded with the first request.
  const load = () => (loading ??= import('./respond.ts').then(({ createRespond }) => createRespond(context)));
  const router = Router({ caseSensitive: true });
  const route = router.route(path);
  route.all((_request, response, next) => {
    response.locals.route = path;
    next();
  });
  route.post(async (request, response) => {
    const { headers, ip: address = '' } = request;
    const { locals } = response;
    const reportRejection: AuthenticatedRequest['reportRejection'] = rejection => {
      locals.rejection = rejection;
    };
    const caller = await authenticate({ headers, address, reportRejection }, { callers }).catch(
      async (error: unknown) => {
        await admission.admit(null, request, response);
        throw error;
      },
    );
    // `authenticate` rejects other kinds of token.
    if (caller.kind === 'widget') throw new Error('Widget tokens are rejected');
    locals.caller = caller;
    await admission.admit(caller, request, response);
    const body = await readJsonBody(request, maxBodyKiB.withToken);
    const call: McpCall = {
      caller,
      requestId: locals.requestId,
      address,
      signal: abortOnDisconnect(response),
      onClose: callback => void (response.closed ? callback() : response.once('close', callback)),
    };
    response.set('Cache-Control', 'no-store');
    const respond = await load();
    await respond(call, body, { request, response });
  });
  route.all(limitAddresses(admission), rejectMethod(['POST']));
  return router;
}
