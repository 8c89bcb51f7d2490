import type { Feature } from '../../shared/feature.ts';
import { operatorFields } from '../../shared/http/operator-fields.ts';
import { listApplications } from '../../shared/repositories/applications.ts';
import {
  adoptApplication,
  createApplication,
  createSecret,
  deleteSecret,
  disableApplication,
  editApplication,
  enableApplication,
  requireApplication,
  toAdminApplication,
  type ApplicationsContext,
} from './applications.ts';

export function applications(context: ApplicationsContext) {
  return {
    adminHandlers: {
      listApplications: async ({ query }) => {
        const { rows, meta } = await listApplications(context.db, query);
        return { data: rows.map(toAdminApplication), meta };
      },
      createApplication: call => createApplication(context, operatorFields(call), call.body),
      getApplication: async ({ params }) =>
        toAdminApplication(await requireApplication(context.db, params.application_id)),
      editApplication: call =>
        editApplication(context, operatorFields(call), call.params.application_id, call.body),
      disableApplication: call =>
        disableApplication(context, operatorFields(call), call.params.application_id),
      enableApplication: call => enableApplication(context, operatorFields(call), call.params.application_id),
      adoptApplication: call => adoptApplication(context, operatorFields(call), call.params.application_id),
      createSecret: call => {
        const { expires_at: expiresAt } = call.body;
        const expiry = expiresAt === undefined ? null : new Date(expiresAt);
        return createSecret(context, operatorFields(call), call.params.application_id, expiry);
      },
      deleteSecret: call =>
        deleteSecret(
          context,
          operatorFields(call),
          { applicationId: call.params.application_id, secretId: call.params.secret_id },
          { force: call.query.force ?? false, revokeTokens: call.query.revoke_tokens ?? false },
        ),
    },
  } satisfies Feature;
}
