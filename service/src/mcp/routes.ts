import { AsyncLocalStorage } from 'node:async_hooks';
import { ConnectorAuthError } from '@connector-auth/api';
import { createToolServer, toPlainJson } from '@connector-auth/connectors/mcp';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { Router } from 'express';
import type { Authenticate } from '../auth/authenticate.ts';
import { limitAddresses, type Admission } from '../http/admission.ts';
import { maxBodyKiB, parseJsonText, readJsonBody } from '../http/body.ts';
import { abortOnDisconnect, rejectMethod } from '../http/mount-endpoints.ts';
import { packageVersion } from '../http/openapi.ts';
import type { Log } from '../log/log.ts';
import { openSources, rightsOf, type HostedContext, type McpCall } from './hosted-sources.ts';

export interface McpOptions extends HostedContext {
  readonly authenticate: Authenticate;
  readonly admission: Admission;
  readonly log: Log;
}

const path = '/mcp';
/** Widget tokens are for pages, which use the API itself. */
const callers = ['application', 'scoped'] as const;

/**
 * Mounts the MCP server: Streamable HTTP without sessions, for the current revision of the protocol and that of 2025.
 * Every request is authenticated as one to an endpoint, which also rejects pages of other origins, so that a page whose
 * name is rebound to this address cannot use it.
 */
export function mountMcp(options: McpOptions): Router {
  const { authenticate, admission, log } = options;
  const version = packageVersion();
  const calls = new AsyncLocalStorage<McpCall>();
  const handler = createMcpHandler(
    () => {
      const call = calls.getStore();
      if (call === undefined) throw new Error('An MCP server can only be created for a request');
      const { caller, requestId, signal } = call;
      return createToolServer({
        version,
        rights: rightsOf(caller),
        open: ({ customerName }) => openSources(options, call, customerName),
        requestId,
        signal,
        onUnexpectedError: error => log.error('tool_failed', { request_id: requestId, error }),
      });
    },
    { maxSubscriptions: 0, onerror: error => log.debug('mcp_request_rejected', { error }) },
  );
  const respond = toNodeHandler(handler);
  const router = Router({ caseSensitive: true });
  const route = router.route(path);
  route.all((_request, response, next) => {
    response.locals.route = path;
    next();
  });
  route.post(async (request, response) => {
    const { headers, ip: address = '' } = request;
    const { requestId } = response.locals;
    const caller = await authenticate({ headers, address, requestId }, { callers }).catch(
      async (error: unknown) => {
        await admission.admit(null, request, response);
        throw error;
      },
    );
    // `authenticate` rejects other kinds of token.
    if (caller.kind === 'widget') throw new Error('Widget tokens are rejected');
    response.locals.caller = caller;
    await admission.admit(caller, request, response);
    const message = readMessage(await readJsonBody(request, maxBodyKiB.withToken));
    const call: McpCall = {
      caller,
      requestId,
      address,
      signal: abortOnDisconnect(response),
      onClose: callback => void (response.closed ? callback() : response.once('close', callback)),
    };
    response.set('Cache-Control', 'no-store');
    await calls.run(call, () => respond(request, response, message));
  });
  route.all(limitAddresses(admission), rejectMethod(['POST']));
  return router;
}

/**
 * Returns a message for the SDK, which cannot serialize long integers: they become strings. Arguments can also be JSON
 * in a string, as some agents send them.
 * @throws ConnectorAuthError `malformed_request` if the body is not one JSON-RPC message.
 */
function readMessage(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ConnectorAuthError(
      'malformed_request',
      'Send one JSON-RPC message as the body of each request',
    );
  }
  const message = toPlainJson(body) as { params?: { arguments?: unknown } };
  const given = message.params?.arguments;
  if (typeof given !== 'string') return message;
  return { ...message, params: { ...message.params, arguments: toPlainJson(parseJsonText(given)) } };
}
