import { Readable } from 'node:stream';
import {
  endpoints,
  openApiDocument,
  parseJson,
  stringifyJson,
  systemClock,
  type Clock,
  type Endpoint,
} from '@connector-auth/api';
import { adminEndpoints, adminOpenApiDocument } from '@connector-auth/api/admin';
import { kinds } from '@connector-auth/connectors';
import { createTransport, unlimited, type Kind, type Transport } from '@connector-auth/connectors/kind';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { Agent, request as send } from 'undici';
import { createApp } from '../src/app.ts';
import type { RevocationTuning } from '../src/features/incidents/revocation-worker.ts';
import type { SyncTuning } from '../src/features/sync/worker.ts';
import type {
  BootstrapConfiguration,
  ConsoleConfiguration,
  MetricsConfiguration,
  OAuthAppConfiguration,
} from '../src/platform/config/configuration.ts';
import { parseKeyRing, type KeyRing } from '../src/platform/crypto/key-ring.ts';
import { Secret } from '../src/platform/crypto/secret.ts';
import type { Database } from '../src/platform/database/database.ts';
import type { Job } from '../src/platform/jobs/periodic-job.ts';
import { createLog, type Log } from '../src/platform/log/log.ts';
import { hashGeneratedSecret } from '../src/shared/auth/client-secret.ts';
import type { Resources, Settings } from '../src/shared/core.ts';
import { reserveAddress } from '../src/shared/http/listen.ts';
import { createMetrics } from '../src/shared/http/metrics.ts';
import {
  findApplication,
  insertApplication,
  insertSecret,
  saveAssignments,
} from '../src/shared/repositories/applications.ts';
import { ensureOrganization } from '../src/shared/repositories/organizations.ts';
import type { RequesterLimiter } from '../src/shared/vendor-limits/fair-limiter.ts';
import { until } from './until.ts';

/** The `ADMIN_TOKEN` of test services. */
export const adminToken = 'admin-token-of-the-test-service-0123456789';

/** A request to the service. */
export interface RequestOptions {
  readonly token?: string | undefined;
  readonly body?: unknown;
  /** The body to send unchanged, instead of `body`. */
  readonly rawBody?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly requestId: string;
  readonly text: string;
  /** The parsed JSON, with large integers as `bigint`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each test asserts the shape that it reads
  readonly body: any;
}

export interface TestApplication {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly organizationIds: readonly string[];
}

/** A running service that uses the sandbox as its vendors and the database of the suite. */
export interface TestService {
  readonly url: string;
  /** The private address. Null if the console is not served there. */
  readonly privateUrl: string | null;
  readonly sandbox: RunningSandbox;
  readonly signingKeys: KeyRing;
  /** Returns everything that was logged. */
  readonly logged: () => string;
  readonly log: Log;
  /** @param path the path at the service's address, or a whole URL. */
  ask(method: string, path: string, asking?: RequestOptions): Promise<TestResponse>;
  /** Sends the body without Content-Length. */
  askInChunks(
    method: string,
    path: string,
    asking: RequestOptions & { rawBody: string | Buffer },
  ): Promise<TestResponse>;
  addApplication(clientId: string, organizations: readonly [string, ...string[]]): Promise<TestApplication>;
  /** Issues a set-up code, as each start of the service does. */
  issueSetUpCode(): Promise<string | null>;
  /** Applies the `BOOTSTRAP_…` variables, as each start of the service does. */
  bootstrap(wanted: BootstrapConfiguration | null): Promise<void>;
  /** Returns a new application token. */
  tokenOf(application: TestApplication): Promise<string>;
  /** Returns a scoped token or, if `allowed_origin` is given, a widget token. */
  customerToken(
    applicationToken: string,
    body: Readonly<Record<string, unknown>>,
    headers?: RequestOptions['headers'],
  ): Promise<string>;
  /** Resolves when a vendor has received a request and not yet responded. */
  untilVendorRequest(): Promise<void>;
  /**
   * Holds back the next request to a vendor whose path ends with `pathEnd`. Resolves when the service has sent it, with a
   * function that lets it through.
   */
  holdVendorRequest(pathEnd?: string): Promise<() => void>;
  /** Starts syncing records. Stops when the returned worker or the service is closed. */
  startSync(tuning?: Partial<SyncTuning>): Promise<Job>;
  /** Starts revoking grants. Stops when the returned worker or the service is closed. */
  startRevocations(tuning?: RevocationTuning): Job;
  /** Starts the background work of all features. Stops when the service is closed. */
  startJobs(): Promise<void>;
  /** Closes the connection that shows other processes that this process is alive. */
  disconnect(): Promise<void>;
  /** Advances the service's clock, so that tokens expire and rate limits refill. */
  advance(ms: number): void;
  /**
   * Stops the service's clock, so that rate limits do not refill between slow requests. `advance` still
   * advances the clock.
   */
  stopClock(): void;
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly kinds?: readonly Kind[];
  readonly publicUrl?: string;
  /** Enforces vendors' limits. By default, there are none. */
  readonly limiter?: RequesterLimiter;
  /** Stores the rate limits that processes share. By default, the service counts by its own clock. */
  readonly sharedBuckets?: Resources['sharedBuckets'];
  readonly trustedProxies?: number;
  readonly sandbox?: RunningSandbox;
  /** Resolves the hosts of webhooks. */
  readonly lookup?: Resources['lookup'];
  /** Replaces the transport to the sandbox. */
  readonly transport?: Transport;
  /** The PostgreSQL server for notifications between processes. If omitted, they stay within this process. */
  readonly databaseUrl?: string;
  readonly signingKeys?: KeyRing;
  /** Defaults to high limits, which tests do not reach. */
  readonly limits?: Partial<
    Pick<
      Settings,
      | 'connectorsPerCustomer'
      | 'maxConcurrentExecutes'
      | 'rejectedCredentialsPerHour'
      | 'requestLimits'
      | 'searchCostLimit'
    >
  >;
  /** Whether it serves this machine only, and the settings about which the overview warns. */
  readonly settings?: Partial<
    Pick<Settings, 'bootstrap' | 'databaseUrl' | 'isLocal' | 'outbound' | 'publicUrl' | 'sandboxUrl'>
  >;
  /** Replaces the clock's delays. */
  readonly sleep?: Clock['sleep'];
  /** Where the console is served. Default: with the API. */
  readonly console?: ConsoleConfiguration;
  /** Default: `adminToken`. */
  readonly adminToken?: string | null;
  /** Who can read the metrics. Default: everyone. */
  readonly metrics?: MetricsConfiguration;
  /** The operator's OAuth apps, by environment prefix. */
  readonly oauthApps?: ReadonlyMap<string, OAuthAppConfiguration>;
}

const anyPort = { host: '127.0.0.1', port: 0 };

/** Starts the service on a free port and validates every response against the contract. */
export async function startTestService(
  database: Database,
  options: ServiceOptions = {},
): Promise<TestService> {
  const lines: string[] = [];
  const log = createLog({ level: 'debug', destination: { write: line => void lines.push(line) } });
  const sandbox = options.sandbox ?? (await startSandbox());
  const signingKeys = options.signingKeys ?? keyRing('signing', 1);
  let addedMs = 0;
  let stoppedAt: number | null = null;
  const vendors = new Agent();
  let hold: { readonly pathEnd: string; readonly held: (release: () => void) => void } | null = null;
  const dispatcher = vendors.compose(dispatch => (request, handler) => {
    if (hold === null || !request.path.replace(/\?.*/, '').endsWith(hold.pathEnd)) {
      return dispatch(request, handler);
    }
    hold.held(() => dispatch(request, handler));
    hold = null;
    return true;
  });
  const consoleOptions = options.console ?? { access: 'public', url: null };
  const address = await reserveAddress(anyPort);
  const privateAddress = consoleOptions.access === 'private' ? await reserveAddress(anyPort) : null;
  const app = await createApp(
    {
      urls: {
        public: options.publicUrl ?? 'https://service.example',
        private: privateAddress && (consoleOptions.url ?? privateAddress.url),
      },
      database,
      databaseUrl: options.databaseUrl ?? null,
      encryptionKeys: keyRing('sealing', 2),
      signingKeys,
      kinds: options.kinds ?? kinds,
      transport: options.transport ?? createTransport({ sandboxUrl: sandbox.url, dispatcher }),
      limiter: options.limiter ?? unlimited,
      ...(options.lookup ? { lookup: options.lookup } : {}),
      ...(options.sharedBuckets ? { sharedBuckets: options.sharedBuckets } : {}),
      clock: {
        ...systemClock,
        now: () => (stoppedAt ?? Date.now()) + addedMs,
        ...(options.sleep ? { sleep: options.sleep } : {}),
      },
      log,
      metrics: createMetrics(),
      validateResponses: true,
    },
    {
      adminToken: options.adminToken === null ? null : new Secret(options.adminToken ?? adminToken),
      bootstrap: null,
      console: consoleOptions,
      databaseUrl: null,
      isLocal: false,
      publicUrl: null,
      metrics: options.metrics ?? { token: null, listener: null, isServedWithApi: true },
      oauthApps: options.oauthApps ?? new Map(),
      outbound: { allowedNetworks: [], allowedHosts: null, proxyUrl: null },
      sandboxUrl: sandbox.url,
      vendorResponseMiB: 256,
      syncIntervalMinutes: 60,
      syncConcurrency: 4,
      fullSyncHours: 24,
      auditRetentionDays: 400,
      changesRetentionDays: 7,
      trustedProxies: options.trustedProxies ?? 0,
      requestLimits: { perAddress: 1000, perCustomer: 1000, perApplication: 1000 },
      connectorsPerCustomer: 1000,
      maxConcurrentExecutes: 1000,
      rejectedCredentialsPerHour: 1000,
      searchCostLimit: null,
      ...options.settings,
      ...options.limits,
    },
  );
  const workers: Job[] = [];
  await address.serve(app.handler());
  await privateAddress?.serve(app.privateHandler());
  const { url } = address;
  const callers = new Agent();

  const ask: TestService['ask'] = async (method, path, { token, body, rawBody, headers, signal } = {}) => {
    return exchange(method, path, rawBody ?? (body === undefined ? null : stringifyJson(body)), {
      token,
      headers,
      signal,
    });
  };

  const exchange = async (
    method: string,
    path: string,
    payload: string | Buffer | Readable | null,
    {
      token,
      headers,
      signal,
    }: { [Part in 'token' | 'headers' | 'signal']: RequestOptions[Part] | undefined },
  ): Promise<TestResponse> => {
    const response = await send(new URL(path, url), {
      method,
      dispatcher: callers,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(payload === null ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: payload,
      ...(signal ? { signal } : {}),
    });
    const text = await response.body.text();
    requireDocumented(method, path, response.statusCode);
    const isJson = text !== '' && /[/+]json/.test(String(response.headers['content-type']));
    return {
      status: response.statusCode,
      headers: response.headers,
      requestId: String(response.headers['x-request-id']),
      text,
      body: isJson ? parseJson(text) : undefined,
    };
  };

  return {
    url,
    privateUrl: privateAddress?.url ?? null,
    sandbox,
    signingKeys,
    log,
    logged: () => lines.join(''),
    ask,
    askInChunks: (method, path, { token, rawBody, headers, signal }) =>
      exchange(method, path, Readable.from([Buffer.from(rawBody)]), { token, headers, signal }),
    addApplication: async (clientId, organizations) => {
      const clientSecret = `secret-of-${clientId}`;
      // As for the secrets that the service generates. The slow hash would take a tenth of a second per test.
      const hash = hashGeneratedSecret(clientSecret);
      return database.kysely.transaction().execute(async transaction => {
        const organizationIds: string[] = [];
        for (const name of organizations) organizationIds.push(await ensureOrganization(transaction, name));
        const present = await findApplication(transaction, { clientId });
        const id = present?.id ?? (await insertApplication(transaction, clientId, 'operator'));
        if (present === null) await insertSecret(transaction, id, hash);
        await saveAssignments(transaction, id, { redirectUrls: [], organizationIds });
        return { clientId, clientSecret, organizationIds };
      });
    },
    issueSetUpCode: () => app.issueSetUpCode(),
    bootstrap: wanted => app.bootstrap(wanted),
    tokenOf: async ({ clientId, clientSecret }) => {
      const body = { client_id: clientId, client_secret: clientSecret };
      const response = await ask('POST', '/api/v1/account/applications/token', { body });
      return String(response.body.access_token);
    },
    customerToken: async (token, body, headers = {}) => {
      const kind = 'allowed_origin' in body ? 'widget' : 'scoped';
      const response = await ask('POST', `/api/v1/account/applications/${kind}-token`, {
        token,
        body,
        headers,
      });
      if (response.status !== 200) throw new Error(`No ${kind} token: ${response.text}`);
      return String(response.body.token);
    },
    untilVendorRequest: () =>
      until(() => {
        const isOpen = sandbox.control.requests.list().some(({ durationMs }) => durationMs === null);
        if (!isOpen) throw new Error('No vendor has received a request');
      }),
    holdVendorRequest: (pathEnd = '') =>
      new Promise(resolve => {
        hold = { pathEnd, held: resolve };
      }),
    startSync: async tuning => {
      const syncing = await app.startSync(tuning);
      workers.push(syncing);
      return syncing;
    },
    startRevocations: tuning => {
      const revoking = app.startRevocations(tuning);
      workers.push(revoking);
      return revoking;
    },
    startJobs: async () => void workers.push(await app.startJobs()),
    disconnect: () => app.close(),
    advance: ms => {
      addedMs += ms;
    },
    stopClock: () => {
      stoppedAt = Date.now();
    },
    close: async () => {
      app.beginShutdown();
      await Promise.all([
        address.close(0),
        privateAddress?.close(0),
        ...workers.map(worker => worker.close()),
      ]);
      await Promise.all([callers.close(), vendors.close(), app.close()]);
      if (!options.sandbox) await sandbox.close();
    },
  };
}

const contracts = [
  { endpoints, document: openApiDocument('https://service.example', '0') },
  { endpoints: adminEndpoints, document: adminOpenApiDocument('https://service.example', '0') },
];
const documented = contracts.flatMap(contract =>
  Object.values<Endpoint>(contract.endpoints).map(({ method, path }) => {
    const operation = contract.document.paths[path]?.[method.toLowerCase()];
    return {
      method,
      path,
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      // An operation's responses are an object keyed by status.
      statuses: Object.keys(operation?.['responses'] as object).map(Number),
    };
  }),
);
/** Returns the error codes that the OpenAPI document lists for the endpoint and status. */
export function documentedCodes({ method, path }: Endpoint, status: number): readonly string[] {
  for (const { document } of contracts) {
    const operation = document.paths[path]?.[method.toLowerCase()];
    const described = (operation?.['responses'] as Record<number, { $ref?: string }> | undefined)?.[status];
    const name = described?.$ref?.split('/').at(-1);
    const response = name === undefined ? described : document.components['responses']?.[name];
    if (response) return (response as Described).headers['X-Problem-Code'].schema.enum;
  }
  return [];
}

/** The part of an error response that lists its codes. */
interface Described {
  readonly headers: { readonly 'X-Problem-Code': { readonly schema: { readonly enum: readonly string[] } } };
}

/** The statuses that any endpoint can return, for an unknown path or method or an invalid body. */
const commonStatuses = [204, 404, 405, 413, 415];

/** Throws if the OpenAPI document does not list the status for the endpoint. */
function requireDocumented(method: string, address: string, status: number): void {
  const path = new URL(address, 'https://service.example').pathname;
  if (commonStatuses.includes(status)) return;
  // Runs for each request, with all endpoints.
  for (const endpoint of documented) {
    if (endpoint.method !== method || endpoint.statuses.includes(status)) continue;
    if (endpoint.pattern.test(path)) {
      throw new Error(`The OpenAPI document does not list status ${status} of ${method} ${endpoint.path}`);
    }
  }
}

/** Returns a key ring with one key of 32 equal bytes. */
export function keyRing(id: string, byte: number): KeyRing {
  const ring = parseKeyRing(`${id}:${Buffer.alloc(32, byte).toString('base64')}`);
  if ('error' in ring) throw new Error(ring.error);
  return ring;
}
