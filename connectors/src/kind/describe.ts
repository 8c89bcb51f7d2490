import type { AuthMethod as AuthMethodDescription, FormSchema } from '@connector-auth/api';
import { z } from 'zod';
import type { Kind } from './kind.ts';

/**
 * Describes a kind's auth methods for the catalog, with titles, help and a JSON Schema for each form.
 * @param options.hasOAuthApp whether to offer sign-in, for which the form has no fields.
 */
export function describeAuthMethods(
  kind: Kind,
  { hasOAuthApp = false }: { readonly hasOAuthApp?: boolean } = {},
): AuthMethodDescription[] {
  return kind.authMethods
    .filter(({ consent, isOpenSourceOnly }) => !isOpenSourceOnly && (!consent || hasOAuthApp))
    .map(({ id, type, title, description, helpUrl, fields, consent }) => ({
      id,
      type,
      title,
      description,
      help_url: helpUrl,
      schema: formSchemaOf(consent ? noFields : fields),
    }));
}

const noFields = z.strictObject({});

/** Returns the JSON Schema for the kind's sync settings, or null if it declares none. */
export function describeSettings(kind: Kind): FormSchema | null {
  return kind.settings ? formSchemaOf(kind.settings) : null;
}

function formSchemaOf(fields: z.ZodObject): FormSchema {
  return z.toJSONSchema(fields, { io: 'input', target: 'draft-2020-12' });
}
