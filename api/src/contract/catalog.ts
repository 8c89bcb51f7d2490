import { z } from 'zod';
import { uuid } from './names.ts';

export const supportLevel = z.enum(['certified', 'community']);
export type SupportLevel = z.infer<typeof supportLevel>;

/** A catalog entry. */
export const sourceDefinition = z.object({
  sourceDefinitionId: uuid,
  name: z.string(),
  iconUrl: z.url(),
  supportLevel,
  connectorType: z.string().meta({ description: 'What requests call this kind' }),
  description: z.string().meta({ description: 'What a person finds in it, in a few words' }),
});
export type SourceDefinition = z.infer<typeof sourceDefinition>;

export const listDefinitionsQuery = z.strictObject({
  name: z.string().max(200).optional().meta({ description: 'Case-insensitive part of the name' }),
});
export const listDefinitionsResponse = z.object({ definitions: z.array(sourceDefinition) });
export type ListDefinitionsResponse = z.infer<typeof listDefinitionsResponse>;

/**
 * A JSON Schema (2020-12) object that a form is made from. Beside the standard words: `title` and `description` label a
 * field, `writeOnly` marks a secret, `examples[0]` is its placeholder, `x-multiline` asks for several lines.
 */
export const formSchema = z.record(z.string(), z.unknown());
export type FormSchema = z.infer<typeof formSchema>;

/** One way to authenticate at a source. */
export const authMethod = z.object({
  id: z.string(),
  type: z.enum(['oauth', 'credentials']),
  title: z.string(),
  description: z.string().nullable(),
  help_url: z.url().nullable().meta({ description: "The vendor's page that explains where to find it" }),
  schema: formSchema.meta({ description: 'JSON Schema of the form; without properties for plain consent' }),
});
export type AuthMethod = z.infer<typeof authMethod>;

export const sourceDefinitionDetail = sourceDefinition.extend({
  auth_methods: z.array(authMethod),
  replication_schema: formSchema
    .nullable()
    .meta({ description: 'JSON Schema of `replication_config`; null when the kind has no settings' }),
});
export type SourceDefinitionDetail = z.infer<typeof sourceDefinitionDetail>;
