import { ConnectorAuthError, type Issue, type ProblemCode } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import type { KindRegistry } from './registry.ts';

export interface KindNames {
  readonly connector_type?: string | undefined;
  readonly definition_id?: string | undefined;
}

/**
 * Returns the kind identified by `connector_type`, `definition_id` or both, or null if the request has
 * neither.
 * @throws ConnectorAuthError `unknown_connector_type`; `malformed_request` if the two disagree.
 */
export function resolveKind(kinds: KindRegistry, names: KindNames): Kind | null {
  const { connector_type: type, definition_id: id } = names;
  const byType = type === undefined ? null : kinds.byName(type);
  const byId = id === undefined ? null : kinds.byDefinitionId(id);
  if (type !== undefined && byType === null)
    throw invalid('unknown_connector_type', 'connector_type', unknownKind(kinds, type));
  if (id !== undefined && byId === null)
    throw invalid('unknown_connector_type', 'definition_id', unknownDefinition(kinds));
  if (byType !== null && byId !== null && byType !== byId) {
    throw invalid(
      'malformed_request',
      'definition_id',
      `Is the id of ${byId.name}, but connector_type is ${byType.name}`,
    );
  }
  return byType ?? byId;
}

/**
 * Same as {@link resolveKind}, for requests that must specify a kind.
 * @throws ConnectorAuthError for the same reasons, and `malformed_request` if the request does not specify a
 * kind.
 */
export function requireKind(kinds: KindRegistry, names: KindNames): Kind {
  const kind = resolveKind(kinds, names);
  if (kind === null)
    throw invalid('malformed_request', 'connector_type', 'Provide connector_type or definition_id');
  return kind;
}

/** Returns the message for a name that no kind has, with the names of all kinds. */
export function unknownKind({ all }: KindRegistry, name: string): string {
  return `Unknown connector type “${name}”. Connector types: ${all.map(({ key }) => key).join(', ')}`;
}

/** Returns the message for a definition id that no kind has, with the ids of all kinds. */
export function unknownDefinition({ all }: KindRegistry): string {
  return `Unknown definition id. Ids: ${all.map(({ key, definitionId }) => `${definitionId} (${key})`).join(', ')}`;
}

function invalid(code: ProblemCode, path: string, message: string): ConnectorAuthError {
  return ConnectorAuthError.invalid(code, [{ path, message }]);
}

/**
 * Returns the keys of a request's `allowed_sources`.
 * @throws ConnectorAuthError `unknown_connector_type` with an issue for each unknown source.
 */
export function kindKeys(kinds: KindRegistry, names: readonly string[]): readonly string[] {
  const issues: Issue[] = [];
  const keys = names.flatMap((name, index) => {
    const kind = kinds.byName(name);
    if (kind === null) issues.push({ path: `allowed_sources.${index}`, message: unknownKind(kinds, name) });
    return kind === null ? [] : [kind.key];
  });
  if (issues.length === 0) return [...new Set(keys)];
  throw ConnectorAuthError.invalid('unknown_connector_type', issues);
}
