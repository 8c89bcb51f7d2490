import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { Secret } from '../crypto/secret.ts';
import { readConfiguration, readStorageConfiguration } from './configuration.ts';
import { ConfigurationError, type Environment } from './environment.ts';

const oauth = [
  { prefix: 'OAUTH_GONG', extras: null },
  {
    prefix: 'OAUTH_GOOGLE_ADS',
    extras: z.strictObject({
      developer_token: z.string('Give the developer token'),
      access_level: z.enum(['basic', 'standard'], 'Use "basic" or "standard"').optional(),
    }),
  },
];
const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const keys = { ENCRYPTION_KEYS: `e1:${key(1)}`, SIGNING_KEYS: `s1:${key(2)}` };
const bootstrap = {
  BOOTSTRAP_ORGANIZATION: 'Acme',
  BOOTSTRAP_CLIENT_ID: 'acme',
  BOOTSTRAP_CLIENT_SECRET: 'a-long-secret-for-the-tests-0123456789',
};

function read(environment: Environment) {
  return readConfiguration(environment, oauth);
}

function problemsOf(environment: Environment): readonly string[] {
  try {
    read(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

test('uses the embedded database and localhost when no variable is set', () => {
  expect(read({})).toEqual({
    configuration: {
      host: '127.0.0.1',
      port: 8787,
      drainSeconds: 5,
      isLocal: true,
      publicUrl: null,
      trustedProxies: 0,
      databaseUrl: null,
      directDatabaseUrl: null,
      databaseConnections: 17,
      dataDir: '.data',
      dataDirAccess: 'owner',
      encryptionKeys: null,
      signingKeys: null,
      bootstrap: null,
      vendorRateLimits: true,
      vendorQuotaSharePercent: 25,
      maxConcurrentExecutes: 50,
      vendorResponseMiB: 64,
      outbound: { allowedNetworks: [], allowedHosts: null, proxyUrl: null },
      searchTimeoutMs: 800,
      searchCostLimit: null,
      requestLimits: { perAddress: 20, perCustomer: 20, perApplication: 400 },
      connectorsPerCustomer: 50,
      rejectedCredentialsPerHour: 30,
      syncIntervalMinutes: 60,
      syncConcurrency: 4,
      fullSyncHours: 24,
      auditRetentionDays: 400,
      changesRetentionDays: 7,
      metrics: { token: null, listener: null, isServedWithApi: true },
      console: { access: 'public', url: null },
      adminToken: null,
      sandboxUrl: null,
      oauthApps: new Map(),
    },
    warnings: [],
  });
});

test('treats an empty variable as unset', () => {
  expect(read({ PORT: '', DATABASE_URL: ' ', BOOTSTRAP_CLIENT_ID: '' })).toEqual(read({}));
});

test('reads every setting from its environment variable', () => {
  const { configuration, warnings } = read({
    PORT: '8080',
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://connect.example.com/',
    TRUSTED_PROXIES: '1',
    DATABASE_URL: 'postgres://me:pw@db.example.com/agent',
    DATABASE_CONNECTIONS: '40',
    WORKERS: '1',
    DATA_DIR: '/var/lib/agent',
    DATA_DIR_ACCESS: 'group',
    ENCRYPTION_KEYS: `new:${key(3)},old:${key(1)}`,
    SIGNING_KEYS: `s1:${key(2)}`,
    ...bootstrap,
    BOOTSTRAP_ORGANIZATION: 'Acme, Acme Labs',
    BOOTSTRAP_REDIRECT_URLS: 'https://app.example.com/done?x=1, http://localhost:3000/done',
    ADMIN_TOKEN: 'admin-token-of-good-length-0123456789',
    METRICS_TOKEN: 'metrics-token-of-good-length-0123456789',
    METRICS_HOST: '10.0.0.5',
    METRICS_PORT: '9090',
    CONSOLE: 'private',
    CONSOLE_URL: 'https://console.example.internal/',
    SYNC_CONCURRENCY: '16',
    FULL_SYNC_HOURS: '168',
    OAUTH_GONG_CLIENT_ID: 'gong-app',
    OAUTH_GONG_CLIENT_SECRET: 'gong-secret',
    OAUTH_GONG_CALLBACK: 'kind',
    OAUTH_GOOGLE_ADS_CLIENT_ID: 'google-app',
    OAUTH_GOOGLE_ADS_CLIENT_SECRET: 'google-secret',
    OAUTH_GOOGLE_ADS_DEVELOPER_TOKEN: 'google-developer',
    NODE_ENV: 'production',
  });
  expect(warnings).toEqual([]);
  expect(configuration).toMatchObject({
    host: '0.0.0.0',
    port: 8080,
    publicUrl: 'https://connect.example.com',
    trustedProxies: 1,
    databaseConnections: 40,
    dataDir: '/var/lib/agent',
    dataDirAccess: 'group',
    metrics: { listener: { host: '10.0.0.5', port: 9090 }, isServedWithApi: false },
    console: { access: 'private', url: 'https://console.example.internal' },
    sandboxUrl: null,
    vendorRateLimits: true,
    syncConcurrency: 16,
    fullSyncHours: 168,
  });
  expect(configuration.databaseUrl?.reveal()).toBe('postgres://me:pw@db.example.com/agent');
  expect(configuration.encryptionKeys?.map(({ id }) => id)).toEqual(['new', 'old']);
  expect(configuration.encryptionKeys?.[0].secret.reveal()).toEqual(Buffer.alloc(32, 3));
  expect(configuration.bootstrap).toMatchObject({
    organizations: ['Acme', 'Acme Labs'],
    clientId: 'acme',
    redirectUrls: ['https://app.example.com/done?x=1', 'http://localhost:3000/done'],
  });
  expect(configuration.bootstrap?.clientSecret.reveal()).toBe('a-long-secret-for-the-tests-0123456789');
  expect(configuration.adminToken?.reveal()).toBe('admin-token-of-good-length-0123456789');
  expect(configuration.metrics.token?.reveal()).toBe('metrics-token-of-good-length-0123456789');
  expect([...configuration.oauthApps.keys()]).toEqual(['OAUTH_GONG', 'OAUTH_GOOGLE_ADS']);
  expect([...configuration.oauthApps.values()].map(app => app.usesKindCallback)).toEqual([true, false]);
  const google = configuration.oauthApps.get('OAUTH_GOOGLE_ADS');
  expect(google?.clientId).toBe('google-app');
  expect(google?.extras.get('developer_token')?.reveal()).toBe('google-developer');
});

test('redacts secrets when the configuration is printed', () => {
  const { configuration } = read({
    ...bootstrap,
    ...keys,
    DATABASE_URL: 'postgres://me:hush@db/agent',
    ADMIN_TOKEN: 'hush-hush',
    METRICS_TOKEN: 'hush-metrics',
    OAUTH_GONG_CLIENT_ID: 'gong-app',
    OAUTH_GONG_CLIENT_SECRET: 'hush-gong',
    BOOTSTRAP_CLIENT_SECRET: 'hush-bootstrap',
  });
  for (const text of [
    JSON.stringify(configuration),
    inspect(configuration, { depth: 9, showHidden: true }),
  ]) {
    expect(text).not.toContain('hush');
    expect(text).not.toContain(key(1));
  }
});

const folder = mkdtempSync(join(tmpdir(), 'connector-auth-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file and returns its path. */
function fileWith(content: string): string {
  const path = join(folder, `secret-${Buffer.from(content).toString('hex').slice(0, 40)}`);
  writeFileSync(path, content);
  return path;
}

const withAllSecrets = {
  ...bootstrap,
  ...keys,
  DATABASE_URL: 'postgres://me:pw@db/agent',
  ADMIN_TOKEN: 'secret-of-admins',
  METRICS_TOKEN: 'secret-of-metrics',
  OUTBOUND_PROXY: 'http://me:pw@proxy',
  OAUTH_GONG_CLIENT_ID: 'gong-app',
  OAUTH_GONG_CLIENT_SECRET: 'secret-of-gong',
  OAUTH_GOOGLE_ADS_CLIENT_ID: 'google-app',
  OAUTH_GOOGLE_ADS_CLIENT_SECRET: 'secret-of-google',
  OAUTH_GOOGLE_ADS_DEVELOPER_TOKEN: 'secret-of-developers',
};
const secrets = Object.entries(withAllSecrets).filter(([name]) => !/_ID$|ORGANIZATION/.test(name));

test.each(secrets)(
  'reads %s from the file that its _FILE variable names, without the final newline',
  (name, value) => {
    const environment = { ...withAllSecrets, [name]: undefined, [`${name}_FILE`]: fileWith(`${value}\n`) };
    const { configuration, warnings } = read(environment);
    expect([revealed(configuration), warnings]).toEqual([revealed(read(withAllSecrets).configuration), []]);
  },
);

/** Returns a configuration as text, with its secrets in square brackets. */
function revealed(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, shown: unknown) {
    const original = this[key];
    if (original instanceof Secret)
      return `[secret ${Buffer.from(original.reveal() as string).toString('hex')}]`;
    return shown instanceof Map ? [...shown] : shown;
  });
}

test('reports files of secrets that are missing, unreadable or empty, and a secret that is set twice', () => {
  const environment = {
    DATABASE_URL_FILE: '/nowhere/database-url',
    ENCRYPTION_KEYS_FILE: folder,
    SIGNING_KEYS_FILE: fileWith('\n'),
    ADMIN_TOKEN: 'hush-a',
    ADMIN_TOKEN_FILE: fileWith('hush-b'),
    METRICS_TOKEN_FILE: fileWith('hush-c'),
    METRICS_PORT_FILE: fileWith('9090'),
    PUBLIC_URL: 'http://connect.example.com',
  };
  const problems = problemsOf(environment);
  expect(problems).toEqual([
    'DATABASE_URL_FILE: /nowhere/database-url does not exist',
    `ENCRYPTION_KEYS_FILE: ${folder} cannot be read (EISDIR)`,
    `SIGNING_KEYS_FILE: ${environment.SIGNING_KEYS_FILE} is empty`,
    'ADMIN_TOKEN and ADMIN_TOKEN_FILE are both set: unset one of them',
    expect.stringMatching(/^METRICS_TOKEN must have at least 32 characters/),
  ]);
});

test('does not take the embedded database if the file with the URL of the database cannot be read', () => {
  expect(() => readStorageConfiguration({ DATABASE_URL_FILE: '/nowhere/database-url' })).toThrow(
    'DATABASE_URL_FILE: /nowhere/database-url does not exist',
  );
});

test('reports all configuration errors together, each with the name of its variable', () => {
  const environment = {
    PORT: '80x',
    PUBLIC_URL: 'ftp://x',
    DATABASE_URL: 'mysql://db',
    VENDOR_RATE_LIMITS: 'sometimes',
    BOOTSTRAP_CLIENT_ID: 'acme',
    OAUTH_GOOGLE_ADS_DEVELOPER_TOKEN: 'google-developer',
  };
  expect(problemsOf(environment)).toEqual([
    'DATABASE_URL must be a URL such as postgres://user:password@host:5432/database',
    'PUBLIC_URL must be an http or https URL without user, query or fragment',
    'PORT must be a port number, 0 to 65535',
    'ENCRYPTION_KEYS is required with DATABASE_URL: set it to id:key, with a key from "openssl rand -base64 32"',
    'SIGNING_KEYS is required with DATABASE_URL: set it to id:key, with a key from "openssl rand -base64 32"',
    'BOOTSTRAP_ORGANIZATION is missing: BOOTSTRAP_ORGANIZATION, BOOTSTRAP_CLIENT_ID, BOOTSTRAP_CLIENT_SECRET must be set together',
    'BOOTSTRAP_CLIENT_SECRET is missing: BOOTSTRAP_ORGANIZATION, BOOTSTRAP_CLIENT_ID, BOOTSTRAP_CLIENT_SECRET must be set together',
    'VENDOR_RATE_LIMITS must be on or off',
    'OAUTH_GOOGLE_ADS_CLIENT_ID is missing: OAUTH_GOOGLE_ADS_CLIENT_ID, OAUTH_GOOGLE_ADS_CLIENT_SECRET must be set together',
    'OAUTH_GOOGLE_ADS_CLIENT_SECRET is missing: OAUTH_GOOGLE_ADS_CLIENT_ID, OAUTH_GOOGLE_ADS_CLIENT_SECRET must be set together',
  ]);
});

test.each([
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '8.5'],
  ['HOST', 'http://x'],
  ['PUBLIC_URL', 'connect.example.com'],
  ['PUBLIC_URL', 'https://user@connect.example.com'],
  ['PUBLIC_URL', 'https://connect.example.com/?'],
  ['PUBLIC_URL', 'https://connect.example.com/#top'],
  ['SANDBOX_URL', 'localhost:8788'],
  ['DATABASE_URL', 'db'],
  ['DATABASE_CONNECTIONS', '4'],
  ['DATABASE_CONNECTIONS', 'all'],
  ['SEARCH_COST_LIMIT', '9999'],
  ['SYNC_CONCURRENCY', '0'],
  ['SYNC_CONCURRENCY', '101'],
  ['FULL_SYNC_HOURS', '0.5'],
  ['SEARCH_COST_LIMIT', '1000000001'],
  ['ENCRYPTION_KEYS', key(1)],
  ['ENCRYPTION_KEYS', 'e1:c2hvcnQ='],
  ['ENCRYPTION_KEYS', `e1:${key(1)},`],
  ['ENCRYPTION_KEYS', `e1:${key(1)},e1:${key(2)}`],
  ['ENCRYPTION_KEYS', `a b:${key(1)}`],
  ['ENCRYPTION_KEYS', `e1:${key(1)},e2:${key(1)}`],
  ['ENCRYPTION_KEYS', `e1:${key(0)}`],
  ['SIGNING_KEYS', `s1:${key(1).slice(0, -2)}!=`],
  ['SIGNING_KEYS', `s1:${key(2)},s2:${key(0)}`],
  ['DATA_DIR_ACCESS', 'everyone'],
  ['METRICS_PORT', 'metrics'],
  ['CONSOLE', 'secret'],
  ['BOOTSTRAP_ORGANIZATION', 'Acme,Acme'],
  ['BOOTSTRAP_ORGANIZATION', ','],
  ['BOOTSTRAP_CLIENT_ID', 'a b'],
  ['BOOTSTRAP_REDIRECT_URLS', 'http://app.example.com/done'],
  ['BOOTSTRAP_REDIRECT_URLS', 'https://app.example.com/done#'],
  ['BOOTSTRAP_REDIRECT_URLS', 'javascript:alert(1)'],
  ['BOOTSTRAP_HELPER_URL', 'http://app.example.com/connector-auth'],
  ['BOOTSTRAP_HELPER_URL', 'https://app.example.com/connector-auth?x=1'],
  ['OAUTH_GONG_CALLBACK', 'own'],
])('rejects %s=%j', (name, value) => {
  const problems = problemsOf({ ...bootstrap, ...keys, [name]: value });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(`${name} must be`);
});

test('accepts the largest cost limit of searches', () => {
  expect(read({ SEARCH_COST_LIMIT: '1000000000' }).configuration.searchCostLimit).toBe(1_000_000_000);
});

test('rejects WORKERS above 1, and says how to run several processes', () => {
  expect(problemsOf({ WORKERS: '2' })).toEqual([
    'WORKERS must be unset or 1, because each process serves by itself: unset it, and start several processes with the same DATABASE_URL behind your reverse proxy or orchestrator',
  ]);
  expect(problemsOf({ WORKERS: '1' })).toEqual([]);
});

test('validates the vendor-specific variables of a connector kind with its schema', () => {
  const app = { OAUTH_GOOGLE_ADS_CLIENT_ID: 'app', OAUTH_GOOGLE_ADS_CLIENT_SECRET: 'secret' };
  expect(problemsOf(app)).toEqual([
    'OAUTH_GOOGLE_ADS_DEVELOPER_TOKEN is missing or invalid: Give the developer token',
  ]);
  expect(
    problemsOf({ ...app, OAUTH_GOOGLE_ADS_DEVELOPER_TOKEN: 'x', OAUTH_GOOGLE_ADS_ACCESS_LEVEL: 'all' }),
  ).toEqual(['OAUTH_GOOGLE_ADS_ACCESS_LEVEL is missing or invalid: Use "basic" or "standard"']);
});

test('does not include invalid values in error messages, because they may be secrets', () => {
  const environment = { ENCRYPTION_KEYS: 'my-password', DATABASE_URL: 'me:my-password', ADMIN_TOKEN: 'x' };
  expect(problemsOf(environment).join('\n')).not.toContain('my-password');
});

test('rejects SANDBOX_URL in production', () => {
  expect(problemsOf({ SANDBOX_URL: 'http://localhost:8788', NODE_ENV: 'production' })).toEqual([
    'SANDBOX_URL is for development and tests; unset it when NODE_ENV is production',
  ]);
});

test('rejects SANDBOX_URL when PUBLIC_URL is not on localhost', () => {
  expect(
    problemsOf({ SANDBOX_URL: 'http://localhost:8788', PUBLIC_URL: 'http://connect.example.com' }),
  ).toEqual(['SANDBOX_URL is for local use only; unset it, or set PUBLIC_URL to a localhost URL']);
});

test('rejects SANDBOX_URL when the service listens on a network or the sandbox is on one', () => {
  expect(problemsOf({ SANDBOX_URL: 'http://localhost:8788', HOST: '0.0.0.0' })).toEqual([
    'SANDBOX_URL is for local use only; unset it, or set HOST to 127.0.0.1',
  ]);
  expect(problemsOf({ SANDBOX_URL: 'http://sandbox.example.com' })).toEqual([
    'SANDBOX_URL must be a localhost URL, because the sandbox receives credentials',
  ]);
});

test('requires TRUSTED_PROXIES with an https PUBLIC_URL, and accepts an explicit 0', () => {
  const environment = { PUBLIC_URL: 'https://connect.example.com', DATABASE_URL: 'postgres://db', ...keys };
  expect(problemsOf(environment)).toEqual([
    'TRUSTED_PROXIES is required with an https PUBLIC_URL: set it to the number of reverse proxies in front of the service, such as 1, or to 0 if there is none',
  ]);
  expect(read({ ...environment, TRUSTED_PROXIES: '0' })).toMatchObject({
    configuration: { trustedProxies: 0 },
    warnings: [],
  });
  expect(problemsOf({ PUBLIC_URL: 'http://localhost:8787' })).toEqual([]);
});

const shortSecrets = {
  ...bootstrap,
  BOOTSTRAP_CLIENT_SECRET: 'x'.repeat(31),
  ADMIN_TOKEN: 'short',
  METRICS_TOKEN: 'short',
};

test.each([
  ['PUBLIC_URL is not on localhost', { PUBLIC_URL: 'http://connect.example.com' }],
  ['the service listens on a network', { HOST: '0.0.0.0' }],
  ['only PUBLIC_URL is on localhost', { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:8787' }],
  [
    'the port of the metrics and a private console is on a network',
    { METRICS_HOST: '::', METRICS_PORT: '0' },
  ],
])('requires secrets of at least 32 characters when %s', (_when, environment) => {
  const advice =
    'must have at least 32 characters unless the service is reached on localhost only: use "openssl rand -hex 32"';
  expect(problemsOf({ ...shortSecrets, ...environment })).toEqual([
    `BOOTSTRAP_CLIENT_SECRET ${advice}`,
    `ADMIN_TOKEN ${advice}`,
    `METRICS_TOKEN ${advice}`,
  ]);
});

test('accepts short secrets on localhost', () => {
  expect(problemsOf(shortSecrets)).toEqual([]);
  expect(
    problemsOf({ ...shortSecrets, HOST: '::1', PUBLIC_URL: 'http://localhost:8787', METRICS_PORT: '0' }),
  ).toEqual([]);
});

test('rejects a key that is both an encryption key and a signing key', () => {
  expect(problemsOf({ ENCRYPTION_KEYS: `e1:${key(1)}`, SIGNING_KEYS: `s1:${key(2)},s2:${key(1)}` })).toEqual([
    'SIGNING_KEYS contains a key (s2) that is also in ENCRYPTION_KEYS: use a different key for each, from "openssl rand -base64 32"',
  ]);
});

test.each([
  ['serves metrics with the API on localhost', {}, true],
  ['does not serve metrics when it listens on a network', { HOST: '0.0.0.0' }, false],
  ['does not serve metrics when PUBLIC_URL is public', { PUBLIC_URL: 'http://connect.example.com' }, false],
  ['serves metrics with the API behind a token', { HOST: '0.0.0.0', METRICS_TOKEN: 'x'.repeat(32) }, true],
  ['serves metrics only on their own port', { METRICS_PORT: '9090', METRICS_TOKEN: 'x' }, false],
])('%s', (_what, environment, isServedWithApi) => {
  expect(read(environment).configuration.metrics.isServedWithApi).toBe(isServedWithApi);
});

test('listens for metrics on localhost unless METRICS_HOST is set, which needs METRICS_PORT', () => {
  const { metrics } = read({ METRICS_PORT: '9090' }).configuration;
  expect(metrics.listener).toEqual({ host: '127.0.0.1', port: 9090 });
  expect(problemsOf({ METRICS_HOST: '10.0.0.5' })).toEqual([
    'METRICS_PORT is missing: METRICS_HOST is the address on which that port listens',
  ]);
});

test('serves the console on a private address only if that address is set', () => {
  expect(read({ CONSOLE: 'off' }).configuration.console.access).toBe('off');
  expect(problemsOf({ CONSOLE: 'private' })).toEqual([
    'METRICS_PORT is missing: CONSOLE=private serves the console on that port',
  ]);
  expect(problemsOf({ CONSOLE_URL: 'https://console.example.com' })).toEqual([
    'CONSOLE_URL is only for CONSOLE=private; otherwise, the console is at PUBLIC_URL',
  ]);
});

test('accepts SANDBOX_URL and VENDOR_RATE_LIMITS=off on localhost', () => {
  const { configuration } = read({
    SANDBOX_URL: 'http://localhost:8788/',
    PUBLIC_URL: 'http://127.0.0.1:8787',
    VENDOR_RATE_LIMITS: 'off',
  });
  expect(configuration).toMatchObject({ sandboxUrl: 'http://localhost:8788', vendorRateLimits: false });
});

test('rejects VENDOR_RATE_LIMITS=off without SANDBOX_URL', () => {
  expect(problemsOf({ VENDOR_RATE_LIMITS: 'off' })).toEqual([
    'VENDOR_RATE_LIMITS can be off only with SANDBOX_URL, because vendors enforce their limits',
  ]);
});

test('warns about variables that look like misspelled settings, and no others', () => {
  const { warnings } = read({
    ENCRYPTION_KEY: 'x',
    OAUTH_HUBSPOT_CLIENT_ID: 'x',
    BOOTSTRAP_ORGANISATION: 'x',
    BOOTSTRAP_SECRET: 'x',
    PATH: '/bin',
    HOSTNAME: 'box',
    PORTS: '1',
    npm_config_host: 'x',
  });
  expect(warnings).toEqual([
    'ENCRYPTION_KEY is not a setting; did you mean ENCRYPTION_KEYS?',
    'OAUTH_HUBSPOT_CLIENT_ID is not a setting',
    'BOOTSTRAP_ORGANISATION is not a setting; did you mean BOOTSTRAP_ORGANIZATION?',
    'BOOTSTRAP_SECRET is not a setting',
  ]);
});

test('warns about settings that are valid but insecure', () => {
  const { warnings } = read({ ...bootstrap, PUBLIC_URL: 'http://connect.example.com' });
  expect(warnings).toEqual([
    'PUBLIC_URL uses http on a public host, so tokens are sent unencrypted; use https',
    'DATABASE_URL is unset, so the embedded database is used: one customer with costly searches can slow all others, and only one process can run; use PostgreSQL',
  ]);
});
