import { isLoopback, validate } from '@connector-auth/api';
import type { z } from 'zod';
import { parseKeyRing, type KeyRing } from '../crypto/key-ring.ts';
import { Secret } from '../crypto/secret.ts';
import { EnvironmentReader, type Environment, type Parse } from './environment.ts';

/** Everything an operator can set, validated. See the table in the README. */
export interface Configuration {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Public base URL without a slash at its end; null to derive it from host and port. */
  readonly publicUrl: string | null;
  /** How many reverse proxies stand in front: so many entries of `X-Forwarded-For` are believed. */
  readonly trustedProxies: number;
  /** A PostgreSQL server; null for the embedded PGlite in `dataDir`. */
  readonly databaseUrl: Secret | null;
  readonly dataDir: string;
  /** Null: the key file in `dataDir`. */
  readonly encryptionKeys: KeyRing | null;
  /** Null: the key file in `dataDir`. */
  readonly signingKeys: KeyRing | null;
  readonly bootstrap: BootstrapConfiguration | null;
  /** Whether the vendors' rate limits are kept. */
  readonly vendorRateLimits: boolean;
  /** Minutes between two synchronisations of a connector, where its organization has no setting of its own. */
  readonly syncIntervalMinutes: number;
  /** How long a search may take, in milliseconds. */
  readonly searchTimeoutMs: number;
  /** Kept for an administration API, which this version does not have. */
  readonly adminToken: Secret | null;
  /** Where vendor requests go instead, without a slash at its end. */
  readonly sandboxUrl: string | null;
  /** The platform's OAuth apps, by environment prefix (`OAUTH_GONG`). */
  readonly oauthApps: ReadonlyMap<string, OAuthAppConfiguration>;
}

/** The organizations and the application to make at start. */
export interface BootstrapConfiguration {
  readonly organizations: readonly [string, ...string[]];
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly redirectUrls: readonly string[];
}

/** The platform's OAuth app at one vendor. */
export interface OAuthAppConfiguration {
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** Vendor extras by lower-case name: `OAUTH_GOOGLE_ADS_DEVELOPER_TOKEN` is `developer_token`. */
  readonly extras: ReadonlyMap<string, Secret>;
}

/** The variables that a connector kind brings along. */
export interface OAuthVariables {
  /** E.g. `OAUTH_GOOGLE_ADS`. */
  readonly prefix: string;
  /** Strict schema of the extras, by lower-case name, e.g. `developer_token` for `OAUTH_GOOGLE_ADS_DEVELOPER_TOKEN`. */
  readonly extras: z.ZodObject | null;
}

/**
 * Reads the configuration from the environment, once.
 * @returns also warnings: variables that look like misspelt settings, and settings that are legal but weak.
 * @throws ConfigurationError naming every mistake and what to write instead. It never repeats a value.
 */
export function readConfiguration(
  environment: Environment,
  oauthVariables: readonly OAuthVariables[],
): { configuration: Configuration; warnings: string[] } {
  const reader = new EnvironmentReader(environment);
  const databaseUrl = reader.read('DATABASE_URL', parseDatabaseUrl);
  const isServer = reader.isSet('DATABASE_URL');
  const publicUrl = reader.read('PUBLIC_URL', parseBaseUrl);
  const sandboxUrl = reader.read('SANDBOX_URL', parseBaseUrl);
  const configuration: Configuration = {
    host: reader.read('HOST', parseHost) ?? '127.0.0.1',
    port: reader.read('PORT', parsePort) ?? 8787,
    publicUrl,
    trustedProxies: reader.read('TRUSTED_PROXIES', parseProxyCount) ?? 0,
    databaseUrl,
    dataDir: reader.text('DATA_DIR') ?? '.data',
    encryptionKeys: readKeys(reader, 'ENCRYPTION_KEYS', isServer),
    signingKeys: readKeys(reader, 'SIGNING_KEYS', isServer),
    bootstrap: readBootstrap(reader),
    vendorRateLimits: reader.read('VENDOR_RATE_LIMITS', parseSwitch) ?? true,
    searchTimeoutMs: reader.read('SEARCH_TIMEOUT_MS', parseTimeout) ?? 5000,
    syncIntervalMinutes: reader.read('SYNC_INTERVAL_MINUTES', parseMinutes) ?? 60,
    adminToken: reader.read('ADMIN_TOKEN', parseSecret),
    sandboxUrl,
    oauthApps: new Map(oauthVariables.flatMap(variables => readOAuthApp(reader, variables))),
  };
  refuseSandboxInEarnest(reader, publicUrl);
  reader.finish();
  const warnings = [...reader.suspicious(['BOOTSTRAP_', 'OAUTH_']), ...weaknesses(configuration)];
  return { configuration, warnings };
}

/** The sandbox knows no real credentials and must never stand between real people and their vendors. */
function refuseSandboxInEarnest(reader: EnvironmentReader, publicUrl: string | null): void {
  if (!reader.isSet('SANDBOX_URL')) {
    if (reader.text('VENDOR_RATE_LIMITS') === 'off') {
      reader.refuse("VENDOR_RATE_LIMITS may be off only with SANDBOX_URL: the vendors' limits are real");
    }
    return;
  }
  if (reader.text('NODE_ENV') === 'production') {
    reader.refuse('SANDBOX_URL is for development and tests; unset it when NODE_ENV is production');
  }
  if (publicUrl !== null && !isLoopback(new URL(publicUrl).hostname)) {
    reader.refuse('SANDBOX_URL is for this machine only; unset it, or let PUBLIC_URL be on localhost');
  }
}

function readKeys(reader: EnvironmentReader, name: string, isRequired: boolean): KeyRing | null {
  if (isRequired && !reader.isSet(name)) {
    reader.refuse(
      `${name} is required with DATABASE_URL: write kid:key, the key from "openssl rand -base64 32"`,
    );
  }
  return reader.read(name, text => {
    const keys = parseKeyRing(text);
    return 'fault' in keys
      ? { fault: `must be kid:base64,kid:base64 with keys from "openssl rand -base64 32": ${keys.fault}` }
      : { value: keys };
  });
}

function readBootstrap(reader: EnvironmentReader): BootstrapConfiguration | null {
  const organizations = reader.read('BOOTSTRAP_ORGANIZATION', parseNames);
  const clientId = reader.read('BOOTSTRAP_CLIENT_ID', parseClientId);
  const clientSecret = reader.read('BOOTSTRAP_CLIENT_SECRET', parseSecret);
  const redirectUrls = reader.read('BOOTSTRAP_REDIRECT_URLS', parseRedirectUrls) ?? [];
  const names = ['BOOTSTRAP_ORGANIZATION', 'BOOTSTRAP_CLIENT_ID', 'BOOTSTRAP_CLIENT_SECRET'];
  requireTogether(reader, names, reader.isSet('BOOTSTRAP_REDIRECT_URLS'));
  if (organizations === null || clientId === null || clientSecret === null) return null;
  return { organizations, clientId, clientSecret, redirectUrls };
}

function readOAuthApp(
  reader: EnvironmentReader,
  { prefix, extras }: OAuthVariables,
): [string, OAuthAppConfiguration][] {
  const clientId = reader.text(`${prefix}_CLIENT_ID`);
  const clientSecret = reader.read(`${prefix}_CLIENT_SECRET`, parseSecret);
  const values = Object.keys(extras?.shape ?? {}).flatMap(name => {
    const value = reader.text(`${prefix}_${name.toUpperCase()}`);
    return value === null ? [] : [[name, value] as const];
  });
  requireTogether(reader, [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`], values.length > 0);
  if (clientId === null || clientSecret === null) return [];
  const result = extras && validate(extras, Object.fromEntries(values));
  for (const { path, message } of result?.ok === false ? result.issues : []) {
    reader.refuse(`${prefix}_${path.toUpperCase()} is missing or wrong: ${message}`);
  }
  const secrets = values.map(([name, value]) => [name, new Secret(value)] as const);
  return [[prefix, { clientId, clientSecret, extras: new Map(secrets) }]];
}

/** All of them or none; and all of them when something else is set that needs them. */
function requireTogether(reader: EnvironmentReader, names: readonly string[], isNeeded: boolean): void {
  const missing = names.filter(name => !reader.isSet(name));
  if (missing.length === names.length && !isNeeded) return;
  for (const name of missing) {
    reader.refuse(`${name} is missing: ${names.join(', ')} are set together or not at all`);
  }
}

const parsePort: Parse<number> = text =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535
    ? { value: Number(text) }
    : { fault: 'must be a port number, 0 to 65535' };

const parseProxyCount: Parse<number> = text =>
  /^\d$/.test(text)
    ? { value: Number(text) }
    : { fault: 'must be how many reverse proxies stand in front, 0 to 9' };

const parseHost: Parse<string> = text =>
  /^[A-Za-z0-9.:_-]+$/.test(text)
    ? { value: text }
    : { fault: 'must be an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0' };

const parseSwitch: Parse<boolean> = text =>
  text === 'on' || text === 'off' ? { value: text === 'on' } : { fault: 'must be on or off' };

const parseMinutes: Parse<number> = text =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 43_200
    ? { value: Number(text) }
    : { fault: 'must be whole minutes, 1 to 43200 (30 days)' };

const parseTimeout: Parse<number> = text =>
  /^\d{1,5}$/.test(text) && Number(text) >= 100 && Number(text) <= 30_000
    ? { value: Number(text) }
    : { fault: 'must be milliseconds, 100 to 30000' };

const parseSecret: Parse<Secret> = text => ({ value: new Secret(text) });

const parseDatabaseUrl: Parse<Secret> = text =>
  URL.canParse(text) && ['postgres:', 'postgresql:'].includes(new URL(text).protocol)
    ? { value: new Secret(text) }
    : { fault: 'must be a URL such as postgres://user:password@host:5432/database' };

const parseBaseUrl: Parse<string> = text => {
  const fault = 'must be an http or https URL without user, query or fragment';
  if (!URL.canParse(text)) return { fault };
  const { protocol, username, password, search, hash, href } = new URL(text);
  const isPlain = username === '' && password === '' && search === '' && hash === '' && !/[?#]$/.test(text);
  return isPlain && ['http:', 'https:'].includes(protocol) ? { value: href.replace(/\/+$/, '') } : { fault };
};

const parseNames: Parse<readonly [string, ...string[]]> = text => {
  const [first, ...others] = splitList(text);
  const fault = 'must be one or more different names of at most 200 characters, separated by commas';
  if (first === undefined) return { fault };
  const names: [string, ...string[]] = [first, ...others];
  const areGood = new Set(names).size === names.length && names.every(name => name.length <= 200);
  return areGood ? { value: names } : { fault };
};

const parseClientId: Parse<string> = text =>
  /^[\x21-\x7e]{1,200}$/.test(text)
    ? { value: text }
    : { fault: 'must be 1 to 200 printable ASCII characters without spaces' };

const parseRedirectUrls: Parse<readonly string[]> = text => {
  const urls = splitList(text);
  const areGood = urls.every(url => {
    if (!URL.canParse(url)) return false;
    const { protocol, hostname, username, password, hash } = new URL(url);
    const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
    return isSafe && username === '' && password === '' && hash === '' && !url.endsWith('#');
  });
  return areGood
    ? { value: urls }
    : { fault: 'must be https URLs (http on localhost) without user or fragment, separated by commas' };
};

function splitList(text: string): string[] {
  return text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '');
}

function weaknesses({ publicUrl, adminToken, bootstrap }: Configuration): string[] {
  const isOpen = publicUrl?.startsWith('http:') === true && !isLoopback(new URL(publicUrl).hostname);
  return [
    ...(isOpen ? ['PUBLIC_URL is http on a public host: tokens can be read on the way; use https'] : []),
    ...(isShort(adminToken) ? ['ADMIN_TOKEN is short; use "openssl rand -hex 32"'] : []),
    ...(isShort(bootstrap?.clientSecret)
      ? ['BOOTSTRAP_CLIENT_SECRET is short; use "openssl rand -hex 32"']
      : []),
  ];
}

function isShort(secret: Secret | null | undefined): boolean {
  return secret !== null && secret !== undefined && secret.reveal().length < 24;
}
