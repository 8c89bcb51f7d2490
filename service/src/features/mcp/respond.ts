import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { ConnectorAuthError, readUntrustedJson } from '@connector-auth/api';
import { createToolServer, declaresUrls, toPlainJson } from '@connector-auth/connectors/mcp';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isInitializeRequest,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import type { Log } from '../../platform/log/log.ts';
import { packageVersion } from '../../shared/http/openapi.ts';
import { openSources, rightsOf, type HostedContext, type McpCall } from './hosted-sources.ts';

/** Responds to an authenticated request, whose body is JSON. @throws ConnectorAuthError `malformed_request`. */
export type RespondToMcp = (
  call: McpCall,
  body: unknown,
  http: { readonly request: Request; readonly response: Response },
) => Promise<void>;

export function createRespond(context: HostedContext & { readonly log: Log }): RespondToMcp {
  const { log } = context;
  const version = packageVersion();
  const calls = new AsyncLocalStorage<McpCall & { readonly opensUrls: boolean }>();
  const handler = createMcpHandler(
    () => {
      const call = calls.getStore();
      if (call === undefined) throw new Error('An MCP server can only be created for a request');
      const { requestId, signal, opensUrls } = call;
      return createToolServer({
        version,
        rights: rightsOf(call),
        open: ({ customerName }) => openSources(context, call, customerName),
        opensUrls,
        requestId,
        signal,
        onUnexpectedError: error => log.error('tool_failed', { request_id: requestId, error }),
      });
    },
    { maxSubscriptions: 0, onerror: error => log.debug('mcp_request_rejected', { error }) },
  );
  const respond = toNodeHandler(handler);
  return async (call, body, { request, response }) => {
    const message = await readMessage(body);
    if (message.method === 'initialize' && declaresUrls(message.params?.capabilities)) {
      response.set(sessionHeader, `${opensUrlsPrefix}${randomUUID()}`);
    }
    const opensUrls = request.get(sessionHeader)?.startsWith(opensUrlsPrefix) ?? false;
    await calls.run({ ...call, opensUrls }, () => respond(request, response, message));
  };
}

const sessionHeader = 'Mcp-Session-Id';
/**
 * Clients of 2025 declare only in their handshake that they open URLs. The id of their session repeats it, so that no
 * session has to be stored.
 */
const opensUrlsPrefix = 'opens-urls.';

interface Message {
  readonly method?: unknown;
  readonly params?: {
    readonly arguments?: unknown;
    readonly capabilities?: unknown;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

/**
 * Returns a message for the SDK, which cannot serialize long integers: they become strings. Arguments can also be JSON
 * in a string, as some agents send them.
 * @throws ConnectorAuthError `malformed_request` if the body is not one JSON-RPC message, or an invalid `initialize`.
 */
async function readMessage(body: unknown): Promise<Message> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ConnectorAuthError(
      'malformed_request',
      'Send one JSON-RPC message as the body of each request',
    );
  }
  const message = toPlainJson(body) as Message;
  // The SDK would respond with the text of its validator. Since 2026-07-28, the method is unknown, which the SDK reports.
  const namesRevision = message.params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined;
  if (message.method === 'initialize' && !namesRevision && !isInitializeRequest(body)) {
    throw new ConnectorAuthError(
      'malformed_request',
      'initialize needs params with protocolVersion, capabilities, and clientInfo with a name and a version',
    );
  }
  const given = message.params?.arguments;
  if (typeof given !== 'string') return message;
  const parsed = await readUntrustedJson(given, 'params.arguments');
  return { ...message, params: { ...message.params, arguments: toPlainJson(parsed) } };
}
