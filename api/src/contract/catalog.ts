import { z } from 'zod';
import { uuid } from './names.ts';
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
});
export type SourceDefinition = z.infer<typeof sourceDefinition>;

export const listDefinitionsQuery = z.strictObject({
  name: z.string().max(200).optional().meta({ description: 'Case-insensitive part of the name' }),
});
export const listDefinitionsResponse = z.object({
  definitions: z.array(sourceDefinition),
  integrator: integrator.optional().meta({
    description: 'What users see of the organization; omitted if the operator has set nothing',
  }),
});
export type ListDefinitionsResponse = z.infer<typeof listDefinitionsResponse>;

/**
 * A JSON Schema (2020-12) object that describes a form. `title` and `description` label a field, `writeOnly`
 * marks a secret, `examples[0]` is the placeholder, `x-multiline` asks for a multi-line input.
 */
const formSchema = z.record(z.string(), z.unknown());
export type FormSchema = z.infer<typeof formSchema>;

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
});
export type AuthMethod = z.infer<typeof authMethod>;

export const sourceDefinitionDetail = sourceDefinition.extend({
  auth_methods: z.array(authMethod),
  replication_schema: formSchema
    .nullable()
    .meta({ description: 'JSON Schema of `replication_config`; null if the kind has no settings' }),
});
export type SourceDefinitionDetail = z.infer<typeof sourceDefinitionDetail>;
