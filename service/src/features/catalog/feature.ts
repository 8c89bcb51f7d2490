import {
  connectLinkLifetimeSeconds,
  type Integrator,
  type ListDefinitionsResponse,
} from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import type { Caller } from '../../shared/auth/caller.ts';
import type { Needs } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { logoUrl } from '../../shared/http/logo-path.ts';
import { findMcpUrl } from '../../shared/repositories/agents.ts';
import { findOrganization, type Organization } from '../../shared/repositories/organizations.ts';
import { requireExistingCustomer } from '../../shared/tenancy/customers.ts';
import { getDefinition, listDefinitions } from './catalog.ts';
import { mountIcons } from './icons.ts';

export function catalog(context: Needs<'db' | 'kinds' | 'apps' | 'publicUrl' | 'syncIntervalMinutes'>) {
  const { db, kinds, apps, publicUrl } = context;
  const iconBase = `${publicUrl}/icons`;
  return {
    handlers: {
      listDefinitions: async ({ caller, query, language }) => {
        await requireExistingCustomer(db, caller.tenant);
        const organization = await findOrganization(db, caller.organizationId);
        const { enabled_kinds: enabledKinds } = organization;
        // Only pages show it.
        const integrator = caller.kind === 'application' ? null : integratorOf(organization, publicUrl);
        // The page of a connect link shows no agents.
        const isPage = caller.kind === 'widget' && caller.link === null;
        const mcpUrl = isPage ? await findMcpUrl(db, publicUrl, caller.organizationId) : null;
        return {
          definitions: listDefinitions(kinds, caller, {
            iconBase,
            enabledKinds,
            nameContains: query.name,
            language,
          }),
          ...(integrator === null ? {} : { integrator }),
          ...rightsOf(caller, organization),
          ...(mcpUrl === null ? {} : { mcp_url: mcpUrl }),
        };
      },
      getDefinition: async ({ caller, params, language }) => {
        await requireExistingCustomer(db, caller.tenant);
        const hasOAuthApp = async (kind: Kind): Promise<boolean> =>
          (await apps.choiceOf(caller.organizationId, kind)).length > 0;
        const { sync_interval_minutes: minutes } = await findOrganization(db, caller.organizationId);
        return getDefinition(kinds, caller, params.id, {
          iconBase,
          language,
          hasOAuthApp,
          syncIntervalMinutes: minutes ?? context.syncIntervalMinutes,
        });
      },
    },
    pages: () => mountIcons(kinds),
  } satisfies Feature;
}

/** Returns the rights of a token, which only tokens of customers restrict. */
function rightsOf(
  { kind, link, rights }: Caller,
  { long_connect_links: areLinksLong }: Organization,
): Pick<ListDefinitionsResponse, 'rights'> {
  if (kind === 'application') return {};
  return {
    rights: {
      actions: [...rights.granted.allowedActions],
      management: [...rights.granted.allowedManagement],
      ...(link === null ? {} : { replace_account: false }),
      ...(rights.granted.allowedManagement.includes('link')
        ? { max_link_seconds: connectLinkLifetimeSeconds[areLinksLong ? 'maxLong' : 'max'] }
        : {}),
    },
  };
}

/** Returns what users see of an organization, or null if nothing was set. */
function integratorOf(
  { id, display_name: name, logoVersion, support_url }: Organization,
  publicUrl: string,
): Integrator | null {
  if (name === null && logoVersion === null && support_url === null) return null;
  return { name, logo_url: logoUrl(publicUrl, id, logoVersion), support_url };
}
