import {
  credentialVariable,
  parseSettings,
  type Grant,
  type Kind,
  type OAuthApp,
} from '@connector-auth/connectors/kind';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the environment variables of the credentials, by auth method. */
export function variablesOf(kind: Kind): string[] {
  return kind.authMethods.map(({ id, fields }) => {
    const names = Object.entries(fields.shape).map(([name, field]) => {
      const isOptional = field.safeParse(undefined).success;
      return isOptional ? `[${credentialVariable(kind, name)}]` : credentialVariable(kind, name);
    });
    return `${id}: ${names.join(' ')}`;
  });
}

/**
 * Creates a grant from the environment, for the auth method that uses most of what is set. Returns null if no method's credentials
 * are complete.
 */
export function readGrant(kind: Kind, environment: Environment, settings: Grant['settings']): Grant | null {
  const complete = kind.authMethods.flatMap(({ id, fields }) => {
    const given = Object.keys(fields.shape).flatMap(name => {
      const value = environment[credentialVariable(kind, name)] ?? '';
      return value === '' ? [] : [[name, value] as const];
    });
    const parsed = fields.safeParse(Object.fromEntries(given));
    return given.length > 0 && parsed.success ? [{ id, credentials: parsed.data, count: given.length }] : [];
  });
  const [best] = complete.toSorted((one, other) => other.count - one.count);
  if (best === undefined) return null;
  return {
    method: best.id,
    credentials: best.credentials,
    state: {},
    settings: parseSettings(kind, settings),
  };
}

/** Reads the OAuth app from the variables that the service also reads, such as `OAUTH_ACME_CRM_CLIENT_ID`. */
export function readApp({ environmentPrefix, appExtras }: Kind, environment: Environment): OAuthApp | null {
  const read = (name: string): string => environment[`${environmentPrefix}_${name.toUpperCase()}`] ?? '';
  if (read('client_id') === '') return null;
  const extras = Object.keys(appExtras?.shape ?? {}).map(name => [name, read(name)]);
  return {
    clientId: read('client_id'),
    clientSecret: read('client_secret'),
    extras: Object.fromEntries(extras),
  };
}
