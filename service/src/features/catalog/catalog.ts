import {
  ConnectorAuthError,
  type FormSchema,
  type Language,
  type SourceDefinition,
  type SourceDefinitionDetail,
} from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import type { Caller } from '../../shared/auth/caller.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import { unknownDefinition } from '../../shared/definitions/resolve-kind.ts';
import { searchableEntities } from '../../shared/definitions/searchable-entities.ts';
import { describedKind } from './described-kind.ts';

/**
 * Returns the source definitions that a caller may see, whose kind the operator has enabled and whose name contains
 * the given text (ignoring case), sorted by name.
 */
export function listDefinitions(
  kinds: KindRegistry,
  caller: Caller,
  options: {
    readonly iconBase: string;
    /** Null if all kinds are enabled. */
    readonly enabledKinds: readonly string[] | null;
    readonly nameContains?: string | undefined;
    readonly language: Language;
  },
): SourceDefinition[] {
  const { iconBase, enabledKinds, nameContains = '', language } = options;
  const wanted = nameContains.toLowerCase();
  return kinds.all
    .filter(kind => caller.rights.includesSource(kind.key) && (enabledKinds?.includes(kind.key) ?? true))
    .filter(kind => kind.name.toLowerCase().includes(wanted))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
    .map(kind => toDefinition(kind, caller, iconBase, language));
}

/**
 * Returns a source definition with its auth methods, and with the access of a connector that the caller creates. Includes
 * `oauth` only if an OAuth app is configured. A kind that the operator has not enabled has a definition too, because its
 * connectors may need new credentials.
 * @param options.syncIntervalMinutes the organization's sync interval.
 * @throws ConnectorAuthError `definition_not_found`; `source_not_allowed`.
 */
export async function getDefinition(
  kinds: KindRegistry,
  caller: Caller,
  id: string,
  options: {
    readonly iconBase: string;
    readonly language: Language;
    readonly hasOAuthApp: (kind: Kind) => Promise<boolean>;
    readonly syncIntervalMinutes: number;
  },
): Promise<SourceDefinitionDetail> {
  const { language } = options;
  const kind = kinds.byDefinitionId(id);
  if (kind === null) throw new ConnectorAuthError('definition_not_found', unknownDefinition(kinds));
  caller.rights.requireSource(kind);
  const { authMethods, authMethodsWithSignIn, settings, access, entities } = describedKind(kind, language);
  const definition = toDefinition(kind, caller, options.iconBase, language);
  const methods = (await options.hasOAuthApp(kind)) ? authMethodsWithSignIn : authMethods;
  const choosesAccounts = definition.accounts_setting !== null;
  return {
    ...definition,
    auth_methods: choosesAccounts ? methods : methods.map(method => ({ ...method, lists_accounts: false })),
    replication_schema: settings && withFixed(settings, caller.rights.fixedSettingsOf(kind)),
    vendor_name: kind.vendorName ?? kind.name,
    access: access[caller.access ?? 'write'],
    entities,
    sync_interval_minutes: searchableEntities(kind).length > 0 ? options.syncIntervalMinutes : null,
  };
}

/** Marks the settings that a token fixes as those of the integrator, so that the page does not offer them. */
function withFixed(schema: FormSchema, fixed: readonly string[]): FormSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    fixed.includes(name) ? { ...field, 'x-audience': 'integrator' } : field,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

function toDefinition(kind: Kind, caller: Caller, iconBase: string, language: Language): SourceDefinition {
  const { setting = null } = kind.accounts ?? {};
  return {
    sourceDefinitionId: kind.definitionId,
    name: kind.name,
    iconUrl: `${iconBase}/${kind.key}.svg`,
    supportLevel: kind.supportLevel,
    connectorType: kind.key,
    ...describedKind(kind, language).source,
    accounts_setting:
      setting !== null && caller.rights.fixedSettingsOf(kind).includes(setting) ? null : setting,
  };
}
