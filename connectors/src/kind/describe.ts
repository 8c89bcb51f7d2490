import type { AuthMethod as AuthMethodDescription, FormSchema } from '@connector-auth/api';
import { z } from 'zod';
import type { Kind } from './kind.ts';

/**
 * A kind's ways to authenticate as the catalog shows them: titles, help, and a JSON Schema for each form.
 * @param hasOAuthApp whether consent can be asked for; then it is offered, with a form that has no fields.
 */
export function describeAuthMethods(
  kind: Kind,
  { hasOAuthApp = false }: { readonly hasOAuthApp?: boolean } = {},
): AuthMethodDescription[] {
  return kind.authMethods
    .filter(({ consent }) => !consent || hasOAuthApp)
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

/** JSON Schema of the settings a customer may make about synchronising; null when there are none. */
export function describeSettings(kind: Kind): FormSchema | null {
  return kind.settings ? formSchemaOf(kind.settings) : null;
}

function formSchemaOf(fields: z.ZodObject): FormSchema {
  return z.toJSONSchema(fields, { io: 'input', target: 'draft-2020-12' });
}
