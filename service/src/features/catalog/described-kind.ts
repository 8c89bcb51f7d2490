import type { AccessLevel, Language, SourceDefinitionDetail } from '@connector-auth/api';
import {
  describeAccess,
  describeAuthMethods,
  describeEntities,
  describeSettings,
  describeSource,
  type Kind,
} from '@connector-auth/connectors/kind';

/** What definitions say about a kind in one language, for all organizations. */
export interface DescribedKind {
  readonly source: ReturnType<typeof describeSource>;
  readonly authMethods: SourceDefinitionDetail['auth_methods'];
  /** The auth methods for organizations that have an OAuth app. */
  readonly authMethodsWithSignIn: SourceDefinitionDetail['auth_methods'];
  readonly settings: ReturnType<typeof describeSettings>;
  readonly access: Readonly<Record<AccessLevel, ReturnType<typeof describeAccess>>>;
  readonly entities: ReturnType<typeof describeEntities>;
}

const cache = new WeakMap<Kind, Map<Language, DescribedKind>>();

/** Describes a kind in a language. The result is cached: a declaration never changes, and its JSON Schemas take long. */
export function describedKind(kind: Kind, language: Language): DescribedKind {
  const byLanguage = cache.get(kind) ?? new Map<Language, DescribedKind>();
  cache.set(kind, byLanguage);
  const described = byLanguage.get(language) ?? describe(kind, language);
  byLanguage.set(language, described);
  return described;
}

function describe(kind: Kind, language: Language): DescribedKind {
  return {
    source: describeSource(kind, language),
    authMethods: describeAuthMethods(kind, { language }),
    authMethodsWithSignIn: describeAuthMethods(kind, { language, hasOAuthApp: true }),
    settings: describeSettings(kind, language),
    access: {
      read: describeAccess(kind, 'read', language),
      write: describeAccess(kind, 'write', language),
    },
    entities: describeEntities(kind, language),
  };
}
