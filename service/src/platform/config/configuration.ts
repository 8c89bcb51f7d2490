import { isHelperUrl, isLoopback, validate } from '@connector-auth/api';
import { isSandboxUrl, sandboxUrlRule } from '@connector-auth/connectors/kind';
import { z } from 'zod';
import { parseKeyRing, type KeyRing } from '../crypto/key-ring.ts';
import { Secret } from '../crypto/secret.ts';
import { isNetwork } from '../outbound/public-address.ts';
import { EnvironmentReader, type Environment } from './environment.ts';
import { isRedirectUrl, redirectUrlRule } from './redirect-url.ts';

/** The validated configuration. The README lists the environment variables. */
export interface Configuration {
  readonly host: string;
  /** The port to listen on. With 0, the operating system chooses a free port. */
  readonly port: number;
  /** Whether all addresses and URLs of the service are on localhost. */
  readonly isLocal: boolean;
  /** How long the service still serves requests after its readiness probe fails, when it stops. */
  readonly drainSeconds: number;
  /** The public base URL, without a trailing slash. If null, the URL is derived from the host and port. */
  readonly publicUrl: string | null;
  /**
   * Number of trusted reverse proxies in front of the service. Determines which `X-Forwarded-For` entry is
   * the client address.
   */
  readonly trustedProxies: number;
  /** Maximum numbers of concurrent requests. */
  readonly requestLimits: {
    readonly perAddress: number;
    readonly perCustomer: number;
    readonly perApplication: number;
  };
  /** Maximum number of connectors per customer. */
  readonly connectorsPerCustomer: number;
  /** Maximum number of rejected credentials per customer and hour. */
  readonly rejectedCredentialsPerHour: number;
  /** The URL of a PostgreSQL server. Null selects the embedded PGlite database in `dataDir`. */
  readonly databaseUrl: Secret | null;
  /** The URL of the same database without a pooler. The same as `databaseUrl` if no pooler is used. */
  readonly directDatabaseUrl: Secret | null;
  /** Maximum number of connections to the PostgreSQL server. */
  readonly databaseConnections: number;
  readonly dataDir: string;
  /** Whether the group of `dataDir` may access it, as on a volume that belongs to a group. */
  readonly dataDirAccess: 'owner' | 'group';
  /** If null, the keys are read from a file in `dataDir`. */
  readonly encryptionKeys: KeyRing | null;
  /** If null, the keys are read from a file in `dataDir`. */
  readonly signingKeys: KeyRing | null;
  readonly bootstrap: BootstrapConfiguration | null;
  /** Whether vendor limits are enforced. */
  readonly vendorRateLimits: boolean;
  /** The maximum part of a vendor's daily quota for one customer while others use it, in percent. */
  readonly vendorQuotaSharePercent: number;
  /** The maximum number of concurrent executes per customer. */
  readonly maxConcurrentExecutes: number;
  /** The maximum size of all vendor responses in memory, in MiB. A customer can use a quarter of it. */
  readonly vendorResponseMiB: number;
  /** The default sync interval, which an organization can override. */
  readonly syncIntervalMinutes: number;
  /** The maximum number of types of data that this process syncs at the same time. */
  readonly syncConcurrency: number;
  /** How many hours after a full sync the next one is due. */
  readonly fullSyncHours: number;
  /** After how many days entries of the audit log are deleted. */
  readonly auditRetentionDays: number;
  /** After how many days changes are deleted from the change feed. */
  readonly changesRetentionDays: number;
  /** Requests to URLs that integrators choose, such as those of webhooks. */
  readonly outbound: {
    /** Networks that are not public and may be reached anyway. */
    readonly allowedNetworks: readonly string[];
    /** The only hosts that may be reached, such as `*.example.com`. Null allows all that are public. */
    readonly allowedHosts: readonly string[] | null;
    /** The forward proxy for these requests. Null sends them directly. */
    readonly proxyUrl: Secret | null;
  };
  readonly searchTimeoutMs: number;
  /** Maximum estimated cost of a search, or null for the engine's default. */
  readonly searchCostLimit: number | null;
  readonly metrics: MetricsConfiguration;
  readonly console: ConsoleConfiguration;
  /** An admin key with all rights. */
  readonly adminToken: Secret | null;
  /**
   * The URL of the sandbox to send all vendor requests to, without a trailing slash. Null sends requests to
   * the real vendors.
   */
  readonly sandboxUrl: string | null;
  /** The operator's OAuth apps, keyed by environment prefix (`OAUTH_GONG`). */
  readonly oauthApps: ReadonlyMap<string, OAuthAppConfiguration>;
}

/** Who can read the metrics, and where. */
export interface MetricsConfiguration {
  /** The bearer token that reading requires. Null if it requires none. */
  readonly token: Secret | null;
  /** An address of their own. Null serves them with the API. */
  readonly listener: { readonly host: string; readonly port: number } | null;
  /** Whether the API's address serves them. */
  readonly isServedWithApi: boolean;
}

/** Where the console and the administration API are served. */
export interface ConsoleConfiguration {
  /** `public` is the API's address, `private` the address of the metrics. */
  readonly access: 'public' | 'private' | 'off';
  /** The base URL of the private address as browsers see it. If null, it is derived from the address. */
  readonly url: string | null;
}

/** The organizations and application to create or update at startup. */
export interface BootstrapConfiguration {
  readonly organizations: readonly [string, ...string[]];
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly redirectUrls: readonly string[];
  /** Where the integrator's helper is mounted. Without it, the organizations' setting does not change. */
  readonly helperUrl?: string | null;
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

/** The variables that contain secrets, except those of OAuth apps. */
const secretVariables = [
  'DATABASE_URL',
  'ENCRYPTION_KEYS',
  'SIGNING_KEYS',
  'BOOTSTRAP_CLIENT_SECRET',
  'ADMIN_TOKEN',
  'METRICS_TOKEN',
  'OUTBOUND_PROXY',
];

function secretVariablesOf({ prefix, extras }: OAuthVariables): string[] {
  const names = ['client_secret', ...Object.keys(extras?.shape ?? {})];
  return names.map(name => `${prefix}_${name.toUpperCase()}`);
}

/**
 * Reads the configuration from environment variables, and from the files that `…_FILE` variables name.
 * @param kindProblems what is wrong with the kinds that `KINDS` names. They are loaded before, because the variables of OAuth apps
 * follow from them.
 * @returns the configuration, and warnings about variables that look like misspelled settings or have weak
 * values.
 * @throws ConfigurationError with all configuration errors at once. The error never contains a value.
 */
export function readConfiguration(
  environment: Environment,
  oauthVariables: readonly OAuthVariables[],
  kindProblems: readonly string[] = [],
): { configuration: Configuration; warnings: string[] } {
  const reader = new EnvironmentReader(environment, [
    ...secretVariables,
    ...oauthVariables.flatMap(secretVariablesOf),
  ]);
  // A setting, although what it names was loaded before.
  reader.text('KINDS');
  for (const problem of kindProblems) reader.report(problem);
  const storage = readStorage(reader);
  const isServer = reader.isSet('DATABASE_URL');
  const publicUrl = reader.read('PUBLIC_URL', baseUrl);
  const sandboxUrl = reader.read('SANDBOX_URL', baseUrl.refine(isSandboxUrl, sandboxUrlRule));
  const host = reader.read('HOST', hostName) ?? '127.0.0.1';
  const listener = readMetricsListener(reader);
  const console = readConsole(reader);
  const isLocal =
    [host, listener?.host ?? host].every(isLoopbackHost) &&
    [publicUrl, console.url].every(url => url === null || isLoopbackUrl(url));
  const configuration: Configuration = {
    host,
    isLocal,
    port: reader.read('PORT', portNumber) ?? 8787,
    drainSeconds: reader.read('DRAIN_SECONDS', integer(0, 300, 'must be whole seconds, 0 to 300')) ?? 5,
    publicUrl,
    trustedProxies:
      reader.read(
        'TRUSTED_PROXIES',
        integer(0, 9, 'must be the number of reverse proxies in front of the service, 0 to 9'),
      ) ?? 0,
    requestLimits: {
      perAddress: readCount(reader, 'CONCURRENT_REQUESTS_PER_ADDRESS', 20),
      perCustomer: readCount(reader, 'CONCURRENT_REQUESTS_PER_CUSTOMER', 20),
      perApplication: readCount(reader, 'CONCURRENT_REQUESTS_PER_APPLICATION', 400),
    },
    connectorsPerCustomer: readCount(reader, 'CONNECTORS_PER_CUSTOMER', 50),
    rejectedCredentialsPerHour: readCount(reader, 'REJECTED_CREDENTIALS_PER_HOUR', 30),
    ...storage,
    ...readKeyRings(reader),
    bootstrap: readBootstrap(reader),
    vendorRateLimits: reader.read('VENDOR_RATE_LIMITS', onOrOff) ?? true,
    vendorQuotaSharePercent:
      reader.read('VENDOR_QUOTA_SHARE', integer(1, 100, 'must be a whole percentage, 1 to 100')) ?? 25,
    maxConcurrentExecutes: readCount(reader, 'CONCURRENT_EXECUTES_PER_CUSTOMER', 50),
    vendorResponseMiB:
      reader.read('VENDOR_RESPONSE_MEMORY_MIB', integer(16, 65_536, 'must be MiB, 16 to 65536')) ??
      // The embedded database uses memory of the same process.
      (isServer ? 256 : 64),
    outbound: {
      allowedNetworks: reader.read('OUTBOUND_ALLOWED_NETWORKS', networkList) ?? [],
      allowedHosts: reader.read('OUTBOUND_ALLOWED_HOSTS', hostList),
      proxyUrl: reader.read('OUTBOUND_PROXY', proxyUrl),
    },
    searchTimeoutMs:
      reader.read('SEARCH_TIMEOUT_MS', integer(100, 30_000, 'must be milliseconds, 100 to 30000')) ??
      (isServer ? 5000 : 800),
    searchCostLimit: reader.read(
      'SEARCH_COST_LIMIT',
      integer(10_000, 1_000_000_000, 'must be a number of cost units, 10000 to 1000000000'),
    ),
    syncIntervalMinutes:
      reader.read(
        'SYNC_INTERVAL_MINUTES',
        integer(1, 43_200, 'must be whole minutes, 1 to 43200 (30 days)'),
      ) ?? 60,
    syncConcurrency:
      reader.read('SYNC_CONCURRENCY', integer(1, 100, 'must be a number of time slices, 1 to 100')) ?? 4,
    fullSyncHours:
      reader.read('FULL_SYNC_HOURS', integer(1, 8760, 'must be whole hours, 1 to 8760 (a year)')) ?? 24,
    auditRetentionDays:
      reader.read('AUDIT_RETENTION_DAYS', integer(1, 3650, 'must be whole days, 1 to 3650 (10 years)')) ??
      400,
    changesRetentionDays:
      reader.read('CHANGES_RETENTION_DAYS', integer(1, 90, 'must be whole days, 1 to 90')) ?? 7,
    metrics: readMetrics(reader, listener, isLocal),
    console,
    adminToken: reader.read('ADMIN_TOKEN', secret),
    sandboxUrl,
    oauthApps: new Map(oauthVariables.flatMap(variables => readOAuthApp(reader, variables))),
  };
  requireProxyCount(reader, publicUrl);
  requireLongSecrets(reader, configuration);
  requireDifferentKeys(reader, configuration);
  rejectSandboxInProduction(reader, { host, publicUrl });
  reader.finish();
  const warnings = [
    ...reader.warnAboutTypos(['BOOTSTRAP_', 'OAUTH_']),
    ...warnAboutWeakSettings(configuration),
  ];
  return { configuration, warnings };
}

/** Where the data is stored. */
export type StorageConfiguration = Pick<
  Configuration,
  'databaseUrl' | 'directDatabaseUrl' | 'databaseConnections' | 'dataDir' | 'dataDirAccess'
>;

/** Returns where to open the database. */
export function locationOf({
  databaseUrl,
  directDatabaseUrl,
  dataDir,
}: Pick<StorageConfiguration, 'databaseUrl' | 'directDatabaseUrl' | 'dataDir'>) {
  if (databaseUrl === null) return { dataDir };
  const directUrl = (directDatabaseUrl ?? databaseUrl).reveal();
  return { databaseUrl: databaseUrl.reveal(), directUrl };
}

/** The keys from the environment. Null if they are in a file in `dataDir`. */
export type KeyConfiguration = Pick<Configuration, 'encryptionKeys' | 'signingKeys'>;

/** Reads only the variables of the database. Throws a ConfigurationError. */
export function readStorageConfiguration(environment: Environment): StorageConfiguration {
  const reader = new EnvironmentReader(environment, secretVariables);
  const storage = readStorage(reader);
  reader.finish();
  return storage;
}

/** Reads only the variables of the database and of the keys. Throws a ConfigurationError. */
export function readKeyConfiguration(environment: Environment): StorageConfiguration & KeyConfiguration {
  const reader = new EnvironmentReader(environment, secretVariables);
  const configuration = { ...readStorage(reader), ...readKeyRings(reader) };
  requireDifferentKeys(reader, configuration);
  reader.finish();
  return configuration;
}

/** Two for requests, and one each for searches, internal reads and notifications. */
const minConnections = 5;

function readStorage(reader: EnvironmentReader): StorageConfiguration {
  if (![null, '1'].includes(reader.text('WORKERS'))) {
    reader.report(
      'WORKERS must be unset or 1, because each process serves by itself: unset it, and start several processes with the same DATABASE_URL behind your reverse proxy or orchestrator',
    );
  }
  const databaseUrl = reader.read('DATABASE_URL', databaseUrlSchema);
  const directDatabaseUrl = reader.read('DIRECT_DATABASE_URL', databaseUrlSchema);
  if (reader.isSet('DIRECT_DATABASE_URL') && !reader.isSet('DATABASE_URL')) {
    reader.report('DATABASE_URL is missing: DIRECT_DATABASE_URL is its database without the pooler');
  } else if (!reader.isSet('DATABASE_URL') && !isPgliteInstalled()) {
    reader.report(
      'DATABASE_URL is missing: set it to the URL of a PostgreSQL server. Or, to use the embedded database, install it: npm install @electric-sql/pglite@0.5',
    );
  }
  return {
    databaseUrl,
    directDatabaseUrl: directDatabaseUrl ?? databaseUrl,
    databaseConnections:
      reader.read(
        'DATABASE_CONNECTIONS',
        integer(minConnections, 10_000, `must be a number of connections, ${minConnections} to 10000`),
      ) ?? 17,
    dataDir: reader.text('DATA_DIR') ?? '.data',
    dataDirAccess: reader.read('DATA_DIR_ACCESS', folderAccess) ?? 'owner',
  };
}

/** The embedded database is an optional peer dependency, because services with a PostgreSQL server do not need its 27 MB. */
function isPgliteInstalled(): boolean {
  try {
    import.meta.resolve('@electric-sql/pglite');
    return true;
  } catch {
    return false;
  }
}

function readKeyRings(reader: EnvironmentReader): KeyConfiguration {
  const isServer = reader.isSet('DATABASE_URL');
  return {
    encryptionKeys: readKeys(reader, 'ENCRYPTION_KEYS', isServer),
    signingKeys: readKeys(reader, 'SIGNING_KEYS', isServer),
  };
}

/**
 * Reports an error if the service is behind TLS and the number of proxies is not stated. A wrong number lets
 * clients choose the address for which rate limits count them.
 */
function requireProxyCount(reader: EnvironmentReader, publicUrl: string | null): void {
  if (publicUrl?.startsWith('https:') !== true || reader.isSet('TRUSTED_PROXIES')) return;
  reader.report(
    'TRUSTED_PROXIES is required with an https PUBLIC_URL: set it to the number of reverse proxies in front of the service, such as 1, or to 0 if there is none',
  );
}

/** The minimum length of a secret that protects a service on a network. */
const minSecretLength = 32;

function requireLongSecrets(
  reader: EnvironmentReader,
  { bootstrap, adminToken, metrics, isLocal }: Configuration,
): void {
  if (isLocal) return;
  const secrets = {
    BOOTSTRAP_CLIENT_SECRET: bootstrap?.clientSecret,
    ADMIN_TOKEN: adminToken,
    METRICS_TOKEN: metrics.token,
  };
  for (const [name, value] of Object.entries(secrets)) {
    if (value === null || value === undefined || value.reveal().length >= minSecretLength) continue;
    reader.report(
      `${name} must have at least ${minSecretLength} characters unless the service is reached on localhost only: use "openssl rand -hex 32"`,
    );
  }
}

/** Reports an error for a key that is used for two purposes. */
function requireDifferentKeys(
  reader: EnvironmentReader,
  { encryptionKeys, signingKeys }: KeyConfiguration,
): void {
  const twice = (signingKeys ?? []).filter(({ secret: key }) =>
    (encryptionKeys ?? []).some(({ secret: other }) => other.reveal().equals(key.reveal())),
  );
  for (const { id } of twice) {
    reader.report(
      `SIGNING_KEYS contains a key (${id}) that is also in ENCRYPTION_KEYS: use a different key for each, from "openssl rand -base64 32"`,
    );
  }
}

function readMetricsListener(reader: EnvironmentReader): MetricsConfiguration['listener'] {
  const port = reader.read('METRICS_PORT', portNumber);
  const host = reader.read('METRICS_HOST', hostName);
  if (host !== null && !reader.isSet('METRICS_PORT')) {
    reader.report('METRICS_PORT is missing: METRICS_HOST is the address on which that port listens');
  }
  return port === null ? null : { host: host ?? '127.0.0.1', port };
}

/**
 * Reads who can read the metrics. Without settings, they are served with the API if the service is reached on
 * localhost only, and otherwise not at all.
 */
function readMetrics(
  reader: EnvironmentReader,
  listener: MetricsConfiguration['listener'],
  isLocal: boolean,
): MetricsConfiguration {
  const token = reader.read('METRICS_TOKEN', secret);
  return { token, listener, isServedWithApi: listener === null && (token !== null || isLocal) };
}

function readConsole(reader: EnvironmentReader): ConsoleConfiguration {
  const access = reader.read('CONSOLE', consoleAccess) ?? 'public';
  const url = reader.read('CONSOLE_URL', baseUrl);
  if (access === 'private' && !reader.isSet('METRICS_PORT')) {
    reader.report('METRICS_PORT is missing: CONSOLE=private serves the console on that port');
  }
  if (access !== 'private' && reader.isSet('CONSOLE_URL')) {
    reader.report('CONSOLE_URL is only for CONSOLE=private; otherwise, the console is at PUBLIC_URL');
  }
  return { access, url };
}

/**
 * Reports an error if `SANDBOX_URL` is set in production, so that requests with real credentials never reach
 * the sandbox.
 */
function rejectSandboxInProduction(
  reader: EnvironmentReader,
  { host, publicUrl }: Pick<Configuration, 'host' | 'publicUrl'>,
): void {
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
  if (publicUrl !== null && !isLoopbackUrl(publicUrl)) {
    reader.report('SANDBOX_URL is for local use only; unset it, or set PUBLIC_URL to a localhost URL');
  }
  if (!isLoopbackHost(host)) {
    reader.report('SANDBOX_URL is for local use only; unset it, or set HOST to 127.0.0.1');
  }
}

function isLoopbackUrl(url: string): boolean {
  return isLoopback(new URL(url).hostname);
}

/** Returns whether an address to listen on is reached only from this machine. */
function isLoopbackHost(host: string): boolean {
  return isLoopback(host) || host === '::1';
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
  const helperUrl = reader.read('BOOTSTRAP_HELPER_URL', helperUrlText);
  const required = ['BOOTSTRAP_ORGANIZATION', 'BOOTSTRAP_CLIENT_ID', 'BOOTSTRAP_CLIENT_SECRET'];
  const isNeeded = reader.isSet('BOOTSTRAP_REDIRECT_URLS') || reader.isSet('BOOTSTRAP_HELPER_URL');
  requireTogether(reader, required, isNeeded);
  if (organizations === null || clientId === null || clientSecret === null) return null;
  return { organizations, clientId, clientSecret, redirectUrls, helperUrl };
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
    .regex(/^\d{1,10}$/, message)
    .transform(Number)
    .refine(number => number >= min && number <= max, message);
}

const portNumber = integer(0, 65_535, 'must be a port number, 0 to 65535');

const hostName = z
  .string()
  .regex(/^[A-Za-z0-9.:_-]+$/, 'must be an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0');

const folderAccess = z.enum(['owner', 'group'], 'must be owner or group');

const onOrOff = z.enum(['on', 'off'], 'must be on or off').transform(text => text === 'on');

const consoleAccess = z.enum(['public', 'private', 'off'], 'must be public, private or off');

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
  .refine(urls => urls.every(isRedirectUrl), `must be ${redirectUrlRule}, separated by commas`);

const networkList = z
  .string()
  .transform(splitList)
  .refine(
    list => list.every(isNetwork),
    'must be networks such as 10.1.0.0/16 or fd12:3456::/32, separated by commas',
  );

const hostList = z
  .string()
  .transform(text => splitList(text.toLowerCase()))
  .refine(
    list => list.every(host => /^(?:\*\.)?[a-z\d-]+(?:\.[a-z\d-]+)*$/.test(host)),
    'must be host names such as app.example.com or *.example.com, separated by commas',
  );

const proxyUrl = z
  .string()
  .refine(
    text => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? ''),
    'must be the URL of a forward proxy, such as http://proxy.internal:3128',
  )
  .transform(text => new Secret(text));

const helperUrlText = z
  .string()
  .refine(isHelperUrl, 'must be an https URL, or http on a loopback host, without user, query or fragment')
  .transform(text => text.replace(/\/+$/, ''));

function splitList(text: string): string[] {
  return text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '');
}

/** Returns a warning for each setting that is unsafe on a network. */
export function warnAboutWeakSettings({
  publicUrl,
  databaseUrl,
}: Pick<Configuration, 'publicUrl' | 'databaseUrl'>): string[] {
  if (publicUrl === null || isLoopbackUrl(publicUrl)) return [];
  return [
    ...(publicUrl.startsWith('http:')
      ? ['PUBLIC_URL uses http on a public host, so tokens are sent unencrypted; use https']
      : []),
    ...(databaseUrl === null
      ? [
          'DATABASE_URL is unset, so the embedded database is used: one customer with costly searches can slow all others, and only one process can run; use PostgreSQL',
        ]
      : []),
  ];
}
