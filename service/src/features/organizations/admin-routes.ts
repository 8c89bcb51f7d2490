import type { AdminHandlers } from '../../shared/http/handler.ts';
import { operatorFields } from '../../shared/http/operator-fields.ts';
import { listOrganizations } from '../../shared/repositories/organizations.ts';
import {
  changeLogo,
  createOrganization,
  disableOrganization,
  editOrganization,
  enableOrganization,
  readAdminOrganization,
  toAdminOrganization,
  type AdministrationContext,
} from './administration.ts';

type Names =
  | 'listOrganizations'
  | 'createOrganization'
  | 'getOrganization'
  | 'editOrganization'
  | 'setLogo'
  | 'deleteLogo'
  | 'disableOrganization'
  | 'enableOrganization';

export function organizationAdminRoutes(context: AdministrationContext): Pick<AdminHandlers, Names> {
  return {
    listOrganizations: async ({ query }) => {
      const { rows, meta } = await listOrganizations(context.db, query);
      return { data: rows.map(row => toAdminOrganization(row, context.publicUrl)), meta };
    },
    createOrganization: call => createOrganization(context, operatorFields(call), call.body),
    getOrganization: ({ params }) => readAdminOrganization(context, params.organization_id),
    editOrganization: call =>
      editOrganization(context, operatorFields(call), call.params.organization_id, call.body),
    setLogo: async call => {
      const { organization_id: id } = call.params;
      await changeLogo(context, operatorFields(call), id, call.body);
      return readAdminOrganization(context, id);
    },
    deleteLogo: call => changeLogo(context, operatorFields(call), call.params.organization_id, null),
    disableOrganization: call =>
      disableOrganization(context, operatorFields(call), call.params.organization_id),
    enableOrganization: call =>
      enableOrganization(context, operatorFields(call), call.params.organization_id),
  };
}
