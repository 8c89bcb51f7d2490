import { ConnectorAuthError, validate, type Issue } from '@connector-auth/api';
import type { Grant } from './grants.ts';
import type { AuthMethod, Kind } from './kind.ts';
import { en } from './messages/en.ts';
import { fill } from './words.ts';

/** Returns the environment variable of a credential for programs on one's own machine, such as `GRANOLA_API_KEY`. */
export function credentialVariable({ key }: Kind, name: string): string {
  return `${key}_${name}`.replaceAll('-', '_').toUpperCase();
}

/**
 * Creates a grant from a customer's credentials. Their fields determine the auth method.
 * @throws ConnectorAuthError `invalid_credentials` with every issue under `credentials` or
 * `replication_config`.
 */
export function parseGrant(
  kind: Kind,
  credentials: Readonly<Record<string, unknown>>,
  settings: Readonly<Record<string, unknown>> = {},
  state: Readonly<Record<string, unknown>> = {},
): Grant {
  return parseWith(kind.authMethods.filter(isPasted), kind, credentials, { settings, state });
}

/** Creates a grant as {@link parseGrant} does, also from the credentials that only open source mode accepts. */
export function parseOwnGrant(
  kind: Kind,
  credentials: Readonly<Record<string, unknown>>,
  settings: Readonly<Record<string, unknown>> = {},
  state: Readonly<Record<string, unknown>> = {},
): Grant {
  const methods = kind.authMethods.filter(method => isPasted(method) || method.isOpenSourceOnly);
  return parseWith(methods, kind, credentials, { settings, state });
}

function isPasted({ isConsentOnly, isOpenSourceOnly }: AuthMethod): boolean {
  return !isConsentOnly && !isOpenSourceOnly;
}

function parseWith(
  methods: readonly AuthMethod[],
  kind: Kind,
  credentials: Readonly<Record<string, unknown>>,
  { settings, state }: Pick<Grant, 'settings' | 'state'>,
): Grant {
  const attempts = methods.map(method => ({ method, parsed: method.fields.safeParse(credentials) }));
  const fitting = attempts.find(({ parsed }) => parsed.success);
  const issues: Issue[] = [];
  if (!fitting?.parsed.success) {
    const closest = closestMethod(methods, credentials);
    const parsed = closest && validate(closest.fields, credentials, 'credentials');
    if (parsed?.ok === false) issues.push(...parsed.issues);
    else
      issues.push({
        path: 'credentials',
        message: fill(en.nothingToPaste, { source: kind.name }),
      });
  }
  const parsedSettings = readSettings(kind, settings, issues);
  if (!fitting?.parsed.success || issues.length > 0) throw invalidCredentials(kind, issues);
  return { method: fitting.method.id, credentials: fitting.parsed.data, state, settings: parsedSettings };
}

/**
 * Validates the sync settings for a grant whose credentials came from an OAuth flow.
 * @throws ConnectorAuthError `invalid_credentials` with every issue under `replication_config`.
 */
export function parseSettings(
  kind: Kind,
  settings: Readonly<Record<string, unknown>> = {},
): Grant['settings'] {
  const issues: Issue[] = [];
  const parsed = readSettings(kind, settings, issues);
  if (issues.length > 0) throw invalidCredentials(kind, issues);
  return parsed;
}

/**
 * Finds the auth method that shares the most fields with the credentials, because its issues are the most
 * useful ones to report.
 */
function closestMethod(
  methods: readonly AuthMethod[],
  credentials: Readonly<Record<string, unknown>>,
): AuthMethod | undefined {
  const shared = (method: AuthMethod) =>
    Object.keys(method.fields.shape).filter(name => name in credentials).length;
  return methods.toSorted((one, other) => shared(other) - shared(one))[0];
}

function invalidCredentials(kind: Kind, issues: readonly Issue[]): ConnectorAuthError {
  const isSetting = ({ path }: Issue) => path.startsWith('replication_config');
  const what = issues.every(isSetting)
    ? 'settings'
    : issues.some(isSetting)
      ? 'credentials and settings'
      : 'credentials';
  return ConnectorAuthError.invalid(
    'invalid_credentials',
    issues,
    `The ${what} are not valid for ${kind.name}`,
  );
}

function readSettings(
  kind: Kind,
  settings: Readonly<Record<string, unknown>>,
  issues: Issue[],
): Readonly<Record<string, unknown>> {
  if (!kind.settings) {
    for (const name of Object.keys(settings)) {
      issues.push({ path: `replication_config.${name}`, message: 'Unknown setting' });
    }
    return {};
  }
  const parsed = validate(kind.settings, settings, 'replication_config');
  if (parsed.ok) return parsed.value;
  issues.push(...parsed.issues);
  return {};
}
