import { agentScopeNames, uuid } from '@connector-auth/api';
import { Router, type Request, type RequestHandler } from 'express';
import { addressKey, limitPerMinute } from '../../platform/concurrency/rate-limit.ts';
import type { Needs } from '../../shared/core.ts';
import { respondToPreflight } from '../../shared/http/cors.ts';
import { findSignInOrganization, mcpAddress } from '../../shared/repositories/agents.ts';
import { findOrganization } from '../../shared/repositories/organizations.ts';

/** The addresses of the MCP server: the first organization that enabled sign-in also has the one without an id. */
export const mcpPaths = ['/mcp', '/mcp/{organization_id}'] as const;
const wellKnown = '/.well-known/oauth-protected-resource';

/** An address of the MCP server, which is what the tokens of agents are for. */
export interface McpResource {
  /** Null at the address that names no organization. */
  readonly organizationId: string | null;
  readonly url: string;
  /** Where its metadata is (RFC 9728, section 3.1). */
  readonly metadataUrl: string;
}

/** Returns the address that a request is for. Null if its path contains something else than an organization's id. */
export function resourceOf(publicUrl: string, { params }: Pick<Request, 'params'>): McpResource | null {
  const { organization_id: given } = params;
  const id = given === undefined ? null : uuid.safeParse(given).data?.toLowerCase();
  if (id === undefined) return null;
  return {
    organizationId: id,
    url: mcpAddress(publicUrl, id),
    metadataUrl: mcpAddress(`${publicUrl}${wellKnown}`, id),
  };
}

/**
 * Serves the metadata of the MCP server (RFC 9728), with which clients find the authorization server. Also at the root, where
 * some clients look for it. Pages of all origins can read it, because it is the same for everyone.
 */
export function mountResourceMetadata({
  anonymous: db,
  publicUrl,
  clock,
}: Needs<'anonymous' | 'publicUrl' | 'clock'>): Router {
  const limit = limitPerMinute('agent-metadata', 600, clock);
  const router = Router({ caseSensitive: true, strict: true });
  for (const path of [wellKnown, ...mcpPaths.map(resource => `${wellKnown}${resource}`)]) {
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    const prepare: RequestHandler = (request, response, next) => {
      response.locals.route = path;
      response.set('Access-Control-Allow-Origin', '*');
      limit.take(addressKey(request.ip ?? ''));
      next();
    };
    route
      .all(prepare)
      .options((request, response) => respondToPreflight(request, response, ['GET'], mcpHeaders));
    route.get(async (request, response, next) => {
      const resource = resourceOf(publicUrl, request);
      const organizationId = resource && (await findSignInOrganization(db, publicUrl, resource.url));
      if (resource === null || organizationId === null) return next();
      const { display_name, name } = await findOrganization(db, organizationId);
      response.set('Cache-Control', 'no-store').json({
        resource: resource.url,
        authorization_servers: [publicUrl],
        // Also those that a person allows rarely: some clients ask for them only if they are listed.
        scopes_supported: agentScopeNames,
        bearer_methods_supported: ['header'],
        resource_name: display_name ?? name,
      });
    });
  }
  return router;
}

/** The headers of the protocol, which browsers send to other origins only if they are allowed. */
export const mcpHeaders = [
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
];
