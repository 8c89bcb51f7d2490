import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { kinds as allKinds } from '@connector-auth/connectors';
import { createTransport, unlimited, type Kind } from '@connector-auth/connectors/kind';
import { Agent } from 'undici';
import { setUpCodeLifetimeMinutes } from './features/admin-keys/set-up.ts';
import { isDoneWithin } from './platform/concurrency/is-done-within.ts';
import { locationOf, type Configuration } from './platform/config/configuration.ts';
import { loadOrCreateKeyRing } from './platform/crypto/key-ring.ts';
import { createSealer } from './platform/crypto/seal.ts';
import { openDatabaseClock } from './platform/database/clock.ts';
import { secureFolder } from './platform/database/data-folder.ts';
import { divideConnections, openDatabase } from './platform/database/database.ts';
import type { Log } from './platform/log/log.ts';
import { checkEncryptionKeys } from './shared/credentials/check-keys.ts';
import { reserveAddress } from './shared/http/listen.ts';
import { createMetrics } from './shared/http/metrics.ts';
import { bucketsInDatabase } from './shared/vendor-limits/buckets-in-database.ts';
import { createVendorLimiter } from './shared/vendor-limits/vendor-limiter.ts';

export interface RunningService {
  /** The service's public base URL, without a trailing slash. */
  readonly url: string;
  /**
   * Fails the readiness probe, stops accepting requests, waits up to 10 s for running requests, then closes the database.
   * @param options.drains whether it continues to serve requests for `DRAIN_SECONDS` first, until load balancers have
   * noticed the readiness probe.
   */
  close(options?: { drains: boolean }): Promise<void>;
}

/** After `DRAIN_SECONDS`. With its default, a stop ends before orchestrators kill the process, usually after 30 s. */
const maxStopMs = 20_000;
const maxRequestsMs = 10_000;
/** For writing the audit log and closing the database. */
const minClosingMs = 5_000;
/**
 * Keeps vendor connections open between requests, because opening one takes three round trips. The transport limits the time
 * of each request, without the timers of undici, which stay in memory for a second.
 */
const vendorConnections = {
  keepAliveTimeout: 15_000,
  headersTimeout: 0,
  bodyTimeout: 0,
  connect: { timeout: 10_000 },
};

/**
 * Starts the service: opens and migrates the database, creates the configured organizations and application,
 * and listens for requests.
 * @param options.terminal shows the set-up code, which is never logged. Default: stderr.
 * @throws Error with a message for the operator if the service cannot start. In that case it closes
 * everything it opened.
 */
export async function startService(
  configuration: Configuration,
  {
    log,
    kinds = allKinds,
    pgliteThread = null,
    terminal = process.stderr,
  }: {
    log: Log;
    kinds?: readonly Kind[];
    pgliteThread?: Worker | null;
    terminal?: { write(text: string): unknown };
  },
): Promise<RunningService> {
  const { dataDir, sandboxUrl } = configuration;
  // What has to be closed if the service cannot start.
  const opened: { close(withinMs: number): Promise<unknown> }[] = [];
  try {
    const address = await reserveAddress(configuration);
    opened.push(address);
    const { listener } = configuration.metrics;
    const privateAddress = listener && (await reserveAddress(listener, 'METRICS_'));
    if (privateAddress !== null) opened.push(privateAddress);
    const urls = {
      public: configuration.publicUrl ?? address.url,
      private: privateAddress && (configuration.console.url ?? privateAddress.url),
    };
    // With a PostgreSQL server, the folder is not used, because the keys are required.
    if (configuration.databaseUrl === null) await secureFolder(dataDir, configuration.dataDirAccess, log);
    const encryptionKeys = configuration.encryptionKeys ?? (await loadOrCreateKeyRing(dataDir, 'encryption'));
    const signingKeys = configuration.signingKeys ?? (await loadOrCreateKeyRing(dataDir, 'signing'));
    const opening = openDatabase(locationOf(configuration), {
      log,
      beforeMigrating: db => checkEncryptionKeys(db, createSealer(encryptionKeys)),
      searchTimeoutMs: configuration.searchTimeoutMs,
      pgliteThread,
      ...divideConnections(configuration.databaseConnections),
    });
    // Most of the code is loaded while the database opens, which takes as long. Loading blocks this thread, so the database
    // begins first.
    const loading = nextTurn().then(() => import('./app.ts'));
    const [database, { createApp }] = await Promise.all([opening, loading]);
    opened.push(database);
    const metrics = createMetrics({ withProcess: true });
    const clock = await openDatabaseClock(database, log, metrics.registry);
    opened.push(clock);
    const dispatcher = new Agent(vendorConnections);
    const app = await createApp(
      {
        urls,
        database,
        databaseUrl: configuration.directDatabaseUrl?.reveal() ?? null,
        encryptionKeys,
        signingKeys,
        kinds,
        transport: createTransport({ dispatcher, ...(sandboxUrl === null ? {} : { sandboxUrl }) }),
        ...(database.isShared ? { sharedBuckets: bucketsInDatabase } : {}),
        limiter: configuration.vendorRateLimits
          ? createVendorLimiter(database, clock, {
              customerShare: configuration.vendorQuotaSharePercent / 100,
            })
          : unlimited,
        clock,
        log,
        metrics,
      },
      configuration,
    );
    opened.push(app);
    const bootstrapping = app.bootstrap(configuration.bootstrap);
    // While the database works.
    const handler = app.handler();
    await bootstrapping;
    const code = await app.issueSetUpCode();
    await address.serve(handler);
    if (privateAddress !== null) {
      await privateAddress.serve(app.privateHandler());
      log.info('metrics_ready', { listening: privateAddress.url });
    }
    if (code !== null) {
      const consoleUrl = configuration.console.access === 'private' ? urls.private : urls.public;
      terminal.write(setUpMessage(code, `${consoleUrl}/console`));
    }
    log.info('service_ready', { url: urls.public, listening: address.url, engine: database.engine });
    const jobs = await app.startJobs();
    opened.push(jobs);
    const indexing = app.startIndexing();
    opened.push(indexing);
    let closed: Promise<void> | null = null;
    const close = async (drainMs: number): Promise<void> => {
      app.beginDrain();
      address.endConnections();
      const backgroundWork = Promise.all([jobs.close(), indexing.close()]);
      await delay(drainMs);
      const endsAt = performance.now() + maxStopMs;
      app.beginShutdown();
      const [isInTime] = await Promise.all([
        address.close(maxRequestsMs),
        privateAddress?.close(maxRequestsMs),
        // A sync run may be deleting a million records. The process that takes over the run continues the
        // deletion. PGlite cannot interrupt the building of an index.
        isDoneWithin(maxRequestsMs, backgroundWork),
      ]);
      if (!isInTime) log.warn('requests_cut_off', { after_ms: maxRequestsMs });
      // Interrupting a refresh would lose single-use tokens.
      await isDoneWithin(endsAt - minClosingMs - performance.now(), app.idle());
      await dispatcher.destroy();
      // Abandoned work may still hold a connection. Exiting anyway is as safe as a crash.
      const isClosed = await isDoneWithin(
        Math.max(minClosingMs, endsAt - performance.now()),
        Promise.all([app.close(), clock.close()]).then(() => database.close()),
      );
      log.info('service_stopped', { is_database_closed: isClosed });
    };
    return {
      url: urls.public,
      close: ({ drains } = { drains: false }) =>
        (closed ??= close(drains ? configuration.drainSeconds * 1000 : 0)),
    };
  } catch (error) {
    for (const resource of opened.toReversed()) await resource.close(0);
    throw error;
  }
}

/** Returns what the operator reads in the terminal. The code must never be logged. */
function setUpMessage(code: string, consoleUrl: string): string {
  return [
    '',
    'No application and no admin key exist yet. To set up the service, open',
    `    ${consoleUrl}`,
    `and enter this code, which works once within ${setUpCodeLifetimeMinutes} minutes:`,
    `    ${code}`,
    'Restart the service for a new code.',
    '',
    '',
  ].join('\n');
}
