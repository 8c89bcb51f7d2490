import { agentScopes, type AgentScope, type DataRight } from '@connector-auth/api';
import type { ScopedCaller } from './caller.ts';
import { Rights, type GrantedRights } from './rights.ts';

/** The agent that an access token was issued to, and what it may do with it. */
export interface AgentToken {
  readonly organizationId: string;
  readonly agentId: string;
  readonly customer: { readonly id: string; readonly name: string };
  readonly applicationId: string;
  readonly clientId: string;
  readonly clientName: string | null;
  readonly clientHost: string | null;
  readonly userId: string;
  readonly userName: string;
  /** What both the token and the person allow. */
  readonly scopes: readonly AgentScope[];
  /** What the integrator lets this person allow: what a client can ask for in addition. */
  readonly allowedScopes: readonly AgentScope[];
  /** Keys of kinds. Null allows all. */
  readonly allowedSources: readonly string[] | null;
  readonly allowedData: readonly DataRight[];
  /** When the person last decided. */
  readonly authorizedAt: Date;
  readonly lastUsedAt: Date;
  /** When the token was verified: the issue time for what its agent creates. */
  readonly verifiedAtUs: number;
}

/**
 * Verifies an access token of an agent.
 * @param resource the URL of the MCP server that is called. Tokens for another one are invalid.
 * @returns null if the token is unknown or has expired, or its agent has ended.
 */
export type VerifyAgentToken = (token: string, resource: string) => Promise<AgentToken | null>;

/** Returns whether a token has the form of those of agents. All other tokens contain dots or a prefix. */
export function hasAgentTokenForm(token: string): boolean {
  return /^[\w-]{43}$/.test(token);
}

/** Returns the caller that an agent is: a backend of its customer, with the rights of its scopes. */
export function agentCaller(token: AgentToken): ScopedCaller {
  const { organizationId, agentId, customer, applicationId, userId } = token;
  return {
    kind: 'scoped',
    applicationId,
    organizationId,
    tokenId: agentId,
    issuedAtUs: token.verifiedAtUs,
    customer,
    tenant: { organizationId, customerId: customer.id, linkId: null },
    agent: {
      id: agentId,
      name: agentName(token),
      userId,
    },
    link: null,
    // What a person who may not change data connects is read-only for everyone.
    access: token.allowedScopes.includes('write') ? null : 'read',
    rights: new Rights(rightsOfScopes(token, token.scopes), null),
    replicationDefaults: {},
  };
}

/** Returns what the audit log calls an agent: its host, or in quotes what it says it is called. */
export function agentName({
  clientHost,
  clientName,
  userName,
}: Pick<AgentToken, 'clientHost' | 'clientName' | 'userName'>): string {
  return `${clientHost ?? (clientName === null ? 'App' : `“${clientName}”`)} for ${userName}`;
}

/** Returns the rights that an agent has with these scopes. */
export function rightsOfScopes(
  { allowedSources, allowedData }: Pick<AgentToken, 'allowedSources' | 'allowedData'>,
  scopes: readonly AgentScope[],
): GrantedRights {
  return {
    allowedSources,
    allowedData,
    allowedActions: scopes.flatMap(scope => agentScopes[scope].actions),
    allowedManagement: scopes.flatMap(scope => agentScopes[scope].management),
  };
}
