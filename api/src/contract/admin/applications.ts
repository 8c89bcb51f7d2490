import { z } from 'zod';
import { timestamp, uuid } from '../names.ts';
import { pageMeta } from '../paging.ts';
import { rule } from '../rule.ts';
import { listQuery, operatorName, reference, seenVersion } from './lists.ts';
import { flag, future } from './values.ts';

export const applicationParams = z.strictObject({ application_id: uuid });
export const secretParams = z.strictObject({ application_id: uuid, secret_id: uuid });

/** The number of secrets that an application can have at the same time. */
export const maxLiveSecrets = 2;

const secret = z.object({
  id: uuid,
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable().meta({ description: 'Accurate to a minute' }),
});

export const adminApplication = z.object({
  id: uuid,
  version: z.int(),
  name: z.string(),
  client_id: z.string(),
  status: z.enum(['active', 'disabled']),
  managed_by: z.enum(['environment', 'operator']).meta({
    description: '`environment` if the BOOTSTRAP_ variables own the application, which is then read-only',
  }),
  organizations: z.array(reference),
  redirect_urls: z.array(z.string()),
  secrets: z.array(secret).meta({ description: 'The secrets that have not expired, oldest first' }),
  created_at: timestamp,
});
export type AdminApplication = z.infer<typeof adminApplication>;

export const listApplicationsQuery = z.strictObject({
  organization_id: uuid.optional(),
  ...listQuery(['name', 'created_at']),
});
export const applicationPage = z.object({ data: z.array(adminApplication), meta: pageMeta });

const organizationIds = z.array(uuid).min(1).max(1000);
const redirectUrls = z
  .array(z.string().min(1).max(2000))
  .max(100)
  .meta({ description: 'https URLs (http on localhost) without user or fragment' });

export const createApplicationRequest = z.strictObject({
  name: operatorName,
  organization_ids: organizationIds,
  redirect_urls: redirectUrls.optional(),
});
export type CreateApplicationRequest = z.input<typeof createApplicationRequest>;

export const editApplicationRequest = z
  .strictObject({
    version: seenVersion,
    name: operatorName.optional(),
    organization_ids: organizationIds.optional(),
    redirect_urls: redirectUrls.optional(),
  })
  .refine(
    ({ version: _version, ...changes }) => Object.values(changes).some(value => value !== undefined),
    rule('Set at least one property'),
  );
export type EditApplicationRequest = z.input<typeof editApplicationRequest>;

/** The application and its first secret, which no other response contains. */
export const createdApplication = adminApplication.extend({ client_secret: z.string() });
export type CreatedApplication = z.infer<typeof createdApplication>;

export const createSecretRequest = z.strictObject({ expires_at: future.optional() });
/** A new secret, which no other response contains. */
export const createdSecret = secret.extend({ client_id: z.string(), client_secret: z.string() });
export type CreatedSecret = z.infer<typeof createdSecret>;

export const deleteSecretQuery = z.strictObject({
  force: flag.meta({ description: 'Delete the secret even if no other one could replace it' }),
  revoke_tokens: flag.meta({ description: 'Also reject the tokens that the application has now' }),
});
