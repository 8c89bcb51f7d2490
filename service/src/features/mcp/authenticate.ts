import { ConnectorAuthError, defaultAgentScopes, type AgentScope, type Clock } from '@connector-auth/api';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { addressKey, limitPerMinute } from '../../platform/concurrency/rate-limit.ts';
import {
  agentCaller,
  hasAgentTokenForm,
  type AgentToken,
  type VerifyAgentToken,
} from '../../shared/auth/agent-token.ts';
import type { AuthenticatedRequest } from '../../shared/auth/authenticate.ts';
import { bearerToken } from '../../shared/auth/bearer-token.ts';
import type { Needs } from '../../shared/core.ts';
import { reportLimit } from '../../shared/http/limit-headers.ts';
import { findSignInOrganization, markAgentUsed } from '../../shared/repositories/agents.ts';
import type { McpCall } from './hosted-sources.ts';
import type { McpResource } from './resource.ts';

/** Widget tokens are for pages, which use the API itself. */
const callers = ['application', 'scoped'] as const;
const lastUsedAccuracyMs = 60_000;
/** How long an agent does not ask for a scope that its person was asked for and left out. */
const respectDecisionMs = 3_600_000;

export type McpAuthentication = Needs<'db' | 'authenticate' | 'clock' | 'log'> & {
  readonly verifyToken: VerifyAgentToken;
};

type Authenticated = Pick<McpCall, 'caller' | 'agent'>;

/**
 * Creates the function that authenticates a request to the MCP server: by a token of an application or of its customer, as
 * endpoints do, or by the token of an agent that was issued for this address.
 */
export function createMcpAuthenticate({ db, authenticate, verifyToken, clock, log }: McpAuthentication) {
  // Each process counts for itself. An agent has one person, who waits for what it does.
  const byAgent = limitPerMinute('agent', 300, clock);
  const byClient = limitPerMinute('agent-client', 3000, clock);
  // Verifying a token takes a query. Clients of many people can have few addresses, and each has expired tokens now and then.
  const unverified = limitPerMinute('agent-token-rejections', 600, clock);

  return async (
    request: AuthenticatedRequest,
    { url, organizationId }: McpResource,
    response: Response,
  ): Promise<Authenticated> => {
    const { headers, address, reportRejection } = request;
    const token = bearerToken(headers.authorization);
    if (token === null || !hasAgentTokenForm(token)) {
      const chosen = organizationId === null ? {} : { 'x-organization-id': organizationId };
      const caller = await authenticate({ ...request, headers: { ...headers, ...chosen } }, { callers });
      // `authenticate` rejects other kinds of token.
      if (caller.kind === 'widget') throw new Error('Widget tokens are rejected');
      return { caller, agent: null };
    }
    unverified.take(addressKey(address));
    const agent = await verifyToken(token, url);
    if (agent === null) {
      reportRejection({ event: 'token_rejected', reason: 'token_invalid', kind: 'agent' });
      throw new ConnectorAuthError(
        'token_invalid',
        'The token has expired, was revoked, or is for another address of the MCP server: refresh it, or sign in again',
      );
    }
    unverified.refund(addressKey(address));
    const caller = agentCaller(agent);
    response.locals.caller = caller;
    reportLimit(response, byAgent.take(agent.agentId));
    reportLimit(response, byClient.take(`${agent.organizationId} ${agent.clientId}`));
    if (clock.now() - agent.lastUsedAt.getTime() > lastUsedAccuracyMs) {
      // The response does not wait for it.
      void markAgentUsed(db, agent).catch((error: unknown) => log.warn('agent_use_not_stored', { error }));
    }
    return { caller, agent };
  };
}

/**
 * Adds to the response how a client gets a token, if agents can sign in at this address. Returns whether they can.
 * (MCP authorization, RFC 9728, section 5.1.)
 */
export async function challenge(
  { anonymous, publicUrl }: Needs<'anonymous' | 'publicUrl'>,
  resource: McpResource,
  { locals }: Response,
): Promise<boolean> {
  if ((await findSignInOrganization(anonymous, publicUrl, resource.url)) === null) return false;
  locals.challenge = { resource_metadata: resource.metadataUrl, scope: defaultAgentScopes.join(' ') };
  return true;
}

/** Returns whether a request has no token. */
export function hasNoToken({ headers }: Request): boolean {
  return bearerToken(headers.authorization) === null;
}

/**
 * Creates the function that checks the scope of a tool call. If the token lacks it, but the person can allow it, the call is
 * rejected before anything runs, so that the client asks them. If they then leave it out, the function returns this scope for an
 * hour: clients that are rejected would ask them again at once. The challenge contains the scopes that the token has, because
 * clients of 2025 replace it with one for these.
 * @throws ConnectorAuthError `action_not_allowed`, which the challenge calls `insufficient_scope` (RFC 6750, section 3.1).
 */
export function createCheckScope(clock: Pick<Clock, 'now'>) {
  // Each process asks once.
  const askedAt = new LRUCache<string, number>({ maxSize: 10_000, sizeCalculation: () => 1 });

  return (
    agent: AgentToken,
    body: unknown,
    { url, metadataUrl }: McpResource,
    { locals }: Response,
  ): AgentScope | null => {
    const { method, params } = (body ?? {}) as {
      readonly method?: unknown;
      readonly params?: { readonly name?: unknown } | null;
    };
    if (method !== 'tools/call') return null;
    // The scopes have the names of the tools that need them. Other tools need none.
    const needed = agent.allowedScopes.find(scope => scope === params?.name);
    if (needed === undefined || agent.scopes.includes(needed)) return null;
    // A consent for more makes another agent.
    const key = JSON.stringify([url, agent.customer.id, agent.userId, agent.clientId, needed]);
    const decidedAt = agent.authorizedAt.getTime();
    const hasDecided = decidedAt > (askedAt.get(key) ?? Infinity);
    if (hasDecided && clock.now() - decidedAt < respectDecisionMs) return needed;
    askedAt.set(key, clock.now());
    const scopes: readonly AgentScope[] = [...agent.scopes, needed];
    const message = `The tool ${needed} needs the scope ${needed}, which the person has not allowed yet: sign in again with it`;
    locals.challenge = {
      error: 'insufficient_scope',
      error_description: message,
      resource_metadata: metadataUrl,
      scope: scopes.join(' '),
    };
    throw new ConnectorAuthError('action_not_allowed', message);
  };
}
