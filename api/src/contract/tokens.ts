import { z } from 'zod';
import {
  accessLevel,
  actionName,
  allowedOrigin,
  cleanText,
  connectorType,
  customerDisplayName,
  customerName,
  dataRight,
  managementRight,
  uuid,
} from './names.ts';

export const applicationTokenLifetimeSeconds = 900;
/** Lifetime of scoped and widget tokens. */
export const customerTokenLifetimeSeconds = 20 * 60;

const allowed_data = z.array(dataRight).max(20).optional().meta({
  description:
    'Data that the token can read in addition. `private_fields`: fields that are marked as private in the reference, such as `private_notes_text`. None if omitted',
});

export const applicationTokenRequest = z.strictObject({
  client_id: z
    .string()
    .min(1)
    .max(200)
    .regex(cleanText, 'Must not contain control characters or lone surrogates'),
  client_secret: z.string().min(1).max(1000).meta({ writeOnly: true }),
  allowed_data,
});
export type ApplicationTokenRequest = z.input<typeof applicationTokenRequest>;

export const applicationTokenHeaders = z.object({
  'x-organization-id': uuid.optional().meta({
    description: "The application's organization to return as `organization_id`; the first one if omitted",
  }),
});

export const applicationTokenResponse = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.number().int().meta({ description: 'Lifetime in seconds' }),
  organization_id: uuid,
});
export type ApplicationTokenResponse = z.infer<typeof applicationTokenResponse>;

const managementMeaning =
  'What the token can change: `create` and `reconnect` connectors (both include OAuth), `rename`, `delete`, `settings`, `link`; an empty list allows nothing.';

const limits = {
  allowed_sources: z
    .array(connectorType)
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Connector kinds that the token can see and use; all if omitted' }),
  allowed_actions: z.array(actionName).min(1).optional().meta({
    description:
      'Actions that the token can execute; list, get, search and check if omitted. `…/check` requires check, `…/sync` requires search',
  }),
  allowed_data,
  access: accessLevel.optional().meta({
    description:
      'Access of the connectors that the token creates or reconnects; `write` if omitted. `read` makes the service reject `create` and `update` for them, whatever the token',
  }),
  replication_defaults: z
    .record(connectorType, z.record(z.string(), z.unknown()))
    .optional()
    .meta({
      description:
        'Settings by connector kind for the connectors that the token creates, such as `conversion_window_days`. A page cannot read them in its token, and gets 422 if it sets one of them itself',
      examples: [{ 'google-ads': { conversion_window_days: 30 } }],
    }),
};

export const scopedTokenRequest = z.strictObject({
  customer_name: customerName,
  customer_display_name: customerDisplayName.optional(),
  ...limits,
  allowed_management: z
    .array(managementRight)
    .max(20)
    .optional()
    .meta({
      description: `${managementMeaning} If omitted: all except \`link\`, or nothing if \`allowed_actions\` is given`,
    }),
});
export type ScopedTokenRequest = z.input<typeof scopedTokenRequest>;

export const scopedTokenResponse = z.object({
  token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.number().int(),
  customer_name: z.string(),
});
export type ScopedTokenResponse = z.infer<typeof scopedTokenResponse>;

export const widgetTokenRequest = z.strictObject({
  customer_name: customerName,
  customer_display_name: customerDisplayName.optional(),
  allowed_origin: allowedOrigin,
  ...limits,
  allowed_management: z
    .array(managementRight)
    .max(20)
    .optional()
    .meta({ description: `${managementMeaning} All except \`link\` if omitted` }),
});
export type WidgetTokenRequest = z.input<typeof widgetTokenRequest>;

export const widgetTokenResponse = scopedTokenResponse.extend({ allowed_origin: z.string() });
export type WidgetTokenResponse = z.infer<typeof widgetTokenResponse>;
