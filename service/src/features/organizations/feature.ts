import type { BootstrapConfiguration } from '../../platform/config/configuration.ts';
import { defaultPageSize } from '../../platform/database/paging.ts';
import type { Needs } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { operatorFields } from '../../shared/http/operator-fields.ts';
import { listDeletions } from '../../shared/repositories/organization-deletions.ts';
import { listOrganizations, saveLogo } from '../../shared/repositories/organizations.ts';
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
import { bootstrap } from './bootstrap.ts';
import { readDeletion, requestDeletion, startOrganizationDeletions } from './deletion.ts';
import { mountLogos } from './logos.ts';
import { listOwnOrganizations, readOrganization, setLogo, updateOrganization } from './organization.ts';

export function organizations(context: AdministrationContext & Needs<'anonymous' | 'secrets' | 'audit'>) {
  const feature = {
    handlers: {
      listOrganizations: ({ caller }) => listOwnOrganizations(context, caller.applicationId),
      getOrganization: ({ caller }) => readOrganization(context, caller.organizationId),
      updateOrganization: ({ caller, body }) => updateOrganization(context, caller.organizationId, body),
      setOrganizationLogo: ({ caller, body }) => setLogo(context, caller.organizationId, body),
      deleteOrganizationLogo: async ({ caller }) =>
        void (await saveLogo(context.db, caller.organizationId, null)),
    },
    adminHandlers: {
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
      deleteOrganization: call => requestDeletion(context, operatorFields(call), call.params.organization_id),
      listOrganizationDeletions: ({ query: { limit = defaultPageSize, cursor } }) =>
        listDeletions(context.db, { limit, cursor }),
      getOrganizationDeletion: ({ params }) => readDeletion(context, params.organization_id),
    },
    pages: () => mountLogos(context.anonymous),
    start: () => startOrganizationDeletions(context),
  } satisfies Feature;
  return {
    ...feature,
    bootstrap: (wanted: BootstrapConfiguration | null) => bootstrap(context, wanted),
  };
}
