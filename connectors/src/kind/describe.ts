import type {
  AccessLevel,
  Account,
  AuthMethod as AuthMethodDescription,
  EntityDescription,
  FormSchema,
  Issue,
  Language,
  SourceAccess,
} from '@connector-auth/api';
import { z } from 'zod';
import { translateAccount } from './accounts.ts';
import type { Kind } from './kind.ts';
import { translator, type Translate } from './translate.ts';

/** Describes a kind for catalogs: its data in a few words, and its group. */
export function describeSource(
  kind: Kind,
  language: Language = 'en',
): { description: string; category: string | null; accounts_title: string | null } {
  const translate = translator(kind, language);
  const { description, category, accounts } = kind;
  return {
    description: translate(description),
    category: category === undefined ? null : translate(category),
    accounts_title: accounts?.title === undefined ? null : translate(accounts.title),
  };
}

/**
 * Describes a kind's auth methods for the catalog, with titles, help and a JSON Schema for each form.
 * @param options.hasOAuthApp whether to offer sign-in, for which the form has no fields.
 */
export function describeAuthMethods(
  kind: Kind,
  {
    hasOAuthApp = false,
    language = 'en',
  }: { readonly hasOAuthApp?: boolean; readonly language?: Language } = {},
): AuthMethodDescription[] {
  const translate = translator(kind, language);
  return kind.authMethods
    .filter(({ consent, isOpenSourceOnly }) => !isOpenSourceOnly && (!consent || hasOAuthApp))
    .map(({ id, type, title, description, helpUrl, fields, consent, instead, guide }) => ({
      id,
      type,
      title: translate(title),
      description: translate(description),
      help_url: helpUrl,
      schema: formSchemaOf(consent ? noFields : fields, translate),
      instead: instead === undefined ? null : translate(instead),
      guide: guide
        ? {
            steps: guide.steps.map(translate),
            url: guide.url,
            who: guide.who === null ? null : translate(guide.who),
          }
        : null,
      lists_accounts: kind.accounts?.methods.includes(id) ?? false,
    }));
}

const noFields = z.strictObject({});

/** Returns the JSON Schema for the kind's sync settings, or null if it declares none. */
export function describeSettings(kind: Kind, language: Language = 'en'): FormSchema | null {
  return kind.settings ? formSchemaOf(kind.settings, translator(kind, language)) : null;
}

/** Returns the names of the settings that only the integrator may set, which customers do not see. */
export function integratorSettings({ settings }: Kind): readonly string[] {
  const fields = Object.entries<z.ZodType>(settings?.shape ?? {});
  return fields.flatMap(([name, field]) => (field.meta()?.['x-audience'] === 'integrator' ? [name] : []));
}

/** Describes what a connection with an access level can do with the user's data. */
export function describeAccess(kind: Kind, level: AccessLevel, language: Language = 'en'): SourceAccess {
  const translate = translator(kind, language);
  const scopes = kind.authMethods.flatMap(({ consent }) => consent?.scopes ?? []);
  const says = scopes.find(({ says }) => says !== undefined)?.says;
  const canChange = Object.values(kind.entities).some(({ actions }) => actions.create ?? actions.update);
  return {
    // A kind without these actions never changes anything, whatever the access.
    level: canChange ? level : 'read',
    reads: (kind.access?.reads ?? []).map(translate),
    changes: (kind.access?.changes ?? []).map(translate),
    vendor_says: says === undefined ? null : translate(says),
  };
}

/** Describes a kind's entities for end-customers, in the order of the declaration. */
export function describeEntities(kind: Kind, language: Language = 'en'): EntityDescription[] {
  const translate = translator(kind, language);
  return Object.entries(kind.entities).map(([name, { access, search }]) => ({
    name,
    title: titleOf(kind, name, language),
    access: access === undefined ? null : translate(access),
    is_synced: search !== undefined,
  }));
}

/** Returns an entity's name for end-customers. */
export function titleOf(kind: Kind, entity: string, language: Language = 'en'): string {
  const title = kind.entities[entity]?.title;
  if (title !== undefined) return translator(kind, language)(title);
  const words = entity.replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** Describes accounts that a kind has listed. */
export function describeAccounts(kind: Kind, accounts: readonly Account[], language: Language): Account[] {
  const translate = translator(kind, language);
  return accounts.map(account => translateAccount(account, translate));
}

/** Translates the issues of a request, as far as they are words of one of the kinds. */
export function describeIssues(
  kinds: readonly Kind[],
  issues: readonly Issue[],
  language: Language,
): readonly Issue[] {
  if (language === 'en') return issues;
  const translators = kinds.map(kind => translator(kind, language));
  return issues.map(({ path, message }) => {
    const translations = translators.map(translate => translate(message));
    return { path, message: translations.find(translation => translation !== message) ?? message };
  });
}

function formSchemaOf(fields: z.ZodObject, translate: Translate): FormSchema {
  return z.toJSONSchema(fields, {
    io: 'input',
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      const { title, description } = jsonSchema;
      if (title !== undefined) jsonSchema.title = translate(title);
      if (description !== undefined) jsonSchema.description = translate(description);
    },
  });
}
