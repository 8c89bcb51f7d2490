import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { Client, type ClientConfig } from 'pg';
import type { Log } from '../log/log.ts';

/** One step of the schema: an SQL file, applied once, in the order of the names. */
export interface Migration {
  /** The file's name without `.sql`, e.g. `0001_tenants_and_connectors`. */
  readonly name: string;
  readonly sql: string;
}

/** The migrations this build ships, in order. */
export async function readMigrations(
  folder = new URL('./migrations/', import.meta.url),
): Promise<Migration[]> {
  const files = (await readdir(folder)).filter(file => file.endsWith('.sql')).sort();
  return await Promise.all(
    files.map(async file => ({
      name: file.slice(0, -'.sql'.length),
      sql: await readFile(new URL(file, folder), 'utf8'),
    })),
  );
}

/**
 * Brings a database to the schema of `migrations`: forward only, each in a transaction of its own together with its record.
 * Several processes may start at once; they take turns.
 * @throws Error in words for the operator when the database has a migration that this build does not know (it was used by a
 *   newer one), or one whose text is another than when it was applied.
 */
export async function migrate(
  server: ClientConfig,
  migrations: readonly Migration[],
  log: Log,
): Promise<void> {
  const client = new Client(server);
  // A connection that breaks rejects the query in progress; without a listener it would also end the process.
  client.on('error', () => {});
  await client.connect().catch((error: unknown) => {
    throw new Error(`The database cannot be reached (${reasonOf(error)})`, { cause: error });
  });
  try {
    await client.query('select pg_advisory_lock($1)', [schemaLock]);
    await client.query(recordTable);
    for (const migration of pending(migrations, await readRecords(client))) {
      await apply(client, migration);
      log.info('migration_applied', { name: migration.name });
    }
  } finally {
    // Ends the session, and the lock with it.
    await client.end();
  }
}

/** A failed connection often has a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}

/** Advisory lock of whoever changes the schema. Any number will do, as long as it stays this one. */
export const schemaLock = 4_019_283_746;

const recordTable = `create table if not exists migrations (
  name text primary key,
  checksum text not null,
  applied_at timestamptz(3) not null default now()
)`;

interface MigrationRecord {
  name: string;
  checksum: string;
}

async function readRecords(client: Client): Promise<MigrationRecord[]> {
  const { rows } = await client.query<MigrationRecord>('select name, checksum from migrations order by name');
  return rows;
}

function pending(
  migrations: readonly Migration[],
  records: readonly MigrationRecord[],
): readonly Migration[] {
  for (const [position, record] of records.entries()) {
    const migration = migrations[position];
    if (migration?.name !== record.name) {
      throw new Error(
        `The database has the migration ${record.name}, which this build does not know. Start the build that made it, or a newer one.`,
      );
    }
    if (checksum(migration) !== record.checksum) {
      throw new Error(
        `The migration ${record.name} is not the text that was applied to this database. A migration that was released must not change; add another.`,
      );
    }
  }
  return migrations.slice(records.length);
}

async function apply(client: Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [
      migration.name,
      checksum(migration),
    ]);
    await client.query('commit');
  } catch (error) {
    throw new Error(`The migration ${migration.name} failed; nothing of it was kept`, { cause: error });
  }
}

/** Line endings do not count: git may change them on checkout. */
function checksum(migration: Migration): string {
  return createHash('sha256').update(migration.sql.replaceAll('\r\n', '\n')).digest('hex');
}
