import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Kysely, PostgresDialect } from 'kysely';
import { Client, type ClientConfig } from 'pg';
import type { Log } from '../log/log.ts';
import { namesIn, type Migration } from './migration-effects.ts';
import { limitLockWait, schemaLock, untilUnlocked } from './schema-locks.ts';
import { explainMissingRights } from './schema-rights.ts';
import type { Tables } from './tables.ts';

/** Returns the migrations that ship with the service, in order. */
export async function readMigrations(
  folder = new URL('./migrations/', import.meta.url),
): Promise<Migration[]> {
  const files = readdirSync(folder).filter(file => file.endsWith('.sql'));
  return files
    .sort()
    .map(file => ({ name: file.slice(0, -'.sql'.length), sql: readFileSync(new URL(file, folder), 'utf8') }));
}

export interface MigrateOptions {
  readonly log: Log;
  /** Called before anything is changed. If it throws, nothing is. */
  readonly beforeMigrating?: ((db: Kysely<Tables>) => Promise<void>) | undefined;
  /** Whether to accept the target of a move that has not finished. */
  readonly continuesMove?: boolean;
}

/**
 * Applies pending migrations, each in a transaction that also records it. Migrations cannot be reverted.
 * Processes that start at the same time wait for each other.
 * @throws Error with a message for the operator if the server is too old, or the database contains a migration that is
 * unknown to this version, or one whose text has changed since it was applied.
 */
export async function migrate(
  server: ClientConfig,
  migrations: readonly Migration[],
  { log, beforeMigrating, continuesMove = false }: MigrateOptions,
): Promise<void> {
  const client = new Client(server);
  await connect(client);
  try {
    await client.query(`set timezone = 'UTC'`);
    const old = await explainOldServer(client);
    if (old !== null) throw new Error(`${old.message} ${old.advice}`);
    await untilUnlocked(log, () => tryLock(client));
    if (!continuesMove) await rejectUnfinishedMove(client);
    await beforeMigrating?.(connectTo(client));
    const pending = await pendingMigrations(client, migrations);
    if (pending.length === 0) return;
    await explainMissingRights(
      pending.map(({ name }) => `migration ${name}`),
      async () => {
        await client.query(recordTable);
        for (const migration of pending) {
          await untilUnlocked(log, () => apply(client, migration));
          log.info('migration_applied', { name: migration.name });
        }
      },
    );
  } finally {
    // Ends the session, which releases the lock.
    await client.end();
  }
}

/** Returns the database of a client, which is not closed with it. */
function connectTo(client: Client): Kysely<Tables> {
  const connection = { query: client.query.bind(client), release: () => {} };
  const pool = { options: {}, connect: async () => connection, end: async () => {} };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** The table in a database to which another one is being moved. */
export const unfinishedMove = 'unfinished_move';

async function rejectUnfinishedMove(client: Client): Promise<void> {
  const { rows } = await client.query(`select where to_regclass('${unfinishedMove}') is not null`);
  if (rows.length > 0) {
    throw new Error(
      'A move to this database was interrupted. Run "connector-auth-service move" again, with the DATA_DIR of the service.',
    );
  }
}

/** @throws Error with a message for the operator. */
export async function connect(client: Client): Promise<void> {
  // A lost connection rejects the running query. Without a listener, it would also terminate the process.
  client.on('error', () => {});
  await client.connect().catch((error: unknown) => {
    throw new Error(`Cannot connect to the database: ${reasonOf(error)}`, { cause: error });
  });
}

const minVersion = 17;

/** Returns what to tell the operator of a server that is too old, or null. */
export async function explainOldServer(
  database: Queryable,
): Promise<{ readonly message: string; readonly advice: string } | null> {
  const { rows } = await database.query(
    `select current_setting('server_version_num')::int / 10000 as version`,
  );
  // The statement returns one row.
  const [{ version }] = rows as [{ version: number }];
  if (version >= minVersion) return null;
  return {
    message: `PostgreSQL ${version} is too old.`,
    advice: `Upgrade the server to version ${minVersion} or later.`,
  };
}

/** Connection errors often have a code but no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}

const recordTable = `create table if not exists migrations (
  name text primary key,
  checksum text not null,
  applied_at timestamptz(3) not null default now()
)`;

interface MigrationRecord {
  name: string;
  checksum: string;
}

/** Runs a statement without parameters. */
export interface Queryable {
  query(text: string): Promise<{ rows: unknown[] }>;
}

/**
 * Returns the migrations that are not applied yet. Changes nothing.
 * @throws Error with a message for the operator, as {@link migrate} does.
 */
export async function pendingMigrations(
  database: Queryable,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  return missingFrom(migrations, await readRecords(database));
}

async function readRecords(database: Queryable): Promise<MigrationRecord[]> {
  const { rows: tables } = await database.query(
    `select to_regclass('migrations') is not null as "isPresent"`,
  );
  // The statement returns one row.
  const [table] = tables as { isPresent: boolean }[];
  if (!table?.isPresent) return [];
  const { rows } = await database.query('select name, checksum from migrations order by name');
  // The columns of the table.
  return rows as MigrationRecord[];
}

/** The checksums of earlier texts of migrations. This version works with what they did. */
const earlierChecksums: ReadonlySet<string> = new Set([
  // 0030 dropped a column that processes of an earlier version write.
  'b9cc15ee6406e4a050732de3ebdd87a7e2e3f9a80b81363eee60465fce75a06d',
]);

function missingFrom(
  migrations: readonly Migration[],
  records: readonly MigrationRecord[],
): readonly Migration[] {
  for (const [position, record] of records.entries()) {
    const migration = migrations[position];
    if (migration?.name !== record.name) {
      throw new Error(
        `The database contains migration ${record.name}, which is unknown to this version. Run the version that applied it, or a newer one.`,
      );
    }
    if (checksum(migration) !== record.checksum && !earlierChecksums.has(record.checksum)) {
      throw new Error(
        `Migration ${record.name} differs from the version applied to this database. Do not change released migrations; add a new one.`,
      );
    }
  }
  return migrations.slice(records.length);
}

/** Returns null if another process has the lock. */
async function tryLock(client: Client): Promise<true | null> {
  const { rows } = await client.query<{ isLocked: boolean }>(
    'select pg_try_advisory_lock($1) as "isLocked"',
    [schemaLock],
  );
  return rows[0]?.isLocked === true ? true : null;
}

async function apply(client: Client, migration: Migration): Promise<true> {
  await client.query('begin');
  try {
    await client.query(limitLockWait);
    await lockTables(client, migration);
    await client.query(migration.sql);
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [
      migration.name,
      checksum(migration),
    ]);
    await client.query('commit');
    return true;
  } catch (error) {
    // Fails only if the connection is lost, which has the same effect.
    await client.query('rollback').catch(() => {});
    throw new Error(`Migration ${migration.name} failed and was rolled back`, { cause: error });
  }
}

/**
 * Locks the tables that a migration names before it changes the first of them. If it locked one and then waited for another,
 * PostgreSQL could end a deadlock by an error in the transaction of an older process.
 */
async function lockTables(client: Client, migration: Migration): Promise<void> {
  const { rows } = await client.query<{ names: string | null }>(
    `select string_agg(oid::regclass::text, ', ' order by relname) as names from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname = any($1)`,
    [namesIn(migration)],
  );
  const names = rows[0]?.names ?? null;
  if (names !== null) await client.query(`lock table ${names} in access exclusive mode`);
}

/** Computes a checksum that ignores line endings, which git may change on checkout. */
function checksum(migration: Migration): string {
  return createHash('sha256').update(migration.sql.replaceAll('\r\n', '\n')).digest('hex');
}
