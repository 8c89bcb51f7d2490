import { z } from 'zod';
import { connectorType, timestamp, uuid } from '../names.ts';
import { organizationSettings, updateOrganizationSettings } from '../organization.ts';
import { pageMeta, pageQuery } from '../paging.ts';
import { rule } from '../rule.ts';
import { listQuery, operatorName, seenVersion } from './lists.ts';

export const organizationParams = z.strictObject({ organization_id: uuid });
export const webhookParams = {
  webhook: organizationParams.extend({ webhook_id: uuid }),
  delivery: organizationParams.extend({ webhook_id: uuid, event_id: uuid }),
};

export const adminOrganization = z.object({
  id: uuid,
  version: z.int(),
  name: z.string().meta({ description: 'The unique name that operators use' }),
  display_name: z.string().nullable().meta({ description: 'The name that users see; null means `name`' }),
  logo_url: z.url().nullable(),
  ...organizationSettings,
  enabled_kinds: z
    .array(z.string())
    .nullable()
    .meta({ description: 'The kinds that customers can connect; null means all' }),
  status: z.enum(['active', 'disabled', 'deleting']).meta({
    description: '`deleting` is disabled until everything of it is deleted',
  }),
  customers: z.int(),
  connectors: z.int(),
  created_at: timestamp,
});
export type AdminOrganization = z.infer<typeof adminOrganization>;

export const listOrganizationsQuery = z.strictObject(listQuery(['name', 'created_at']));
export const organizationPage = z.object({ data: z.array(adminOrganization), meta: pageMeta });

const { name: displayName, ...sameSettings } = updateOrganizationSettings;

const settings = {
  display_name: displayName,
  ...sameSettings,
  enabled_kinds: z
    .array(connectorType)
    .max(100)
    .nullable()
    .optional()
    .meta({ description: 'Applies to new connectors; connectors that exist continue to work' }),
};

export const createOrganizationRequest = z.strictObject({ name: operatorName, ...settings });
export type CreateOrganizationRequest = z.input<typeof createOrganizationRequest>;

export const editOrganizationRequest = z
  .strictObject({ version: seenVersion, name: operatorName.optional(), ...settings })
  .refine(
    ({ version: _version, ...changes }) => Object.values(changes).some(value => value !== undefined),
    rule('Set at least one property'),
  );
export type EditOrganizationRequest = z.input<typeof editOrganizationRequest>;

/** The receipt of a deletion. It contains no name of the organization, its customers or its connectors. */
export const organizationDeletion = z.object({
  organization_id: uuid,
  status: z.enum(['deleting', 'deleted']),
  requested_at: timestamp,
  requested_by: z.string().meta({
    description: 'The name of the admin key, or its id if the key was deleted; `ADMIN_TOKEN` without a key',
  }),
  finished_at: timestamp.nullable(),
  deleted: z.record(z.string(), z.int()).meta({
    description: 'How many rows were deleted so far, by table; `records` are all that were synced',
  }),
  erased_audit_entries: z.int().meta({
    description: 'The entries of the audit log from which customer names and addresses were erased',
  }),
  grants: z
    .object({ pending: z.int(), revoked: z.int(), in_use: z.int(), invalid: z.int(), failed: z.int() })
    .meta({
      description:
        'The grants to revoke at their vendors; `in_use` are not revoked, because that would end those of other organizations, and neither are `invalid`, which the vendor no longer accepts',
    }),
});
export type OrganizationDeletion = z.infer<typeof organizationDeletion>;

export const listOrganizationDeletionsQuery = z.strictObject(pageQuery);
export const organizationDeletionPage = z.object({ data: z.array(organizationDeletion), meta: pageMeta });
