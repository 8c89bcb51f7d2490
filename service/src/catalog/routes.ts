import type { Kind } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import type { OAuthApps } from '../credentials/oauth-apps.ts';
import type { Tables } from '../database/tables.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import type { Handlers } from '../http/handler.ts';
import { requireExistingCustomer } from '../tenancy/customers.ts';
import { getDefinition, listDefinitions } from './catalog.ts';

/** @param publicUrl base URL for icons. */
export function catalogRoutes(
  db: Kysely<Tables>,
  kinds: KindRegistry,
  apps: OAuthApps,
  publicUrl: string,
): Pick<Handlers, 'listDefinitions' | 'getDefinition'> {
  const iconBase = `${publicUrl}/icons`;
  return {
    listDefinitions: async ({ caller, query }) => {
      await requireExistingCustomer(db, caller);
      return { definitions: listDefinitions(kinds, caller, iconBase, query.name) };
    },
    getDefinition: async ({ caller, params }) => {
      await requireExistingCustomer(db, caller);
      const hasOAuthApp = async (kind: Kind): Promise<boolean> =>
        (await apps.choiceOf(caller.organizationId, kind)).length > 0;
      return getDefinition(kinds, caller, params.id, { iconBase, hasOAuthApp });
    },
  };
}
