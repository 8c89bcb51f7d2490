import { z } from 'zod';
import { connectorType, timestamp, uuid } from '../names.ts';

export const oauthAppParams = z.strictObject({ organization_id: uuid, type: connectorType });

/** The OAuth app that the customers of an organization consent to, for one kind. */
export const adminOAuthApp = z.object({
  connector_type: z.string(),
  kind_name: z.string(),
  source: z
    .enum(['organization', 'environment', 'none'])
    .meta({ description: "The organization's own app, the operator's from the OAUTH_ variables, or none" }),
  client_id: z.string().nullable(),
  updated_at: timestamp.nullable(),
  redirect_url: z.url().meta({ description: 'Redirect URL to register in the OAuth app at the vendor' }),
  schema: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema of `configuration`' }),
});
export type AdminOAuthApp = z.infer<typeof adminOAuthApp>;

/** The kinds that use OAuth. */
export const oauthAppList = z.object({ data: z.array(adminOAuthApp) });

export const setOAuthAppRequest = z.strictObject({
  configuration: z
    .record(z.string(), z.unknown())
    .meta({ writeOnly: true, description: 'Must match the `schema`' }),
});
