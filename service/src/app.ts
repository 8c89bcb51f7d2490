import { ConnectorAuthError, endpoints, type Clock, type Issue, type Language } from '@connector-auth/api';
import { adminEndpoints } from '@connector-auth/api/admin';
import { describeIssues, type Kind, type Transport } from '@connector-auth/connectors/kind';
import express, { Router, type Express, type RequestHandler } from 'express';
import { adminKeyRoutes } from './features/admin-keys/admin-routes.ts';
import { createAuthenticateAdmin } from './features/admin-keys/authenticate.ts';
import { deleteExpiredSignIns } from './features/admin-keys/cleanup.ts';
import { sessionCookie, type SessionCookie } from './features/admin-keys/session-cookie.ts';
import { issueSetUpCode } from './features/admin-keys/set-up.ts';
import { applicationAdminRoutes } from './features/applications/admin-routes.ts';
import { auditAdminRoutes, describeAuditLog } from './features/audit/admin-routes.ts';
import { startAuditRetention } from './features/audit/retention.ts';
import { activityRoutes } from './features/audit/routes.ts';
import { mountIcons } from './features/catalog/icons.ts';
import { catalogRoutes } from './features/catalog/routes.ts';
import { startLinkCleanup } from './features/connect-links/cleanup.ts';
import { mintLinkToken } from './features/connect-links/mint-token.ts';
import { mountLinkPages } from './features/connect-links/page/routes.ts';
import { connectLinkRoutes } from './features/connect-links/routes.ts';
import { connectorAdminRoutes } from './features/connectors/admin-routes.ts';
import { connectorRoutes } from './features/connectors/routes.ts';
import { mountConsole } from './features/console/routes.ts';
import { customerAdminRoutes } from './features/customers/admin-routes.ts';
import { customerRoutes } from './features/customers/routes.ts';
import { mountHome } from './features/docs/home.ts';
import { mountDocs } from './features/docs/routes.ts';
import { limitExecutes } from './features/execute/execute.ts';
import { executeRoutes } from './features/execute/routes.ts';
import { incidentAdminRoutes } from './features/incidents/admin-routes.ts';
import {
  startRevocationWorker,
  type RevocationTuning,
  type RevocationWorker,
} from './features/incidents/revocation-worker.ts';
import { mountMcp } from './features/mcp/routes.ts';
import { oauthAppAdminRoutes } from './features/oauth-apps/admin-routes.ts';
import { oauthAppRoutes } from './features/oauth-apps/routes.ts';
import { mountConsentPages } from './features/oauth/browser-routes.ts';
import { browserCookies } from './features/oauth/cookie.ts';
import { oauthRoutes } from './features/oauth/routes.ts';
import { mountOpenApi } from './features/openapi/routes.ts';
import { organizationAdminRoutes } from './features/organizations/admin-routes.ts';
import { bootstrap } from './features/organizations/bootstrap.ts';
import { mountLogos } from './features/organizations/logos.ts';
import { organizationRoutes } from './features/organizations/routes.ts';
import { overviewRoutes } from './features/overview/admin-routes.ts';
import { createLimitedSearch } from './features/search/limited-search.ts';
import { syncAdminRoutes } from './features/sync/admin-routes.ts';
import { startSyncWorker, type SyncTuning, type SyncWorker } from './features/sync/worker.ts';
import { tokenRoutes } from './features/tokens/routes.ts';
import { vendorQuotaAdminRoutes } from './features/vendor-quotas/admin-routes.ts';
import { AuditLog } from './platform/audit-log/audit-log.ts';
import { insertBatch } from './platform/audit-log/store.ts';
import { LimitError } from './platform/concurrency/limit-error.ts';
import { createRateLimit, type RateLimit } from './platform/concurrency/rate-limit.ts';
import { Semaphore } from './platform/concurrency/semaphore.ts';
import type { BootstrapConfiguration, Configuration } from './platform/config/configuration.ts';
import type { KeyRing } from './platform/crypto/key-ring.ts';
import { createSealer, type SealFormat } from './platform/crypto/seal.ts';
import type { Database } from './platform/database/database.ts';
import { startPeriodicJob } from './platform/jobs/periodic-job.ts';
import type { Log } from './platform/log/log.ts';
import { openNotifications } from './platform/notifications/notifications.ts';
import { notifySyncDue } from './platform/notifications/sync-due.ts';
import { createAuthenticate } from './shared/auth/authenticate.ts';
import { createSecretVerifier } from './shared/auth/client-secret.ts';
import { createTokenSigner } from './shared/auth/token-signer.ts';
import { Credentials } from './shared/credentials/credentials.ts';
import { GrantRefresher } from './shared/credentials/grant-refresher.ts';
import { OAuthApps } from './shared/credentials/oauth-apps.ts';
import { reencryptOldValues } from './shared/credentials/reencrypt.ts';
import { createKindRegistry } from './shared/definitions/registry.ts';
import { logAccess } from './shared/http/access-log.ts';
import { Admission, limitAddresses } from './shared/http/admission.ts';
import { renderErrors } from './shared/http/error-responses.ts';
import { mountForwardingProbe } from './shared/http/forwarding-probe.ts';
import type { AdminHandlers, Handlers } from './shared/http/handler.ts';
import { requireLocalHost } from './shared/http/local-host.ts';
import { measureTransport, type Metrics } from './shared/http/metrics.ts';
import { mountEndpoints, type MountOptions } from './shared/http/mount-endpoints.ts';
import { mountAdminOpenApi } from './shared/http/openapi.ts';
import { mountMetrics, mountProbes } from './shared/http/probes.ts';
import { securityHeaders } from './shared/http/security-headers.ts';
import { Idempotency } from './shared/idempotency/idempotency.ts';
import { customerKeys, operatorKeys } from './shared/idempotency/key-tables.ts';
import { runOnce } from './shared/idempotency/run-once.ts';
import { startSessionCleanup } from './shared/oauth-sessions/cleanup.ts';
import { ensureRecordTables } from './shared/records/ensure.ts';
import { RecordTables } from './shared/records/record-table.ts';
import { CachedConnectors } from './shared/repositories/cached-connectors.ts';
import { readInstallationId } from './shared/repositories/installation.ts';
import { Revocations } from './shared/revocations/revocations.ts';
import type { RequesterLimiter } from './shared/vendor-limits/fair-limiter.ts';
import { VendorResponses } from './shared/vendor-limits/response-memory.ts';

/**
 * The resources that the app depends on. `service.ts` creates them from the configuration; tests and
 * benchmarks create them individually.
 */
export interface Resources {
  readonly urls: {
    /** The service's public base URL, without a trailing slash. */
    readonly public: string;
    /** The base URL of the private address as browsers see it, or null if there is none. */
    readonly private: string | null;
  };
  readonly database: Database;
  /** The PostgreSQL server that delivers notifications. If null, notifications stay within this process. */
  readonly databaseUrl: string | null;
  readonly encryptionKeys: KeyRing;
  /** Returns the format of newly sealed values. Default: always the newest. */
  readonly sealFormat?: () => SealFormat;
  readonly signingKeys: KeyRing;
  readonly kinds: readonly Kind[];
  /** Sends requests to the vendors, or to the sandbox. */
  readonly transport: Transport;
  /** Enforces the vendors' rate limits. */
  readonly limiter: RequesterLimiter;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** The settings that the app reads from the configuration. */
export type Settings = Pick<
  Configuration,
  | 'adminToken'
  | 'auditRetentionDays'
  | 'bootstrap'
  | 'connectorsPerCustomer'
  | 'console'
  | 'databaseUrl'
  | 'isLocal'
  | 'metrics'
  | 'maxConcurrentExecutes'
  | 'oauthApps'
  | 'publicUrl'
  | 'rejectedCredentialsPerHour'
  | 'requestLimits'
  | 'sandboxUrl'
  | 'searchCostLimit'
  | 'syncIntervalMinutes'
  | 'trustedProxies'
  | 'vendorResponseMiB'
>;

/** Which responses are validated against the contract. Intended for tests. */
export interface ResponseChecks {
  readonly validateResponses: boolean;
}

/** The assembled service. No background work runs until one of the `start` methods is called. */
export interface App {
  /**
   * Creates the request handler for every endpoint in the contract, the probes, the icons and the API
   * reference, and for the console and its API unless they are private.
   */
  handler(checks?: ResponseChecks): Express;
  /**
   * Creates the request handler for the private address: the metrics, and the console and its API if they are
   * private.
   */
  privateHandler(checks?: ResponseChecks): Express;
  /**
   * Issues a set-up code, or returns null if the service is set up already. Only the start of the service calls
   * this.
   */
  issueSetUpCode(): Promise<string | null>;
  /**
   * Creates, updates or disables the application that the `BOOTSTRAP_…` variables own. Only the start of the
   * service calls this.
   */
  bootstrap(wanted: BootstrapConfiguration | null): Promise<void>;
  /** Starts syncing records in this process. */
  startSync(tuning?: SyncTuning): Promise<SyncWorker>;
  /** Starts revoking grants: those that incidents have queued, and those that no connector uses any more. */
  startRevocations(tuning?: RevocationTuning): RevocationWorker;
  /** Wakes the sync workers of every process. */
  requestSync(): Promise<void>;
  /** Starts all background work in this process. */
  startJobs(): Promise<{ close(): Promise<void> }>;
  /** Ends long-polling requests with their current result, and interrupts maintenance. */
  beginShutdown(): void;
  /**
   * Resolves when no grant is being refreshed. If the process exits during a refresh, single-use tokens from
   * the vendor are lost.
   */
  idle(): Promise<void>;
  /** Closes everything that the app opened, but not the resources passed to it. */
  close(): Promise<void>;
}

/**
 * Creates and connects the parts of the service. This is the composition root. Reads the installation's id and the
 * revoked tokens from the database, and keeps reading revocations.
 */
export async function createApp(resources: Resources, settings: Settings): Promise<App> {
  const { database, signingKeys, limiter, clock, log, metrics } = resources;
  const { syncIntervalMinutes } = settings;
  const { public: publicUrl, private: privateUrl } = resources.urls;
  const db = database.kysely;
  const kinds = createKindRegistry(resources.kinds);
  const tables = new RecordTables(resources.kinds);
  const sealer = createSealer(resources.encryptionKeys, resources.sealFormat);
  const secrets = createSecretVerifier();
  const signer = createTokenSigner(signingKeys, clock, await readInstallationId(db));
  const notifications = openNotifications(database, resources.databaseUrl, log);
  const revocations = await Revocations.open(database, notifications, log);
  const transport = measureTransport(resources.transport, metrics);
  const apps = new OAuthApps(db, sealer, settings.oauthApps);
  const audit = new AuditLog({
    write: batch => insertBatch(db, batch),
    clock,
    log,
    metrics: metrics.registry,
    writeIntervalMs: database.batchIntervalMs,
  });
  const cachedConnectors = new CachedConnectors(db, database.connectorChanges);
  const refresher = new GrantRefresher({ db, notifications }, sealer, audit);
  const responses = new VendorResponses(clock, settings.vendorResponseMiB * 1024 * 1024);
  const credentials = new Credentials({
    db,
    sealer,
    transport,
    limiter,
    responses,
    apps,
    refresher,
    log,
    syncIntervalMinutes,
  });
  const closing = new AbortController();
  const idempotency = new Idempotency(db, customerKeys, signingKeys);
  const translateIssues = (issues: readonly Issue[], language: Language): readonly Issue[] =>
    describeIssues(kinds.all, issues, language);

  const perMinute = (name: string, count: number) =>
    createRateLimit({ name, events: 'requests', burst: count, perMinute: count }, clock);
  const polling = { notifications, closing: closing.signal, waitingRequests: limitWaitingRequests() };
  const createHandlers = (): Handlers => ({
    ...tokenRoutes(
      { db, anonymous: database.anonymous, signer, kinds, secrets },
      { byAddress: perMinute('address', 120), byClient: perMinute('client', 30) },
      log,
    ),
    ...organizationRoutes({
      db,
      notifications,
      syncIntervalMinutes,
      publicUrl,
    }),
    ...customerRoutes({ db, kinds, revocations, notifications, log }, perMinute('customer-deletions', 300)),
    ...catalogRoutes({
      db,
      kinds,
      apps,
      publicUrl,
      syncIntervalMinutes,
    }),
    ...connectorRoutes({
      db,
      kinds,
      credentials,
      secrets: { db, sealer, notifications },
      idempotency,
      notifications,
      rejectedCredentials: limitRejectedCredentials(settings.rejectedCredentialsPerHour, clock),
      connectorsPerCustomer: settings.connectorsPerCustomer,
      usesSandbox: settings.sandboxUrl !== null,
      log,
    }),
    ...oauthRoutes(
      {
        db,
        sealer,
        kinds,
        apps,
        credentials,
        ...polling,
        publicUrl,
      },
      { byCustomer: perMinute('customer', 30), byOrganization: perMinute('organization', 600) },
    ),
    ...connectLinkRoutes(
      { db, kinds, idempotency, signingKeys, ...polling, publicUrl, log },
      perMinute('connect-links', 30),
    ),
    ...activityRoutes({ db, kinds }),
    ...oauthAppRoutes({ db, kinds, apps, publicUrl, log }, perMinute('oauth-app-changes', 10)),
    ...executeRoutes({
      db,
      kinds,
      cached: cachedConnectors,
      credentials,
      search: createLimitedSearch(database, tables, {
        signingKeys,
        clock,
        costLimit: settings.searchCostLimit,
      }),
      responses,
      idempotency,
      concurrency: limitExecutes(settings.maxConcurrentExecutes),
    }),
  });

  const operators = {
    db: database.operators,
    adminToken: settings.adminToken,
    lookUps: limitLookUps(),
    wrongKeys: createRateLimit({ name: 'wrong-keys', events: 'wrong keys', burst: 10, perMinute: 10 }, clock),
    clock,
    log,
  };
  const createAdminHandlers = (cookie: SessionCookie): AdminHandlers => ({
    ...adminKeyRoutes({ db, anonymous: database.anonymous, operators, cookie }),
    ...incidentAdminRoutes({ db, kinds, revocations, notifications, log }),
    ...overviewRoutes({
      database,
      kinds,
      settings,
      readAuditState: async () => describeAuditLog(audit),
    }),
    ...organizationAdminRoutes({
      db,
      kinds,
      notifications,
      revocations,
      syncIntervalMinutes,
      publicUrl,
      log,
    }),
    ...applicationAdminRoutes({ db, revocations, log }),
    ...oauthAppAdminRoutes({ db, kinds, apps, publicUrl, log }),
    ...customerAdminRoutes({ db, kinds, revocations, notifications, log }),
    ...connectorAdminRoutes({ db, kinds, credentials, notifications, log }),
    ...syncAdminRoutes({ db, kinds }),
    ...vendorQuotaAdminRoutes({ db, kinds }),
    ...auditAdminRoutes({ db: database.search }),
  });
  const runAdminRequestOnce = runOnce(db, new Idempotency(db, operatorKeys(sealer), signingKeys));

  /** Mounts the administration API at the address that has this URL. */
  const mountAdmin = (
    consoleUrl: string,
    options: Pick<MountOptions, 'admission' | 'validateResponses'>,
  ): Router => {
    const ownOrigin = new URL(consoleUrl).origin;
    const cookie = sessionCookie(consoleUrl);
    return mountEndpoints(adminEndpoints, createAdminHandlers(cookie), {
      ...options,
      authenticate: createAuthenticateAdmin(operators, { ownOrigin, cookie }),
      audit: { log: audit, isRequired: true },
      ownOrigin,
      runOnce: runAdminRequestOnce,
    });
  };

  /** Mounts what operators use in a browser. */
  const mountOperatorPages = (consoleUrl: string): Router =>
    Router().use(mountAdminOpenApi(consoleUrl), mountConsole({ publicUrl, log }));

  const startSync: App['startSync'] = async (tuning = {}) => {
    await ensureRecordTables(db, tables);
    return startSyncWorker(
      { database, credentials, responses, kinds, tables, notifications, audit, log },
      { intervalMinutes: syncIntervalMinutes, ...tuning },
    );
  };
  const startRevocations: App['startRevocations'] = tuning =>
    startRevocationWorker({ db, sealer, kinds, credentials, notifications, audit, log }, tuning);

  return {
    handler: ({ validateResponses } = { validateResponses: false }) => {
      const ownOrigin = new URL(publicUrl).origin;
      const admission = new Admission(settings.requestLimits);
      const handlers = createHandlers();
      const authenticate = createAuthenticate({ signer, denylist: revocations.denylist, ownOrigin });
      const auditing = { log: audit, isRequired: false };
      const app = express();
      app.disable('x-powered-by');
      app.disable('etag');
      app.set('trust proxy', settings.trustedProxies);
      app.use(logAccess(log, metrics));
      if (settings.isLocal) app.use(requireLocalHost);
      app.use(securityHeaders(publicUrl));
      app.use(
        mountEndpoints(endpoints, handlers, {
          authenticate,
          admission,
          audit: auditing,
          ownOrigin: null,
          mostCalled: 'execute',
          validateResponses,
        }),
      );
      app.use(mountMcp({ db, kinds, handlers, audit: auditing, authenticate, admission, log }));
      if (settings.console.access === 'public') {
        app.use(mountAdmin(publicUrl, { admission, validateResponses }));
      }
      app.use(mountProbes({ isReady: () => database.ping() }));
      app.use(mountForwardingProbe(signingKeys, clock));
      app.use(limitAddresses(admission));
      if (settings.metrics.isServedWithApi) {
        app.use(mountMetrics(metrics, settings.metrics.token?.reveal() ?? null));
      }
      app.use(
        mountConsentPages({
          db: database.anonymous,
          sealer,
          kinds,
          apps,
          notifications,
          transport,
          clock,
          log,
          publicUrl,
          sandboxUrl: settings.sandboxUrl,
          cookies: browserCookies(publicUrl),
        }),
      );
      app.use(
        mountLinkPages({
          db: database.anonymous,
          signingKeys,
          kinds,
          log,
          audit,
          publicUrl,
          limitByAddress: perMinute('connect-link-visits', 60),
          mintToken: visit => mintLinkToken({ db, signer, publicUrl }, visit),
        }),
      );
      app.use(mountOpenApi(publicUrl, resources.kinds));
      if (settings.console.access === 'public') app.use(mountOperatorPages(publicUrl));
      app.use(mountIcons(kinds));
      app.use(mountLogos(database.anonymous));
      app.use(mountDocs(resources.kinds, publicUrl));
      app.use(mountHome(publicUrl, { hasConsole: settings.console.access === 'public' }));
      app.use(rejectUnknownRoute(null));
      app.use(renderErrors(log, translateIssues));
      return app;
    },
    privateHandler: ({ validateResponses } = { validateResponses: false }) => {
      if (privateUrl === null) throw new Error('There is no private address');
      const isConsole = settings.console.access === 'private';
      const admission = new Admission(settings.requestLimits);
      const app = express();
      app.disable('x-powered-by');
      app.disable('etag');
      app.use(logAccess(log, metrics));
      if (settings.isLocal) app.use(requireLocalHost);
      app.use(securityHeaders(privateUrl));
      app.use(mountMetrics(metrics, settings.metrics.token?.reveal() ?? null));
      if (isConsole) {
        app.use(mountAdmin(privateUrl, { admission, validateResponses }));
        app.use(limitAddresses(admission));
        app.use(mountOperatorPages(privateUrl));
      }
      app.use(rejectUnknownRoute(isConsole ? '/metrics, /console and /api/v1/admin' : '/metrics'));
      app.use(renderErrors(log, translateIssues));
      return app;
    },
    issueSetUpCode: async () =>
      settings.console.access === 'off' ? null : issueSetUpCode(db, settings.adminToken !== null),
    bootstrap: wanted => bootstrap({ revocations, secrets, log }, wanted),
    startSync,
    startRevocations,
    requestSync: () => notifySyncDue(notifications),
    startJobs: async () => {
      const sync = await startSync();
      const jobs = [
        sync,
        startRevocations(),
        startSessionCleanup({ db, kinds, log }),
        startLinkCleanup(db, log),
        startPeriodicJob(
          adminCleanupIntervalMs,
          () => deleteExpiredSignIns(db),
          error => log.warn('sign_ins_not_deleted', { error }),
        ),
        startPeriodicJob(
          reencryptionIntervalMs,
          () => reencryptOldValues(db, sealer, log, closing.signal),
          error => log.warn('resealing_interrupted', { error }),
        ),
        startAuditRetention(db, settings.auditRetentionDays, log),
      ];
      return { close: async () => void (await Promise.all(jobs.map(job => job.close()))) };
    },
    beginShutdown: () => closing.abort(),
    idle: () => refresher.idle(),
    close: async () => {
      await audit.close();
      await revocations.close();
      await notifications.close();
    },
  };
}

function limitRejectedCredentials(perHour: number, clock: Clock): RateLimit {
  const rate = {
    name: 'rejected-credentials',
    events: 'rejected credentials',
    burst: perHour,
    perMinute: perHour / 60,
  };
  return createRateLimit(rate, clock);
}
/** Values need to be re-encrypted only after a start with a new key and an hour after an update. */
const reencryptionIntervalMs = 3_600_000;
const adminCleanupIntervalMs = 60_000;

/** Limits the concurrent look-ups of keys and sessions per address, which happen before the caller is known. */
function limitLookUps(): Semaphore {
  const maxConcurrent = 10;
  return new Semaphore(
    { maxConcurrent, maxQueued: 100 },
    () =>
      new LimitError(
        { name: 'address-operators', quota: maxConcurrent, windowSeconds: null },
        'This address has too many concurrent requests: wait for some of them to finish, then try again',
        1,
      ),
  );
}

/** Limits the number of concurrent long-polling status requests per customer. */
function limitWaitingRequests(): Semaphore {
  const maxConcurrent = 10;
  const retryAfterSeconds = 5;
  return new Semaphore(
    { maxConcurrent, maxQueued: 0 },
    () =>
      new LimitError(
        { name: 'customer-waiting', quota: maxConcurrent, windowSeconds: null },
        `This customer already has ${maxConcurrent} waiting requests. Do not long-poll, or try again in ${retryAfterSeconds} s`,
        retryAfterSeconds,
      ),
  );
}

/** @param served what the address serves, or null for the whole API. */
function rejectUnknownRoute(served: string | null): RequestHandler {
  const message =
    served === null
      ? 'Unknown endpoint; /openapi.json lists all endpoints'
      : `This address serves only ${served}`;
  return () => {
    throw new ConnectorAuthError('route_not_found', message);
  };
}
