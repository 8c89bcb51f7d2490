import type { Integrator, ListDefinitionsResponse } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import { linkOf, type Caller } from '../../shared/auth/caller.ts';
import type { Needs } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { logoUrl } from '../../shared/http/logo-path.ts';
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
        await requireExistingCustomer(db, caller);
        const organization = await findOrganization(db, caller.organizationId);
        const { enabledKinds } = organization;
        // Only pages show it.
        const integrator = caller.kind === 'application' ? null : integratorOf(organization, publicUrl);
        return {
          definitions: listDefinitions(kinds, caller, {
            iconBase,
            enabledKinds,
            nameContains: query.name,
            language,
          }),
          ...(integrator === null ? {} : { integrator }),
          ...rightsOf(caller),
        };
      },
      getDefinition: async ({ caller, params, language }) => {
        await requireExistingCustomer(db, caller);
        const hasOAuthApp = async (kind: Kind): Promise<boolean> =>
          (await apps.choiceOf(caller.organizationId, kind)).length > 0;
        const { syncIntervalMinutes } = await findOrganization(db, caller.organizationId);
        return getDefinition(kinds, caller, params.id, {
          iconBase,
          language,
          hasOAuthApp,
          syncIntervalMinutes: syncIntervalMinutes ?? context.syncIntervalMinutes,
        });
      },
    },
    pages: () => mountIcons(kinds),
  } satisfies Feature;
}

/** Returns the rights of a token, which only tokens of customers restrict. */
function rightsOf(caller: Caller): Pick<ListDefinitionsResponse, 'rights'> {
  if (caller.kind === 'application') return {};
  return {
    rights: {
      actions: [...caller.allowedActions],
      management: [...caller.allowedManagement],
      ...(linkOf(caller) === null ? {} : { replace_account: false }),
    },
  };
}

/** Returns what users see of an organization, or null if nothing was set. */
function integratorOf(
  { id, displayName, logoVersion, supportUrl }: Organization,
  publicUrl: string,
): Integrator | null {
  if (displayName === null && logoVersion === null && supportUrl === null) return null;
  return { name: displayName, logo_url: logoUrl(publicUrl, id, logoVersion), support_url: supportUrl };
}
