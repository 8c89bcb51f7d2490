import type { LookupFunction } from 'node:net';
import type { Clock } from '@connector-auth/api';
import type { BucketStore, Kind, Transport } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import { AuditLog } from '../platform/audit-log/audit-log.ts';
import { insertBatch } from '../platform/audit-log/store.ts';
import type { Configuration } from '../platform/config/configuration.ts';
import type { KeyRing } from '../platform/crypto/key-ring.ts';
import { createSealer } from '../platform/crypto/seal.ts';
import type { DatabaseClock } from '../platform/database/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { Tables } from '../platform/database/tables.ts';
import type { Log } from '../platform/log/log.ts';
import { createLongPolls } from '../platform/notifications/long-poll.ts';
import { openNotifications } from '../platform/notifications/notifications.ts';
import { createOutbound } from '../platform/outbound/outbound.ts';
import { createAuthenticate } from './auth/authenticate.ts';
import { createSecretVerifier } from './auth/client-secret.ts';
import { createTokenSigner } from './auth/token-signer.ts';
import { Credentials } from './credentials/credentials.ts';
import { GrantRefresher } from './credentials/grant-refresher.ts';
import { OAuthApps } from './credentials/oauth-apps.ts';
import { rememberKinds } from './definitions/known-kinds.ts';
import { createKindRegistry } from './definitions/registry.ts';
import { measureAuditLog, measureTransport, type Metrics } from './http/metrics.ts';
import { Idempotency } from './idempotency/idempotency.ts';
import { customerKeys } from './idempotency/key-tables.ts';
import { ChangeCursors } from './records/change-cursors.ts';
import { openRecordTables } from './records/changed-types.ts';
import { Horizon } from './records/horizon.ts';
import { readInstallationId } from './repositories/installation.ts';
import { Revocations } from './revocations/revocations.ts';
import type { RequesterLimiter } from './vendor-limits/fair-limiter.ts';
import { VendorResponses } from './vendor-limits/response-memory.ts';
import { createSharedRateLimits } from './vendor-limits/shared-rate-limit.ts';

/**
 * The resources that the service depends on. `service.ts` creates them from the configuration; tests and
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
  /** The PostgreSQL server that delivers notifications, without a pooler. If null, notifications stay within this process. */
  readonly databaseUrl: string | null;
  readonly encryptionKeys: KeyRing;
  readonly signingKeys: KeyRing;
  readonly kinds: readonly Kind[];
  /** Sends requests to the vendors, or to the sandbox. */
  readonly transport: Transport;
  /** Resolves the hosts of URLs that integrators choose. Default: the operating system. Intended for tests. */
  readonly lookup?: LookupFunction;
  /** Enforces the vendors' rate limits. */
  readonly limiter: RequesterLimiter;
  /** Creates the store of the rate limits that processes share. If omitted, each process counts for itself. */
  readonly sharedBuckets?: (db: Kysely<Tables>) => BucketStore;
  /** The time of the database, see `DatabaseClock`. */
  readonly clock: Clock & Partial<Pick<DatabaseClock, 'unreadyReason'>>;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Whether to throw if a response does not match the contract. Intended for tests. */
  readonly validateResponses?: boolean;
}

/** The settings that the features and `app.ts` read from the configuration. */
export type Settings = Pick<
  Configuration,
  | 'adminToken'
  | 'auditRetentionDays'
  | 'bootstrap'
  | 'changesRetentionDays'
  | 'connectorsPerCustomer'
  | 'console'
  | 'databaseUrl'
  | 'fullSyncHours'
  | 'isLocal'
  | 'metrics'
  | 'maxConcurrentExecutes'
  | 'oauthApps'
  | 'outbound'
  | 'publicUrl'
  | 'rejectedCredentialsPerHour'
  | 'requestLimits'
  | 'sandboxUrl'
  | 'searchCostLimit'
  | 'syncConcurrency'
  | 'syncIntervalMinutes'
  | 'trustedProxies'
  | 'vendorResponseMiB'
>;

/**
 * What a feature needs of the parts that several features share. A feature names what it uses: its signature says what
 * it can reach.
 */
export type Needs<Name extends keyof Core> = Pick<Core, Name>;

type Core = Awaited<ReturnType<typeof openCore>>;

/**
 * Creates what several features share. Reads the installation's id and the revoked tokens from the database, stores which kinds
 * are loaded, and keeps reading revocations.
 */
export async function openCore(resources: Resources, settings: Settings) {
  const { urls, database, signingKeys, limiter, clock, log, metrics } = resources;
  const { syncIntervalMinutes, console } = settings;
  const db = database.kysely;
  const sealer = createSealer(resources.encryptionKeys);
  const signer = createTokenSigner(signingKeys, clock, await readInstallationId(db));
  const kinds = createKindRegistry(resources.kinds);
  await rememberKinds(db, kinds);
  // Before this process is known to others, who otherwise wait for what it knows.
  const tables = await openRecordTables(db, resources.kinds, log);
  const notifications = openNotifications(database, resources.databaseUrl, log);
  const revocations = await Revocations.open(database, notifications, log);
  const transport = measureTransport(resources.transport, metrics);
  const apps = new OAuthApps(db, sealer, settings.oauthApps);
  const audit = new AuditLog({
    write: batch => insertBatch(db, batch),
    clock,
    log,
    writeIntervalMs: database.batchIntervalMs,
  });
  measureAuditLog(audit, metrics);
  const refresher = new GrantRefresher({ db, notifications }, sealer, audit, log);
  const responses = new VendorResponses(clock, settings.vendorResponseMiB * 1024 * 1024);
  const vendors = { transport, limiter, responses, apps, refresher };
  const outbound = createOutbound({
    allowedNetworks: settings.outbound.allowedNetworks,
    allowedHosts: settings.outbound.allowedHosts,
    allowsLoopback: settings.isLocal,
    proxyUrl: settings.outbound.proxyUrl?.reveal() ?? null,
    ...(resources.lookup ? { lookup: resources.lookup } : {}),
  });
  const closing = new AbortController();
  return {
    database,
    db,
    /** The same database for requests without a token, which get a smaller share of it. */
    anonymous: database.anonymous,
    publicUrl: urls.public,
    /** The base URL of the console and of the operators' endpoints. */
    consoleUrl: (console.access === 'private' ? urls.private : null) ?? urls.public,
    /** The default sync interval, for organizations that have not set their own. */
    syncIntervalMinutes,
    clock,
    log,
    metrics: metrics.registry,
    shareRateLimit: createSharedRateLimits(resources.sharedBuckets?.(db) ?? null, clock),
    /** The same for requests without a token. */
    shareAnonymousRateLimit: createSharedRateLimits(
      resources.sharedBuckets?.(database.anonymous) ?? null,
      clock,
    ),
    signingKeys,
    sealer,
    signer,
    authenticate: createAuthenticate({
      signer,
      denylist: revocations.denylist,
      ownOrigin: new URL(urls.public).origin,
    }),
    secrets: createSecretVerifier(),
    kinds,
    tables,
    changeCursors: new ChangeCursors(signingKeys),
    horizon: new Horizon(db),
    notifications,
    revocations,
    transport,
    outbound,
    apps,
    audit,
    responses,
    credentials: new Credentials({ db, sealer, clock, log, syncIntervalMinutes, ...vendors }),
    idempotency: new Idempotency(db, customerKeys, signingKeys),
    longPolls: createLongPolls(notifications, closing.signal),
    beginShutdown: () => closing.abort(),
    idle: () => refresher.idle(),
    close: async () => {
      await outbound.close();
      await audit.close();
      await revocations.close();
      await notifications.close();
    },
  };
}
