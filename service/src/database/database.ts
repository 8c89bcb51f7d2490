import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Log } from '../log/log.ts';
import { lockFolder } from './folder-lock.ts';
import { migrate, readMigrations, type Migration } from './migrate.ts';
import { PgliteServer } from './pglite-server.ts';
import { createPool, type PoolLimits } from './pool.ts';
import type { Tables } from './tables.ts';

/** The service's database, migrated and ready. Both engines speak the same SQL and give the same values (see `values.ts`). */
export interface Database {
  readonly kysely: Kysely<Tables>;
  /**
   * The same database for searches: their statements are stopped after `searchTimeoutMs`, with a `StatementStopped`. On a server they
   * have connections of their own, so that slow ones keep nobody else waiting.
   */
  readonly search: Kysely<Tables>;
  /**
   * The same database for looking after it, whose statements take as long as the data is large; null for a server, which looks after
   * itself.
   */
  readonly maintenance: Kysely<Tables> | null;
  readonly engine: 'pglite' | 'postgres';
  /** Answers when the database answers. Refuses with `overloaded` when it does not. */
  ping(): Promise<void>;
  /** Lets running statements finish, then ends every connection. */
  close(): Promise<void>;
}

/** Where the database is: a PostgreSQL server, or a folder for the embedded one. */
export type DatabaseLocation = { databaseUrl: string } | { dataDir: string };

/** Limits of all connections, and what is particular to searches. */
export interface DatabaseLimits extends PoolLimits {
  /** How long one statement of a search may run. */
  searchTimeoutMs: number;
  /** Connections to a PostgreSQL server for searches alone. */
  maxSearchConnections: number;
}

export interface DatabaseOptions extends Partial<DatabaseLimits> {
  log: Log;
  /** The schema to bring the database to; the service's own by default. */
  migrations?: readonly Migration[];
}

/** Limits that suit the service; a test or an operator with other needs passes their own. */
export const defaultLimits: DatabaseLimits = {
  maxConnections: 10,
  maxWaiting: 500,
  acquireTimeoutMs: 10_000,
  statementTimeoutMs: 30_000,
  idleTransactionTimeoutMs: 30_000,
  searchTimeoutMs: 5_000,
  maxSearchConnections: 5,
};

/** Vacuuming takes some twenty seconds for a million wide records; this is for what hangs. */
const maxMaintenanceMs = 3_600_000;

/**
 * Opens the database and applies the migrations it lacks.
 *
 * The embedded engine is PGlite in a worker thread of this process, with its files in `dataDir/pglite` behind an exclusive lock: a
 * second process on the same folder is refused.
 * @throws Error in words for the operator when the folder is in use, the server cannot be reached, or the database
 *   was made by a newer build.
 */
export async function openDatabase(location: DatabaseLocation, options: DatabaseOptions): Promise<Database> {
  const limits: DatabaseLimits = { ...defaultLimits, ...options };
  const migrations = options.migrations ?? (await readMigrations());
  return 'databaseUrl' in location
    ? await openPostgres(location.databaseUrl, limits, migrations, options.log)
    : await openPglite(location.dataDir, limits, migrations, options.log);
}

async function openPostgres(
  databaseUrl: string,
  limits: DatabaseLimits,
  migrations: readonly Migration[],
  log: Log,
): Promise<Database> {
  const server = {
    connectionString: databaseUrl,
    application_name: 'connector-auth',
    options: '-c timezone=UTC',
  };
  await migrate({ ...server, connectionTimeoutMillis: limits.acquireTimeoutMs }, migrations, log);
  const open = (max: number, statementTimeoutMs: number): Kysely<Tables> => {
    const config = {
      ...server,
      max,
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: limits.idleTransactionTimeoutMs,
      keepAlive: true,
    };
    return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: createPool(config, limits, log) }) });
  };
  const kysely = open(limits.maxConnections, limits.statementTimeoutMs);
  const search = open(limits.maxSearchConnections, limits.searchTimeoutMs);
  const close = async (): Promise<void> => {
    await Promise.all([kysely.destroy(), search.destroy()]);
  };
  return { kysely, search, maintenance: null, engine: 'postgres', ping: () => ping(kysely), close };
}

async function openPglite(
  dataDir: string,
  limits: DatabaseLimits,
  migrations: readonly Migration[],
  log: Log,
): Promise<Database> {
  const lock = await lockFolder(dataDir);
  const server = new PgliteServer(join(dataDir, 'pglite'), log);
  // Nobody is dialled; these keep pg from looking into PGHOST, PGSSLMODE and the like.
  const nobody = { host: 'localhost', user: 'postgres', database: 'postgres', password: '', ssl: false };
  try {
    await migrate({ ...nobody, stream: () => server.connect() }, migrations, log);
  } catch (error) {
    await server.close();
    lock.release();
    throw error;
  }
  // There is one connection for everybody, so its limit is changed for as long as somebody with another one has it.
  const current = { ...limits };
  const pool = createPool(
    { ...nobody, stream: () => server.connect(current), max: 1, idleTimeoutMillis: 0 },
    limits,
    log,
  );
  const open = (statementTimeoutMs: number): Kysely<Tables> =>
    new Kysely<Tables>({
      dialect: new PostgresDialect({
        pool: {
          ...pool,
          connect: async () => {
            const client = await pool.connect();
            current.statementTimeoutMs = statementTimeoutMs;
            const release: typeof client.release = destroy => {
              current.statementTimeoutMs = limits.statementTimeoutMs;
              client.release(destroy);
            };
            return { ...client, release };
          },
        },
      }),
    });
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    kysely,
    search: open(limits.searchTimeoutMs),
    maintenance: open(maxMaintenanceMs),
    engine: 'pglite',
    ping: () => ping(kysely),
    async close() {
      await kysely.destroy();
      await server.close();
      lock.release();
    },
  };
}

async function ping(kysely: Kysely<Tables>): Promise<void> {
  await sql`select 1`.execute(kysely);
}
