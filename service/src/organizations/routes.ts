import type { Handlers } from '../http/handler.ts';
import { readOrganization, updateOrganization, type OrganizationContext } from './organization.ts';

export function organizationRoutes(
  context: OrganizationContext,
): Pick<Handlers, 'getOrganization' | 'updateOrganization'> {
  return {
    getOrganization: ({ caller }) => readOrganization(context, caller.organizationId),
    updateOrganization: ({ caller, body }) => updateOrganization(context, caller.organizationId, body),
  };
}
