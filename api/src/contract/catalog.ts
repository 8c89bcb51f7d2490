import { z } from 'zod';
import { accessLevel, actionName, languages, managementRight, uuid } from './names.ts';
import { integrator } from './organization.ts';

const supportLevel = z.enum(['certified', 'community']);
export type SupportLevel = z.infer<typeof supportLevel>;

/** A catalog entry. */
const sourceDefinition = z.object({
  sourceDefinitionId: uuid,
  name: z.string(),
  iconUrl: z.url(),
  supportLevel,
  connectorType: z.string().meta({ description: 'Identifier of this connector kind in requests' }),
  description: z.string().meta({ description: 'What data the source contains, in a few words' }),
  // Earlier versions of the service send none.
  category: z.string().nullable().optional().meta({
    description: 'The group in which long lists show the source, such as `Advertising`; null if it has none',
  }),
  accounts_title: z.string().nullable().optional().meta({
    description: 'What the vendor calls its accounts, such as `Workspaces`; null if `Accounts` fits',
  }),
  accounts_setting: z.string().nullable().optional().meta({
    description:
      'The member of `replication_config` that lists the chosen account ids; null if there is none, or if the token of the page fixes it',
  }),
});
export type SourceDefinition = z.infer<typeof sourceDefinition>;

const languageTag = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'Must be a language tag, such as de or pt-BR')
  .optional()
  .meta({
    description: `Language of the words for users, instead of \`Accept-Language\`: ${languages.join(', ')}. Others are answered in English`,
  });

export const listDefinitionsQuery = z.strictObject({
  name: z.string().max(200).optional().meta({ description: 'Case-insensitive part of the name' }),
  language: languageTag,
});
export const getDefinitionQuery = z.strictObject({ language: languageTag });
export const listDefinitionsResponse = z.object({
  definitions: z.array(sourceDefinition),
  integrator: integrator.optional().meta({
    description: 'What users see of the organization; omitted if the operator has set nothing',
  }),
  rights: z
    .object({
      actions: z.array(actionName),
      management: z.array(managementRight),
      replace_account: z.boolean().optional().meta({
        description:
          '`false` if the token can reconnect a connector with its present account only. Default: `true`',
      }),
      max_link_seconds: z.int().optional().meta({
        description: 'The maximum `expires_in` of connect links, if the token can create them',
      }),
    })
    .optional()
    .meta({ description: "What the token allows, so that a page can hide what it doesn't" }),
  mcp_url: z.url().optional().meta({
    description:
      'The address of the MCP server, which people add to their chat clients; omitted unless they can sign in there',
  }),
});
export type ListDefinitionsResponse = z.infer<typeof listDefinitionsResponse>;

/**
 * A JSON Schema (2020-12) object that describes a form. `title` and `description` label a field, `writeOnly`
 * marks a secret, `examples[0]` is the placeholder, `x-multiline` asks for a multi-line input.
 */
const formSchema = z.record(z.string(), z.unknown());
export type FormSchema = z.infer<typeof formSchema>;

/** How a user obtains the credentials for an auth method. */
const guide = z.object({
  steps: z.array(z.string()),
  url: z.url().nullable().meta({ description: "The vendor's page where the user creates the credentials" }),
  who: z.string().nullable().meta({ description: 'Who can create them, and with which plan' }),
});
export type Guide = z.infer<typeof guide>;

/** An auth method for a source. */
const authMethod = z.object({
  id: z.string(),
  type: z.enum(['oauth', 'credentials']),
  title: z.string(),
  description: z.string().nullable(),
  help_url: z
    .url()
    .nullable()
    .meta({ description: "The vendor's page that explains where to find the credentials" }),
  schema: formSchema.meta({
    description: 'JSON Schema of the form; has no properties if the user only consents',
  }),
  instead: z.string().nullable().optional().meta({
    description: 'Offers this method beside another one, such as `Use an access key instead`',
  }),
  guide: guide.nullable().optional().meta({ description: 'How to obtain the credentials' }),
  lists_accounts: z.boolean().optional().meta({
    description:
      'Whether the accounts of a grant can be listed, so that the user chooses instead of typing ids',
  }),
});
export type AuthMethod = z.infer<typeof authMethod>;

/** What a connection can do with the user's data, in words for the user. */
const sourceAccess = z.object({
  level: accessLevel.meta({
    description:
      'The access of a connector that this token creates; `read` if the source has neither `create` nor `update`. With `read`, the service rejects both',
  }),
  reads: z.array(z.string()).meta({ description: 'The data that is read, such as `campaigns`' }),
  changes: z
    .array(z.string())
    .meta({ description: 'The data that the actions `create` and `update` change' }),
  vendor_says: z.string().nullable().meta({
    description:
      "What the vendor's consent page says the app may do, such as `edit`, if that is more than reading; null otherwise",
  }),
});
export type SourceAccess = z.infer<typeof sourceAccess>;

/** A type of data, in words for users. */
const entityDescription = z.object({
  name: z.string(),
  title: z.string(),
  access: z.string().nullable().meta({ description: 'What is read, in one sentence' }),
  is_synced: z.boolean(),
});
export type EntityDescription = z.infer<typeof entityDescription>;

export const sourceDefinitionDetail = sourceDefinition.extend({
  auth_methods: z.array(authMethod),
  replication_schema: formSchema.nullable().meta({
    description:
      'JSON Schema of `replication_config`; null if the kind has no settings. `x-audience` of a field is `customer`, or `integrator` if only the backend may set it, also because the token of the page fixes it',
  }),
  access: sourceAccess.optional().meta({ description: "What the connection can do with the user's data" }),
  vendor_name: z
    .string()
    .optional()
    .meta({ description: 'Where users sign in, such as `Google` for Google Ads' }),
  entities: z.array(entityDescription).optional(),
  sync_interval_minutes: z
    .int()
    .nullable()
    .optional()
    .meta({ description: 'Minutes between two syncs; null if nothing is synced' }),
});
export type SourceDefinitionDetail = z.infer<typeof sourceDefinitionDetail>;
