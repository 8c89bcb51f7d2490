import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Log } from '../log.ts';
import { lockFolder } from './folder-lock.ts';
import { migrate, readMigrations, type Migration } from './migrate.ts';
import { PgliteServer } from './pglite-server.ts';
import { createPool, type PoolLimits } from './pool.ts';
import type { Tables } from './tables.ts';

/** The service's database, migrated and ready. Both engines speak the same SQL and give the same values (see `values.ts`). */
export interface Database {
  readonly kysely: Kysely<Tables>;
  readonly engine: 'pglite' | 'postgres';
  /** Answers when the database answers. Refuses with `overloaded` when it does not. */
  ping(): Promise<void>;
  /** Lets running statements finish, then ends every connection. */
  close(): Promise<void>;
}

/** Where the database is: a PostgreSQL server, or a folder for the embedded one. */
export type DatabaseLocation = { databaseUrl: string } | { dataDir: string };

export interface DatabaseOptions extends Partial<PoolLimits> {
  log: Log;
  /** The schema to bring the database to; the service's own by default. */
  migrations?: readonly Migration[];
}

/** Limits that suit the service; a test or an operator with other needs passes their own. */
export const defaultLimits: PoolLimits = {
  maxConnections: 10,
  maxWaiting: 500,
  acquireTimeoutMs: 10_000,
  statementTimeoutMs: 30_000,
  idleTransactionTimeoutMs: 30_000,
};

/**
 * Opens the database and applies the migrations it lacks.
 *
 * The embedded engine is PGlite in a worker thread of this process, with its files in `dataDir/pglite` behind an exclusive lock: a
 * second process on the same folder is refused.
 * @throws Error in words for the operator when the folder is in use, the server cannot be reached, or the database
 *   was made by a newer build.
 */
export async function openDatabase(location: DatabaseLocation, options: DatabaseOptions): Promise<Database> {
  const limits: PoolLimits = { ...defaultLimits, ...options };
  const migrations = options.migrations ?? (await readMigrations());
  return 'databaseUrl' in location
    ? await openPostgres(location.databaseUrl, limits, migrations, options.log)
    : await openPglite(location.dataDir, limits, migrations, options.log);
}

async function openPostgres(
  databaseUrl: string,
  limits: PoolLimits,
  migrations: readonly Migration[],
  log: Log,
): Promise<Database> {
  const server = {
    connectionString: databaseUrl,
    application_name: 'connector-auth',
    options: '-c timezone=UTC',
  };
  await migrate({ ...server, connectionTimeoutMillis: limits.acquireTimeoutMs }, migrations, log);
  const pool = createPool(
    {
      ...server,
      max: limits.maxConnections,
      statement_timeout: limits.statementTimeoutMs,
      idle_in_transaction_session_timeout: limits.idleTransactionTimeoutMs,
      keepAlive: true,
    },
    limits,
    log,
  );
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { kysely, engine: 'postgres', ping: () => ping(kysely), close: () => kysely.destroy() };
}

async function openPglite(
  dataDir: string,
  limits: PoolLimits,
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
  const pool = createPool(
    { ...nobody, stream: () => server.connect(limits), max: 1, idleTimeoutMillis: 0 },
    limits,
    log,
  );
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    kysely,
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
