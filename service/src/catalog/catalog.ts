import { ConnectorAuthError, type SourceDefinition, type SourceDefinitionDetail } from '@connector-auth/api';
import { describeAuthMethods, describeSettings, type Kind } from '@connector-auth/connectors/kind';
import { maySeeSource, requireSource, type Caller } from '../auth/caller.ts';
import type { KindRegistry } from '../definitions/registry.ts';

/** The source definitions a caller may see, by name; narrowed to those whose name contains a text, ignoring case. */
export function listDefinitions(
  kinds: KindRegistry,
  caller: Caller,
  iconBase: string,
  nameContains = '',
): SourceDefinition[] {
  const wanted = nameContains.toLowerCase();
  return kinds.all
    .filter(kind => maySeeSource(caller, kind.key) && kind.name.toLowerCase().includes(wanted))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
    .map(kind => toDefinition(kind, iconBase));
}

/**
 * One source definition with its ways to authenticate; consent is among them when there is an OAuth app to consent to.
 * @throws ConnectorAuthError `definition_not_found`; `source_not_allowed` for one that the token does not allow.
 */
export async function getDefinition(
  kinds: KindRegistry,
  caller: Caller,
  iconBase: string,
  id: string,
  hasOAuthApp: (kind: Kind) => Promise<boolean>,
): Promise<SourceDefinitionDetail> {
  const kind = kinds.byDefinitionId(id);
  if (kind === null) throw new ConnectorAuthError('definition_not_found', 'No source definition has this id');
  requireSource(caller, kind);
  return {
    ...toDefinition(kind, iconBase),
    auth_methods: describeAuthMethods(kind, { hasOAuthApp: await hasOAuthApp(kind) }),
    replication_schema: describeSettings(kind),
  };
}

function toDefinition(kind: Kind, iconBase: string): SourceDefinition {
  return {
    sourceDefinitionId: kind.definitionId,
    name: kind.name,
    iconUrl: `${iconBase}/${kind.key}.svg`,
    supportLevel: kind.supportLevel,
    connectorType: kind.key,
    description: kind.description,
  };
}
