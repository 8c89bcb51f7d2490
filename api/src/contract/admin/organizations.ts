import { z } from 'zod';
import { connectorType, timestamp, uuid } from '../names.ts';
import { organizationSettings, updateOrganizationSettings } from '../organization.ts';
import { pageMeta } from '../paging.ts';
import { rule } from '../rule.ts';
import { listQuery, operatorName, seenVersion } from './lists.ts';

export const organizationParams = z.strictObject({ organization_id: uuid });

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
  status: z.enum(['active', 'disabled']),
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
