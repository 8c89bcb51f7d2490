import { ConnectorAuthError, stringifyJson, validate, type Issue } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import { z } from 'zod';
import type { ReplicationDefaults } from '../../shared/auth/rights.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import { unknownKind } from '../../shared/definitions/resolve-kind.ts';

type Settings = Readonly<Record<string, unknown>>;

/**
 * Many servers and proxies accept 8 kB of headers. A token with settings of this size, which are encrypted and encoded twice,
 * has at most 6.5 kB.
 */
const maxBytes = 2_250;
/** The maximum number of issues in a response. */
const maxIssues = 50;

/**
 * Validates the default settings of a new token, and returns them by the key of the kind. They can be incomplete, because
 * the customer's settings are added when a connector is created.
 * @param known also has the kinds that are not loaded, whose settings are left out.
 * @throws ConnectorAuthError `unknown_connector_type`; `invalid_credentials` with every issue under
 * `replication_defaults.<kind>`.
 */
export function parseReplicationDefaults(
  kinds: KindRegistry,
  known: KindRegistry,
  given: Readonly<Record<string, Settings>>,
): ReplicationDefaults {
  const defaults: Record<string, Settings> = {};
  const unknown: Issue[] = [];
  const invalid: Issue[] = [];
  for (const [name, settings] of Object.entries(given)) {
    const path = `replication_defaults.${name}`;
    const kind = kinds.byName(name);
    if (kind === null) {
      if (known.byName(name) === null) unknown.push({ path, message: unknownKind(kinds, name) });
    } else {
      invalid.push(...issuesOf(kind, settings, path));
      defaults[kind.key] = { ...defaults[kind.key], ...settings };
    }
  }
  const bytes = Buffer.byteLength(stringifyJson(defaults));
  if (bytes > maxBytes) {
    const message = `Must have at most ${maxBytes} bytes, because the token contains them: these have ${bytes}`;
    invalid.unshift({ path: 'replication_defaults', message });
  }
  const issues = [...unknown, ...invalid].slice(0, maxIssues);
  if (issues.length === 0) return defaults;
  throw ConnectorAuthError.invalid(
    unknown.length > 0 ? 'unknown_connector_type' : 'invalid_credentials',
    issues,
    'The default settings are not valid',
  );
}

/** Returns the issues of the given settings, but not those about missing ones. */
function issuesOf({ settings: schema = z.strictObject({}) }: Kind, given: Settings, path: string): Issue[] {
  const parsed = validate(schema, given, path);
  if (parsed.ok) return [];
  const names = Object.keys(given);
  return parsed.issues.filter(issue => names.some(name => `${issue.path}.`.startsWith(`${path}.${name}.`)));
}
