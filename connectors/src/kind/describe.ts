import type {
  AccessLevel,
  AuthMethod as AuthMethodDescription,
  EntityDescription,
  FormSchema,
  SourceAccess,
} from '@connector-auth/api';
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
    .map(({ id, type, title, description, helpUrl, fields, consent, instead, guide }) => ({
      id,
      type,
      title,
      description,
      help_url: helpUrl,
      schema: formSchemaOf(consent ? noFields : fields),
      instead: instead ?? null,
      guide: guide ?? null,
      lists_accounts: kind.accounts?.methods.includes(id) ?? false,
    }));
}

const noFields = z.strictObject({});

/** Returns the JSON Schema for the kind's sync settings, or null if it declares none. */
export function describeSettings(kind: Kind): FormSchema | null {
  return kind.settings ? formSchemaOf(kind.settings) : null;
}

/** Returns the names of the settings that only the integrator may set, which customers do not see. */
export function integratorSettings({ settings }: Kind): readonly string[] {
  const fields = Object.entries<z.ZodType>(settings?.shape ?? {});
  return fields.flatMap(([name, field]) => (field.meta()?.['x-audience'] === 'integrator' ? [name] : []));
}

/** Describes what a connection with an access level can do with the user's data. */
export function describeAccess(kind: Kind, level: AccessLevel): SourceAccess {
  const scopes = kind.authMethods.flatMap(({ consent }) => consent?.scopes ?? []);
  return {
    level,
    reads: [...(kind.access?.reads ?? [])],
    changes: [...(kind.access?.changes ?? [])],
    vendor_says: scopes.find(({ says }) => says !== undefined)?.says ?? null,
  };
}

/** Describes a kind's entities for end-customers, in the order of the declaration. */
export function describeEntities(kind: Kind): EntityDescription[] {
  return Object.entries(kind.entities).map(([name, entity]) => ({
    name,
    title: titleOf(kind, name),
    access: entity.access ?? null,
    is_synced: entity.search !== undefined,
  }));
}

/** Returns an entity's name for end-customers. */
export function titleOf(kind: Kind, entity: string): string {
  const words = entity.replaceAll('_', ' ');
  return kind.entities[entity]?.title ?? `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

function formSchemaOf(fields: z.ZodObject): FormSchema {
  return z.toJSONSchema(fields, { io: 'input', target: 'draft-2020-12' });
}
