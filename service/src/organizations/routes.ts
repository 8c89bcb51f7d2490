import type { Handlers } from '../http/handler.ts';
import { saveLogo } from '../repositories/organizations.ts';
import { readOrganization, setLogo, updateOrganization, type OrganizationContext } from './organization.ts';

type Names = 'getOrganization' | 'updateOrganization' | 'setOrganizationLogo' | 'deleteOrganizationLogo';

export function organizationRoutes(context: OrganizationContext): Pick<Handlers, Names> {
  return {
    getOrganization: ({ caller }) => readOrganization(context, caller.organizationId),
    updateOrganization: ({ caller, body }) => updateOrganization(context, caller.organizationId, body),
    setOrganizationLogo: ({ caller, body }) => setLogo(context, caller.organizationId, body),
    deleteOrganizationLogo: ({ caller }) => saveLogo(context.db, caller.organizationId, null),
  };
}
