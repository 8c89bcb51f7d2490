import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { Kysely, PostgresDialect, sql, type PostgresPool } from 'kysely';
import type { ClientConfig } from 'pg';
import type { SemaphoreLimits } from '../concurrency/semaphore.ts';
import { ConnectorChanges } from './connector-changes.ts';
import { lockFolder } from './folder-lock.ts';
import { migrate, readMigrations, type MigrateOptions } from './migrate.ts';
import type { Migration } from './migration-effects.ts';
import { servePauses } from './pause.ts';
import { PgliteServer } from './pglite-server.ts';
import { createPool, limitPool, type MeasuredPool, type PoolLimits, type PoolUsage } from './pool.ts';
import { requireSameDatabase, requireSession } from './sessions.ts';
import { shareConnection } from './share-connection.ts';
import type { Tables } from './tables.ts';

/** The migrated database. Both engines accept the same SQL and return the same values (see `values.ts`). */
export interface Database {
  readonly kysely: Kysely<Tables>;
  /**
   * The same database for searches. Its statements throw a `StatementTimeoutError` after `searchTimeoutMs`.
   * On a PostgreSQL server, searches use a separate pool, so that slow searches do not block other requests.
   */
  readonly search: Kysely<Tables>;
  /**
   * The time limit that statements of `search` must enforce themselves, because PGlite cannot cancel one. Null
   * on a PostgreSQL server. A statement that runs for much longer restarts PGlite.
   */
  readonly searchDeadlineMs: number | null;
  /**
   * The same database for requests without a token. They can use at most four fifths of the connections, so
   * that they cannot keep authenticated requests waiting.
   */
  readonly anonymous: Kysely<Tables>;
  /**
   * The same database for looking up the keys and sessions of operators, one at a time, so that operators can sign in
   * while `anonymous` is in full use.
   */
  readonly operators: Kysely<Tables>;
  /**
   * The same database for maintenance such as vacuuming, with a limit of one hour per statement. Null on a
   * PostgreSQL server, which has autovacuum.
   */
  readonly maintenance: Kysely<Tables> | null;
  /**
   * The same database for short internal reads, with a limit of `controlTimeoutMs`. On a PostgreSQL server, they use
   * their own connection, so that they never wait for requests.
   */
  readonly control: Kysely<Tables>;
  readonly controlTimeoutMs: number;
  readonly connectorChanges: ConnectorChanges;
  /** For display and tests: code that depends on the engine asks for one of the following capabilities. */
  readonly engine: 'pglite' | 'postgres';
  /** Whether several processes can use the database at the same time. */
  readonly isShared: boolean;
  /** Whether a transaction may commit before it is on disk: a server rarely crashes, unlike this process. */
  readonly canDelayCommits: boolean;
  /** How long to collect what can be written later in one statement. A statement costs PGlite as much as 400 rows. */
  readonly batchIntervalMs: number;
  /** Maximum number of concurrent statements of `search`. */
  readonly searchConnections: number;
  /** Maximum time to wait for a connection. */
  readonly acquireTimeoutMs: number;
  /**
   * Default maximum for the estimated cost of a search: about one second on a PostgreSQL server, and a fifth of a second
   * on PGlite, where no other statement can run at the same time. See `search/cost.ts`.
   */
  readonly searchCostLimit: number;
  /** Returns the use of each pool of connections, by its name. */
  usage(): Readonly<Record<string, PoolUsage>>;
  /** Throws a ConnectorAuthError `overloaded` if the database does not respond. */
  ping(): Promise<void>;
  /** Waits for running statements, then closes all connections. */
  close(): Promise<void>;
}

/** The URL of a PostgreSQL server, or the folder for the embedded database. */
export type DatabaseLocation =
  | {
      databaseUrl: string;
      /** The URL of the same database without a pooler, if `databaseUrl` leads to a pooler in transaction mode. */
      directUrl?: string;
    }
  | { dataDir: string };

/** Connection limits, including those for searches. */
export interface DatabaseLimits extends PoolLimits {
  searchTimeoutMs: number;
  /** For the statements of `control`. */
  controlTimeoutMs: number;
  /** Maximum number of connections to a PostgreSQL server that are reserved for searches. */
  maxSearchConnections: number;
}

export interface DatabaseOptions
  extends Partial<DatabaseLimits>, Pick<MigrateOptions, 'log' | 'beforeMigrating'> {
  /** Defaults to the migrations that ship with the service. */
  migrations?: readonly Migration[];
  /** Whether to apply pending migrations. Default: true. */
  appliesMigrations?: boolean;
  /** Whether to check that the URLs of a PostgreSQL server lead to sessions of one database. Default: true. */
  checksSessions?: boolean;
  /** A thread for the embedded database, which `startPgliteThread` has returned. */
  pgliteThread?: Worker | null;
}

const defaultLimits: DatabaseLimits = {
  maxConnections: 10,
  maxWaiting: 500,
  acquireTimeoutMs: 10_000,
  statementTimeoutMs: 30_000,
  idleTransactionTimeoutMs: 30_000,
  transactionTimeoutMs: 60_000,
  searchTimeoutMs: 5_000,
  controlTimeoutMs: 4_000,
  maxSearchConnections: 5,
};

/** The connections for `control` and for notifications. */
const internalConnections = 2;

/** Divides the connections of a process between requests and searches, which get a third of them. */
export function divideConnections(
  total: number,
): Pick<DatabaseLimits, 'maxConnections' | 'maxSearchConnections'> {
  const shared = total - internalConnections;
  const maxSearchConnections = Math.floor(shared / 3);
  return { maxConnections: shared - maxSearchConnections, maxSearchConnections };
}

/** Compiling a search takes longer than running it. */
const commonSettings = { jit: 'off' };

const searchGraceMs = 2_000;

/** High enough to stop only statements that hang: vacuuming a million wide records takes about 20 s. */
const maxMaintenanceMs = 3_600_000;

/**
 * Opens the database and, unless the options say otherwise, applies pending migrations.
 *
 * The embedded engine is PGlite in a worker thread of this process. Its files are in `dataDir/pglite` and
 * protected by an exclusive lock.
 * @throws Error with a message for the operator if another process is using the folder, the server cannot
 * be reached, it is reached only through a pooler that gives no session, or a newer version of the service has migrated
 * the database.
 */
export async function openDatabase(location: DatabaseLocation, options: DatabaseOptions): Promise<Database> {
  const limits: DatabaseLimits = { ...defaultLimits, ...options };
  const { appliesMigrations = true } = options;
  const applyMigrations: ApplyMigrations = async server => {
    if (appliesMigrations) await migrate(server, options.migrations ?? (await readMigrations()), options);
  };
  return 'databaseUrl' in location
    ? await openPostgres(location, limits, applyMigrations, options)
    : await openPglite(location.dataDir, limits, applyMigrations, options);
}

type ApplyMigrations = (server: ClientConfig) => Promise<void>;

async function openPostgres(
  { databaseUrl, directUrl = databaseUrl }: Extract<DatabaseLocation, { databaseUrl: string }>,
  limits: DatabaseLimits,
  applyMigrations: ApplyMigrations,
  { log, checksSessions = true }: Pick<DatabaseOptions, 'log' | 'checksSessions'>,
): Promise<Database> {
  const { acquireTimeoutMs } = limits;
  const application = { application_name: 'connector-auth' };
  const direct = {
    ...application,
    connectionString: directUrl,
    connectionTimeoutMillis: acquireTimeoutMs,
  };
  if (checksSessions) {
    await requireSession(direct, directUrl === databaseUrl ? 'DATABASE_URL' : 'DIRECT_DATABASE_URL');
    if (directUrl !== databaseUrl)
      await requireSameDatabase(direct, { ...direct, connectionString: databaseUrl });
  }
  await applyMigrations(direct);
  const connectorChanges = new ConnectorChanges();
  const open = (max: number, statementTimeoutMs: number, queryTimeoutMs = 0): MeasuredPool => {
    const config = {
      ...application,
      connectionString: databaseUrl,
      max,
      // Also ends a query when the server has become unreachable.
      query_timeout: queryTimeoutMs,
      keepAlive: true,
    };
    return createPool(
      config,
      limits,
      { log, changes: connectorChanges },
      {
        scope: directUrl === databaseUrl ? 'session' : 'transaction',
        timezone: 'UTC',
        statement_timeout: statementTimeoutMs,
        idle_in_transaction_session_timeout: limits.idleTransactionTimeoutMs,
        ...commonSettings,
        transaction_timeout: limits.transactionTimeoutMs,
      },
    );
  };
  const pool = open(limits.maxConnections, limits.statementTimeoutMs);
  const kysely = connectTo(pool);
  const searchPool = open(limits.maxSearchConnections, limits.searchTimeoutMs);
  const search = connectTo(searchPool);
  const control = connectTo(open(1, limits.controlTimeoutMs, limits.controlTimeoutMs));
  const close = async (): Promise<void> => {
    await Promise.all([kysely.destroy(), search.destroy(), control.destroy()]);
  };
  return {
    kysely,
    search,
    searchDeadlineMs: null,
    anonymous: connectTo(limitPool(pool, anonymousLimits(limits.maxConnections))),
    operators: connectTo(limitPool(pool, operatorLimits)),
    maintenance: null,
    control,
    controlTimeoutMs: limits.controlTimeoutMs,
    connectorChanges,
    engine: 'postgres',
    isShared: true,
    canDelayCommits: true,
    batchIntervalMs: 250,
    searchCostLimit: 10_000_000,
    searchConnections: limits.maxSearchConnections,
    acquireTimeoutMs: limits.acquireTimeoutMs,
    usage: () => ({ requests: pool.usage(), searches: searchPool.usage() }),
    ping: () => ping(control),
    close,
  };
}

async function openPglite(
  dataDir: string,
  limits: DatabaseLimits,
  applyMigrations: ApplyMigrations,
  { log, pgliteThread = null }: Pick<DatabaseOptions, 'log' | 'pgliteThread'>,
): Promise<Database> {
  const lock = await lockFolder(dataDir);
  const server = new PgliteServer(join(dataDir, 'pglite'), log, pgliteThread);
  // The host is never contacted. Without these settings, pg would read PGHOST, PGSSLMODE and similar
  // variables.
  const unusedServer = {
    host: 'localhost',
    user: 'postgres',
    database: 'postgres',
    password: '',
    ssl: false,
  };
  const pausing = servePauses(dataDir, work => server.pause(work), log);
  const closeServer = async (): Promise<void> => {
    const endPauses = await pausing;
    endPauses();
    await server.close();
    lock.release();
  };
  try {
    await Promise.all([pausing, applyMigrations({ ...unusedServer, stream: () => server.connect() })]);
  } catch (error) {
    await closeServer();
    throw error;
  }
  // All callers share one connection, so the statement timeout is set each time a caller acquires it.
  const current = { ...limits };
  const connectorChanges = new ConnectorChanges();
  const pool = createPool(
    { ...unusedServer, stream: () => server.connect(current), max: 1, idleTimeoutMillis: 0 },
    limits,
    { log, changes: connectorChanges },
    { scope: 'session', ...commonSettings },
  );
  const withTimeout = (from: PostgresPool, statementTimeoutMs: number): PostgresPool => ({
    ...from,
    connect: async () => {
      const client = await from.connect();
      current.statementTimeoutMs = statementTimeoutMs;
      const release: typeof client.release = destroy => {
        current.statementTimeoutMs = limits.statementTimeoutMs;
        client.release(destroy);
      };
      return { ...client, release };
    },
  });
  const { ordinary, yielding } = shareConnection(pool);
  const kysely = connectTo(ordinary);
  return {
    kysely,
    // The watchdog is for statements that did not check their deadline in time.
    search: connectTo(withTimeout(yielding, 2 * limits.searchTimeoutMs + searchGraceMs)),
    searchDeadlineMs: limits.searchTimeoutMs,
    anonymous: connectTo(limitPool(ordinary, anonymousLimits(1))),
    operators: connectTo(limitPool(ordinary, operatorLimits)),
    maintenance: connectTo(withTimeout(pool, maxMaintenanceMs)),
    control: connectTo(withTimeout(ordinary, limits.controlTimeoutMs)),
    controlTimeoutMs: limits.controlTimeoutMs,
    connectorChanges,
    engine: 'pglite',
    isShared: false,
    canDelayCommits: false,
    batchIntervalMs: 1_000,
    searchCostLimit: 2_000_000,
    searchConnections: 1,
    acquireTimeoutMs: limits.acquireTimeoutMs,
    usage: () => ({ requests: pool.usage() }),
    ping: () => ping(kysely),
    async close() {
      await kysely.destroy();
      await closeServer();
    },
  };
}

function connectTo(pool: PostgresPool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** With a single connection, authenticated requests wait for at most one statement of an anonymous request. */
function anonymousLimits(maxConnections: number): SemaphoreLimits {
  return { maxConcurrent: Math.max(1, Math.floor(maxConnections * 0.8)), maxQueued: 100 };
}

/** A look-up takes less than a millisecond, and each address can have only a few at a time. */
const operatorLimits: SemaphoreLimits = { maxConcurrent: 1, maxQueued: 1000 };

async function ping(kysely: Kysely<Tables>): Promise<void> {
  await sql`select 1`.execute(kysely);
}
