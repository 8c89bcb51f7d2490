import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '@connector-auth/api';
import { kinds as allKinds } from '@connector-auth/connectors';
import {
  createLimiter,
  createTransport,
  unlimited,
  type Kind,
  type Limiter,
} from '@connector-auth/connectors/kind';
import { Agent } from 'undici';
import { accessOf, createApp } from './app.ts';
import type { Configuration } from './config/configuration.ts';
import { checkEncryptionKeys } from './credentials/check-keys.ts';
import { GrantRefresher } from './credentials/grant-refresher.ts';
import { reencryptOldValues } from './credentials/reencrypt.ts';
import { loadOrCreateKeyRing } from './crypto/key-ring.ts';
import { createSealer } from './crypto/seal.ts';
import { openDatabase, type Database } from './database/database.ts';
import { createKindRegistry } from './definitions/registry.ts';
import { listen } from './http/listen.ts';
import { createMetrics } from './http/metrics.ts';
import type { Log } from './log/log.ts';
import { openNotifications } from './notifications/notifications.ts';
import { startForgetting } from './oauth-sessions/cleanup.ts';
import { bootstrap } from './organizations/bootstrap.ts';
import { ensureRecordTables } from './records/ensure.ts';
import { RecordTables } from './records/record-table.ts';
import { startSyncing, type Syncing } from './sync/worker.ts';
import { createSharedLimiter } from './vendor-limits/shared-limiter.ts';

export { readConfiguration, type Configuration } from './config/configuration.ts';
export { ConfigurationError, type Environment } from './config/environment.ts';
export { createLog, redactText, silentLog, type Log, type LogFields } from './log/log.ts';

/** A service that answers requests. */
export interface RunningService {
  /** Its public base URL, without a slash at its end. */
  readonly url: string;
  /** Takes no more requests, finishes those that run (10 s at most), then closes the database. */
  close(): Promise<void>;
}

const longestDrainMs = 10_000;
const longestRenewalMs = 20_000;
const longestDatabaseCloseMs = 5000;
/** A connection to a vendor outlives the pause between two calls: a new one costs three round trips. */
const vendorConnections = { keepAliveTimeout: 15_000, connect: { timeout: 10_000 } };

/**
 * Starts the service: opens and migrates the database, makes what the configuration wants to exist, listens.
 * @throws Error in words for the operator when something keeps it from starting; nothing is left running then.
 */
export async function startService(
  configuration: Configuration,
  { log, kinds = allKinds }: { log: Log; kinds?: readonly Kind[] },
): Promise<RunningService> {
  const { dataDir, databaseUrl } = configuration;
  const sealer = createSealer(
    configuration.encryptionKeys ?? (await loadOrCreateKeyRing(dataDir, 'encryption')),
  );
  const signingKeys = configuration.signingKeys ?? (await loadOrCreateKeyRing(dataDir, 'signing'));
  const location = databaseUrl === null ? { dataDir } : { databaseUrl: databaseUrl.reveal() };
  const database = await openDatabase(location, {
    log,
    searchTimeoutMs: configuration.searchTimeoutMs,
  });
  const vendors = new Agent(vendorConnections);
  const notifications = openNotifications(database, databaseUrl?.reveal() ?? null, log);
  const refresher = new GrantRefresher({ db: database.kysely, notifications }, sealer);
  const closing = new AbortController();
  let syncing: Syncing | null = null;
  let forgetting: { close(): Promise<void> } | null = null;
  try {
    await checkEncryptionKeys(database.kysely, sealer);
    const tables = new RecordTables(kinds);
    await ensureRecordTables(database.kysely, tables);
    await prepare(database, configuration, log);
    const dependencies = {
      database,
      sealer,
      signingKeys,
      kinds,
      transport: createTransport({
        dispatcher: vendors,
        ...(configuration.sandboxUrl === null ? {} : { sandboxUrl: configuration.sandboxUrl }),
      }),
      limiter: configuration.vendorRateLimits ? createVendorLimiter(database) : unlimited,
      oauthApps: configuration.oauthApps,
      sandboxUrl: configuration.sandboxUrl,
      notifications,
      refresher,
      syncIntervalMinutes: configuration.syncIntervalMinutes,
      closing: closing.signal,
      log,
      metrics: createMetrics({ withProcess: true }),
      trustedProxies: configuration.trustedProxies,
    };
    syncing = await startSyncing({
      ...dependencies,
      access: accessOf(dependencies),
      kinds: createKindRegistry(kinds),
      tables,
      intervalMinutes: configuration.syncIntervalMinutes,
    });
    forgetting = startForgetting(database.kysely, log);
    const resealing = reencryptOldValues(database.kysely, sealer, log, closing.signal).catch(
      (error: unknown) => {
        log.warn('resealing_interrupted', { error });
      },
    );
    const server = await listen(configuration, url =>
      createApp({ ...dependencies, publicUrl: configuration.publicUrl ?? url }),
    );
    const url = configuration.publicUrl ?? server.url;
    log.info('service_ready', { url, listening: server.url, engine: database.engine });
    let closed: Promise<void> | null = null;
    const close = async (): Promise<void> => {
      closing.abort();
      const [isInTime] = await Promise.all([
        server.close(longestDrainMs),
        // A walk may be about to remove a million records; whoever takes it over goes on there.
        isDoneWithin(longestDrainMs, Promise.all([syncing?.close(), forgetting?.close(), resealing])),
      ]);
      if (!isInTime) log.warn('requests_cut_off', { after_ms: longestDrainMs });
      // Tokens that a vendor gives once are lost with a renewal that is cut off.
      await isDoneWithin(longestRenewalMs, refresher.idle());
      await vendors.destroy();
      await notifications.close();
      // Work that nobody waits for any more may still hold a connection; ending without it is as safe as a crash.
      const isClosed = await isDoneWithin(longestDatabaseCloseMs, database.close());
      log.info('service_stopped', { is_database_closed: isClosed });
    };
    return { url, close: () => (closed ??= close()) };
  } catch (error) {
    await Promise.all([syncing?.close(), forgetting?.close()]);
    await notifications.close();
    await database.close();
    throw error;
  }
}

/** The embedded database has one process, whose limits need not be shared. */
function createVendorLimiter({ engine, kysely }: Database): Limiter {
  return engine === 'postgres' ? createSharedLimiter(kysely, systemClock) : createLimiter(systemClock);
}

async function prepare(database: Database, configuration: Configuration, log: Log): Promise<void> {
  const wanted = configuration.bootstrap;
  if (wanted === null) return;
  await bootstrap(database.kysely, { ...wanted, clientSecret: wanted.clientSecret.reveal() }, log);
}

async function isDoneWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const tooLate = new AbortController();
  const isLate = delay(ms, false, { signal: tooLate.signal }).catch(() => false);
  const isDone = await Promise.race([work.then(() => true), isLate]);
  tooLate.abort();
  return isDone;
}
