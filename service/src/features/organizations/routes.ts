import type { Handlers } from '../../shared/http/handler.ts';
import { saveLogo } from '../../shared/repositories/organizations.ts';
import {
  listOwnOrganizations,
  readOrganization,
  setLogo,
  updateOrganization,
  type OrganizationContext,
} from './organization.ts';

type Names =
  | 'listOrganizations'
  | 'getOrganization'
  | 'updateOrganization'
  | 'setOrganizationLogo'
  | 'deleteOrganizationLogo';

export function organizationRoutes(context: OrganizationContext): Pick<Handlers, Names> {
  return {
    listOrganizations: ({ caller }) => listOwnOrganizations(context, caller.applicationId),
    getOrganization: ({ caller }) => readOrganization(context, caller.organizationId),
    updateOrganization: ({ caller, body }) => updateOrganization(context, caller.organizationId, body),
    setOrganizationLogo: ({ caller, body }) => setLogo(context, caller.organizationId, body),
    deleteOrganizationLogo: async ({ caller }) =>
      void (await saveLogo(context.db, caller.organizationId, null)),
  };
}
