import { ConnectorAuthError, type Issue, type ProblemCode } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import type { KindRegistry } from './registry.ts';

/** How a request names a kind. */
export interface KindNames {
  readonly connector_type?: string | undefined;
  readonly definition_id?: string | undefined;
}

/**
 * The kind a request names by `connector_type`, `definition_id` or both; null when by neither.
 * @throws ConnectorAuthError `unknown_connector_type`; `malformed_request` when the two disagree.
 */
export function resolveKind(kinds: KindRegistry, names: KindNames): Kind | null {
  const { connector_type: type, definition_id: id } = names;
  const byType = type === undefined ? null : kinds.byName(type);
  const byId = id === undefined ? null : kinds.byDefinitionId(id);
  if (type !== undefined && byType === null)
    throw invalid('unknown_connector_type', 'connector_type', `There is no kind “${type}”`);
  if (id !== undefined && byId === null)
    throw invalid('unknown_connector_type', 'definition_id', 'No kind has this id');
  if (byType !== null && byId !== null && byType !== byId) {
    throw invalid(
      'malformed_request',
      'definition_id',
      `This is ${byId.name}, but connector_type says ${byType.name}`,
    );
  }
  return byType ?? byId;
}

/**
 * The kind a request must name.
 * @throws ConnectorAuthError as {@link resolveKind}; `malformed_request` when it names none.
 */
export function requireKind(kinds: KindRegistry, names: KindNames): Kind {
  const kind = resolveKind(kinds, names);
  if (kind === null)
    throw invalid('malformed_request', 'connector_type', 'Provide connector_type or definition_id');
  return kind;
}

function invalid(code: ProblemCode, path: string, message: string): ConnectorAuthError {
  const errors: Issue[] = [{ path, message }];
  return new ConnectorAuthError(code, `${path}: ${message}`, { errors });
}
