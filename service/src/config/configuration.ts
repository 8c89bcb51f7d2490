import { isLoopback, validate } from '@connector-auth/api';
import { z } from 'zod';
import { parseKeyRing, type KeyRing } from '../crypto/key-ring.ts';
import { Secret } from '../crypto/secret.ts';
import { EnvironmentReader, type Environment } from './environment.ts';

/** The validated configuration. The README lists the environment variables. */
export interface Configuration {
  readonly host: string;
  /** The port to listen on. With 0, the operating system chooses a free port. */
  readonly port: number;
  /** The public base URL, without a trailing slash. If null, the URL is derived from the host and port. */
  readonly publicUrl: string | null;
  /**
   * Number of trusted reverse proxies in front of the service. Determines which `X-Forwarded-For` entry is
   * the client address.
   */
  readonly trustedProxies: number;
  /** Maximum numbers of concurrent requests in one process. */
  readonly requestLimits: {
    readonly perAddress: number;
    readonly perCustomer: number;
    readonly perApplication: number;
  };
  /** Maximum number of connectors per customer. */
  readonly connectorsPerCustomer: number;
  /** Maximum number of rejected credentials per customer, hour and process. */
  readonly rejectedCredentialsPerHour: number;
  /** The URL of a PostgreSQL server. Null selects the embedded PGlite database in `dataDir`. */
  readonly databaseUrl: Secret | null;
  readonly dataDir: string;
  /** If null, the keys are read from a file in `dataDir`. */
  readonly encryptionKeys: KeyRing | null;
  /** If null, the keys are read from a file in `dataDir`. */
  readonly signingKeys: KeyRing | null;
  readonly bootstrap: BootstrapConfiguration | null;
  /** Whether vendor limits are enforced. */
  readonly vendorRateLimits: boolean;
  /** The default sync interval, which an organization can override. */
  readonly syncIntervalMinutes: number;
  readonly searchTimeoutMs: number;
  /** Reserved for a future administration API. */
  readonly adminToken: Secret | null;
  /**
   * The URL of the sandbox to send all vendor requests to, without a trailing slash. Null sends requests to
   * the real vendors.
   */
  readonly sandboxUrl: string | null;
  /** The operator's OAuth apps, keyed by environment prefix (`OAUTH_GONG`). */
  readonly oauthApps: ReadonlyMap<string, OAuthAppConfiguration>;
}

/** The organizations and application to create or update at startup. */
export interface BootstrapConfiguration {
  readonly organizations: readonly [string, ...string[]];
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly redirectUrls: readonly string[];
}

/** The operator's OAuth app for one vendor. */
export interface OAuthAppConfiguration {
  readonly clientId: string;
  readonly clientSecret: Secret;
  /**
   * Vendor-specific values keyed by lower-case name: `OAUTH_GOOGLE_ADS_DEVELOPER_TOKEN` becomes
   * `developer_token`.
   */
  readonly extras: ReadonlyMap<string, Secret>;
  /** Whether the app's redirect URL at the vendor is `/oauth/callback/<kind>` instead of `/oauth/callback`. */
  readonly usesKindCallback?: boolean;
}

/** Describes the environment variables for a connector kind's OAuth app. */
export interface OAuthVariables {
  /** The prefix of the variable names, e.g. `OAUTH_GOOGLE_ADS`. */
  readonly prefix: string;
  /**
   * The strict schema for vendor-specific values, keyed by lower-case name: `developer_token` for
   * `OAUTH_GOOGLE_ADS_DEVELOPER_TOKEN`.
   */
  readonly extras: z.ZodObject | null;
}

/**
 * Reads the configuration from environment variables.
 * @returns the configuration, and warnings about variables that look like misspelled settings or have weak
 * values.
 * @throws ConfigurationError with all configuration errors at once. The error never contains a value.
 */
export function readConfiguration(
  environment: Environment,
  oauthVariables: readonly OAuthVariables[],
): { configuration: Configuration; warnings: string[] } {
  const reader = new EnvironmentReader(environment);
  const databaseUrl = reader.read('DATABASE_URL', databaseUrlSchema);
  const isServer = reader.isSet('DATABASE_URL');
  const publicUrl = reader.read('PUBLIC_URL', baseUrl);
  const sandboxUrl = reader.read('SANDBOX_URL', baseUrl);
  const configuration: Configuration = {
    host: reader.read('HOST', hostName) ?? '127.0.0.1',
    port: reader.read('PORT', integer(0, 65_535, 'must be a port number, 0 to 65535')) ?? 8787,
    publicUrl,
    trustedProxies:
      reader.read(
        'TRUSTED_PROXIES',
        integer(0, 9, 'must be the number of reverse proxies in front of the service, 0 to 9'),
      ) ?? 0,
    requestLimits: {
      perAddress: readCount(reader, 'CONCURRENT_REQUESTS_PER_ADDRESS', 20),
      perCustomer: readCount(reader, 'CONCURRENT_REQUESTS_PER_CUSTOMER', 40),
      perApplication: readCount(reader, 'CONCURRENT_REQUESTS_PER_APPLICATION', 400),
    },
    connectorsPerCustomer: readCount(reader, 'CONNECTORS_PER_CUSTOMER', 50),
    rejectedCredentialsPerHour: readCount(reader, 'REJECTED_CREDENTIALS_PER_HOUR', 30),
    databaseUrl,
    dataDir: reader.text('DATA_DIR') ?? '.data',
    encryptionKeys: readKeys(reader, 'ENCRYPTION_KEYS', isServer),
    signingKeys: readKeys(reader, 'SIGNING_KEYS', isServer),
    bootstrap: readBootstrap(reader),
    vendorRateLimits: reader.read('VENDOR_RATE_LIMITS', onOrOff) ?? true,
    searchTimeoutMs:
      reader.read('SEARCH_TIMEOUT_MS', integer(100, 30_000, 'must be milliseconds, 100 to 30000')) ?? 5000,
    syncIntervalMinutes:
      reader.read(
        'SYNC_INTERVAL_MINUTES',
        integer(1, 43_200, 'must be whole minutes, 1 to 43200 (30 days)'),
      ) ?? 60,
    adminToken: reader.read('ADMIN_TOKEN', secret),
    sandboxUrl,
    oauthApps: new Map(oauthVariables.flatMap(variables => readOAuthApp(reader, variables))),
  };
  rejectSandboxInProduction(reader, publicUrl);
  reader.finish();
  const warnings = [
    ...reader.warnAboutTypos(['BOOTSTRAP_', 'OAUTH_']),
    ...warnAboutWeakSettings(configuration),
  ];
  return { configuration, warnings };
}

/**
 * Reports an error if `SANDBOX_URL` is set in production, so that requests with real credentials never reach
 * the sandbox.
 */
function rejectSandboxInProduction(reader: EnvironmentReader, publicUrl: string | null): void {
  if (!reader.isSet('SANDBOX_URL')) {
    if (reader.text('VENDOR_RATE_LIMITS') === 'off') {
      reader.report(
        'VENDOR_RATE_LIMITS can be off only with SANDBOX_URL, because vendors enforce their limits',
      );
    }
    return;
  }
  if (reader.text('NODE_ENV') === 'production') {
    reader.report('SANDBOX_URL is for development and tests; unset it when NODE_ENV is production');
  }
  if (publicUrl !== null && !isLoopback(new URL(publicUrl).hostname)) {
    reader.report('SANDBOX_URL is for local use only; unset it, or set PUBLIC_URL to a localhost URL');
  }
}

function readKeys(reader: EnvironmentReader, name: string, isRequired: boolean): KeyRing | null {
  if (isRequired && !reader.isSet(name)) {
    reader.report(
      `${name} is required with DATABASE_URL: set it to id:key, with a key from "openssl rand -base64 32"`,
    );
  }
  return reader.read(name, keyRing);
}

function readBootstrap(reader: EnvironmentReader): BootstrapConfiguration | null {
  const organizations = reader.read('BOOTSTRAP_ORGANIZATION', names);
  const clientId = reader.read('BOOTSTRAP_CLIENT_ID', clientIdText);
  const clientSecret = reader.read('BOOTSTRAP_CLIENT_SECRET', secret);
  const redirectUrls = reader.read('BOOTSTRAP_REDIRECT_URLS', redirectUrlList) ?? [];
  const required = ['BOOTSTRAP_ORGANIZATION', 'BOOTSTRAP_CLIENT_ID', 'BOOTSTRAP_CLIENT_SECRET'];
  requireTogether(reader, required, reader.isSet('BOOTSTRAP_REDIRECT_URLS'));
  if (organizations === null || clientId === null || clientSecret === null) return null;
  return { organizations, clientId, clientSecret, redirectUrls };
}

function readOAuthApp(
  reader: EnvironmentReader,
  { prefix, extras }: OAuthVariables,
): [string, OAuthAppConfiguration][] {
  const clientId = reader.text(`${prefix}_CLIENT_ID`);
  const clientSecret = reader.read(`${prefix}_CLIENT_SECRET`, secret);
  const callback = reader.read(`${prefix}_CALLBACK`, z.enum(['shared', 'kind'], 'must be shared or kind'));
  const values = Object.keys(extras?.shape ?? {}).flatMap(name => {
    const value = reader.text(`${prefix}_${name.toUpperCase()}`);
    return value === null ? [] : [[name, value] as const];
  });
  requireTogether(reader, [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`], values.length > 0);
  if (clientId === null || clientSecret === null) return [];
  const result = extras && validate(extras, Object.fromEntries(values));
  for (const { path, message } of result?.ok === false ? result.issues : []) {
    reader.report(`${prefix}_${path.toUpperCase()} is missing or invalid: ${message}`);
  }
  const secrets = values.map(([name, value]) => [name, new Secret(value)] as const);
  const usesKindCallback = callback === 'kind';
  return [[prefix, { clientId, clientSecret, extras: new Map(secrets), usesKindCallback }]];
}

/** Reports each missing variable if at least one of the variables is set or another setting requires them. */
function requireTogether(reader: EnvironmentReader, names: readonly string[], isNeeded: boolean): void {
  const missing = names.filter(name => !reader.isSet(name));
  if (missing.length === names.length && !isNeeded) return;
  for (const name of missing) {
    reader.report(`${name} is missing: ${names.join(', ')} must be set together`);
  }
}

function readCount(reader: EnvironmentReader, name: string, fallback: number): number {
  return reader.read(name, integer(1, 10_000, 'must be a whole number, 1 to 10000')) ?? fallback;
}

function integer(min: number, max: number, message: string): z.ZodType<number, string> {
  return z
    .string()
    .regex(/^\d{1,5}$/, message)
    .transform(Number)
    .refine(number => number >= min && number <= max, message);
}

const hostName = z
  .string()
  .regex(/^[A-Za-z0-9.:_-]+$/, 'must be an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0');

const onOrOff = z.enum(['on', 'off'], 'must be on or off').transform(text => text === 'on');

const secret = z.string().transform(text => new Secret(text));

const databaseUrlSchema = z
  .string()
  .refine(
    text => ['postgres:', 'postgresql:'].includes(URL.parse(text)?.protocol ?? ''),
    'must be a URL such as postgres://user:password@host:5432/database',
  )
  .transform(text => new Secret(text));

const baseUrl = z
  .string()
  .refine(isBaseUrl, 'must be an http or https URL without user, query or fragment')
  .transform(text => new URL(text).href.replace(/\/+$/, ''));

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  const isPlain = username === '' && password === '' && search === '' && hash === '' && !/[?#]$/.test(text);
  return isPlain && ['http:', 'https:'].includes(protocol);
}

const keyRing = z.string().transform((text, context): KeyRing => {
  const keys = parseKeyRing(text);
  if (!('error' in keys)) return keys;
  const format = 'must be id:base64,id:base64 with keys from "openssl rand -base64 32"';
  context.addIssue({ code: 'custom', message: `${format}: ${keys.error}` });
  return z.NEVER;
});

const names = z
  .string()
  .transform(splitList)
  .refine(
    (list): list is [string, ...string[]] =>
      list.length > 0 && new Set(list).size === list.length && list.every(name => name.length <= 200),
    'must be one or more different names of at most 200 characters, separated by commas',
  );

const clientIdText = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters without spaces');

const redirectUrlList = z
  .string()
  .transform(splitList)
  .refine(
    urls => urls.every(isRedirectUrl),
    'must be https URLs (http on localhost) without user or fragment, separated by commas',
  );

function isRedirectUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return isSafe && username === '' && password === '' && hash === '' && !text.endsWith('#');
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '');
}

function warnAboutWeakSettings({ publicUrl, adminToken, bootstrap }: Configuration): string[] {
  const isOpen = publicUrl?.startsWith('http:') === true && !isLoopback(new URL(publicUrl).hostname);
  return [
    ...(isOpen ? ['PUBLIC_URL uses http on a public host, so tokens are sent unencrypted; use https'] : []),
    ...(isShort(adminToken) ? ['ADMIN_TOKEN is short; use "openssl rand -hex 32"'] : []),
    ...(isShort(bootstrap?.clientSecret)
      ? ['BOOTSTRAP_CLIENT_SECRET is short; use "openssl rand -hex 32"']
      : []),
  ];
}

function isShort(secret: Secret | null | undefined): boolean {
  return secret !== null && secret !== undefined && secret.reveal().length < 24;
}
