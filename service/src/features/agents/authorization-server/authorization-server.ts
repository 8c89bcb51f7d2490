import type { IncomingMessage, ServerResponse } from 'node:http';
import { agentScopeNames, type AgentScope } from '@connector-auth/api';
import { Router } from 'express';
import type { Provider } from 'oidc-provider';
import { addressKey, createRateLimit, limitPerMinute } from '../../../platform/concurrency/rate-limit.ts';
import type { Needs } from '../../../shared/core.ts';
import { exceedsLimit } from '../../../shared/pages/limit.ts';
import { findSignInOrganization, isAgentSignInEnabled } from '../../../shared/repositories/agents.ts';
import { sendErrorPage } from './error-page.ts';
import { deleteOldRecords } from './store.ts';

/** A client's request for access that a person has not decided on yet. */
export interface AgentRequest {
  /** The id of the sign-in, which is in the path of its pages. */
  readonly id: string;
  readonly client: {
    readonly id: string;
    /** What the client says it is called. Null if it does not say. */
    readonly name: string | null;
    /** The host that serves the client's metadata document, which is verified. Null for a registered client. */
    readonly host: string | null;
  };
  /** Where the browser brings the code: an `https` URL, one of this device, or one with an app's own scheme. */
  readonly redirectUri: string;
  /** The URL of the MCP server, and the organization whose login is used there. */
  readonly resource: string;
  readonly organizationId: string;
  /** What the client asks for. */
  readonly scopes: readonly AgentScope[];
}

/** The requests of clients, for the pages that ask a person. */
export interface AgentRequests {
  /**
   * Returns the request with this id, if the browser's signed cookie is that of the request. Null if not, or if it has
   * expired, the organization no longer lets agents sign in, or the client's document cannot be read.
   */
  find(request: IncomingMessage, response: ServerResponse, id: string): Promise<AgentRequest | null>;
  /**
   * Stores that a person has allowed it.
   * @param agentId the row of `agents` that says what is allowed, whose client and resource are those of the request.
   * @returns the URL at which the browser continues, and from where it goes to the client.
   */
  allow(request: IncomingMessage, response: ServerResponse, agentId: string): Promise<string>;
  /** Stores that a person has denied it, and returns the URL at which the browser continues. */
  deny(request: IncomingMessage, response: ServerResponse): Promise<string>;
}

export interface AuthorizationServer {
  /**
   * Creates the routes below `/agents`, except the pages of sign-ins, and that of the server's metadata. They read bodies
   * themselves. They do not exist until an organization lets agents sign in.
   */
  readonly pages: () => Router;
  readonly requests: AgentRequests;
  /** Deletes expired records, and clients that were registered and not used. */
  readonly deleteOldRecords: (closing: AbortSignal) => Promise<void>;
}

type Need = 'db' | 'anonymous' | 'sealer' | 'signingKeys' | 'outbound' | 'publicUrl' | 'clock' | 'log';

/** Creates the authorization server of agents. Its library is loaded with the first request. */
export function createAuthorizationServer(needs: Needs<Need>): AuthorizationServer {
  const { db, anonymous, publicUrl, clock, log } = needs;
  let loading: Promise<Loaded> | null = null;
  const load = (): Promise<Loaded> =>
    (loading ??= import('./provider.ts').then(({ createProvider }) => {
      const provider = createProvider({ ...needs, db: anonymous });
      return { provider, handle: provider.callback() };
    }));

  const browsers = limitPerMinute('agent-sign-ins', 60, clock);
  // Clients of many people can have few addresses.
  const tokens = limitPerMinute('agent-tokens', 600, clock);
  const registrations = createRateLimit(
    { name: 'agent-registrations', events: 'registrations', burst: 30, perMinute: 1 },
    clock,
  );
  const routes = {
    '/agents/authorize': browsers,
    '/agents/authorize/:id': browsers,
    '/agents/token': tokens,
    '/agents/revoke': tokens,
    '/agents/register': registrations,
    '/.well-known/oauth-authorization-server': tokens,
  };

  return {
    pages: () => {
      const router = Router({ caseSensitive: true, strict: true });
      // An issuer with a path has its metadata elsewhere, and no organization can enable the sign-in.
      if (new URL(publicUrl).pathname !== '/') return router;
      for (const [path, limit] of Object.entries(routes)) {
        router.all(path, async (request, response, next) => {
          response.locals.route = path.replace(':id', '{id}');
          if (limit !== browsers) limit.take(addressKey(request.ip ?? ''));
          else if (exceedsLimit(limit, response, log)) {
            const seconds = response.get('Retry-After');
            return sendErrorPage(response, 429, `Too many requests: try again in ${seconds} s`);
          }
          if (!(await isAgentSignInEnabled(anonymous))) return next('router');
          const { handle } = await load();
          // The client's page may have opened this one in a window, and waits for it.
          response.set('Cross-Origin-Opener-Policy', 'unsafe-none');
          await handle(request, response);
        });
      }
      return router;
    },
    requests: {
      find: async (request, response, id) => {
        const { provider } = await load();
        const interaction = await provider.interactionDetails(request, response).catch((error: unknown) => {
          if (error instanceof Error && error.name === 'SessionNotFound') return null;
          throw error;
        });
        if (interaction === null || interaction.uid !== id) return null;
        const { client_id: clientId, redirect_uri: redirectUri, resource, scope } = interaction.params;
        const client = await provider.Client.find(String(clientId)).catch((error: unknown) => {
          if (error instanceof Error && clientErrors.has(error.name)) return undefined;
          throw error;
        });
        const organizationId = await findSignInOrganization(anonymous, publicUrl, String(resource));
        if (client === undefined || organizationId === null) return null;
        const asked = String(scope).split(' ');
        return {
          id,
          client: {
            id: client.clientId,
            name: client.clientName ?? null,
            host: URL.parse(client.clientId)?.host ?? null,
          },
          redirectUri: String(redirectUri),
          resource: String(resource),
          organizationId,
          scopes: agentScopeNames.filter(name => asked.includes(name)),
        };
      },
      allow: async (request, response, agentId) => {
        const result = { login: { accountId: agentId, remember: false }, consent: { grantId: agentId } };
        return (await load()).provider.interactionResult(request, response, result);
      },
      deny: async (request, response) => {
        const result = { error: 'access_denied', error_description: 'The person did not allow access' };
        return (await load()).provider.interactionResult(request, response, result);
      },
    },
    deleteOldRecords: closing => deleteOldRecords(db, closing),
  };
}

/** Names of the library's errors if the document of a client cannot be read any more, or is no longer valid. */
const clientErrors = new Set(['InvalidClient', 'InvalidClientMetadata', 'InvalidRedirectUri']);

interface Loaded {
  readonly provider: Provider;
  readonly handle: ReturnType<Provider['callback']>;
}
