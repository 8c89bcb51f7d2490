import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stringifyJson } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import { CompiledQuery } from 'kysely';
import {
  readKeyConfiguration,
  readStorageConfiguration,
  type KeyConfiguration,
  type StorageConfiguration,
} from '../platform/config/configuration.ts';
import { ConfigurationError } from '../platform/config/environment.ts';
import { loadOrCreateKeyRing } from '../platform/crypto/key-ring.ts';
import type { Database } from '../platform/database/database.ts';
import { pendingMigrations, readMigrations } from '../platform/database/migrate.ts';
import { silentLog } from '../platform/log/log.ts';
import { buildMissingIndexes } from '../shared/records/build-indexes.ts';
import { dropUnusedColumns, readRecordTables } from '../shared/records/changed-types.ts';
import { ensureRecordTables, pendingRecordChanges } from '../shared/records/ensure.ts';
import { RecordTables } from '../shared/records/record-table.ts';
import { helpOf, parseArguments, type Syntax } from './arguments.ts';
import { exitCodes, type CommandContext, type ExitCode } from './command.ts';
import { openStorage } from './open-storage.ts';

const syntax: Syntax = {
  command: 'migrate',
  summary: 'Apply pending changes of the database schema: migrations and record tables',
  options: {
    plan: { value: null, description: 'Show the pending changes without applying them' },
    json: { value: null, description: 'Print JSON' },
  },
  notes: [
    'Needs only DATABASE_URL, or DATA_DIR and DATA_DIR_ACCESS, and KINDS. Run it as the role that owns the tables. Afterwards, a\n' +
      'role without the right to change the schema can run the service.',
  ],
};

/** The changes of the schema that are pending, by name. */
interface Plan {
  readonly migrations: readonly string[];
  readonly records: readonly string[];
}

/** Runs `migrate`. */
export async function runMigrate(
  args: readonly string[],
  { environment, terminal, kinds, kindProblems = [] }: CommandContext,
): Promise<ExitCode> {
  const given = parseArguments(args, syntax);
  if (given === null) {
    terminal.print(helpOf(syntax));
    return exitCodes.ok;
  }
  const storage = readStorageConfiguration(environment);
  if (kindProblems.length > 0) throw new ConfigurationError(kindProblems);
  const plan = await readPlan(storage, kinds);
  const changes = [...plan.migrations, ...plan.records];
  const isPlan = given.has('plan');
  if (!isPlan && changes.length > 0) {
    if (storage.databaseUrl === null) await createKeyFiles(readKeyConfiguration(environment));
    await apply(storage, kinds);
  }
  if (given.has('json')) {
    terminal.print(stringifyJson({ ...plan, applied: !isPlan }, 2));
    return exitCodes.ok;
  }
  for (const change of changes) terminal.print(`${isPlan ? 'pending' : 'applied'}: ${change}`);
  if (changes.length === 0) terminal.print('The database is up to date.');
  else if (isPlan) terminal.note('Apply these changes with "connector-auth-service migrate".');
  return exitCodes.ok;
}

async function readPlan(storage: StorageConfiguration, kinds: readonly Kind[]): Promise<Plan> {
  // Opening the embedded database would create it.
  if (await isMissing(storage)) return await planWithoutDatabase(kinds);
  const database = await openStorage(storage);
  try {
    return await planOf(database, kinds);
  } finally {
    await database.close();
  }
}

/** Returns the pending changes of a database. Changes nothing. */
export async function planOf({ kysely }: Database, kinds: readonly Kind[]): Promise<Plan> {
  const query = (text: string) => kysely.executeQuery(CompiledQuery.raw(text));
  const migrations = await pendingMigrations({ query }, await readMigrations());
  const tables = await readRecordTables(kysely, kinds);
  return {
    migrations: migrations.map(({ name }) => `migration ${name}`),
    records: (await pendingRecordChanges(kysely, tables)).map(({ name }) => name),
  };
}

async function planWithoutDatabase(kinds: readonly Kind[]): Promise<Plan> {
  return {
    migrations: (await readMigrations()).map(({ name }) => `migration ${name}`),
    records: new RecordTables(kinds).all.flatMap(({ name, indexes }) => [
      `table ${name}`,
      ...indexes.map(index => `index ${index.name}`),
    ]),
  };
}

async function isMissing({ databaseUrl, dataDir }: StorageConfiguration): Promise<boolean> {
  if (databaseUrl !== null) return false;
  return await stat(join(dataDir, 'pglite')).then(
    () => false,
    () => true,
  );
}

/** Creates the key files before a new database, because the service rejects a database without them. */
async function createKeyFiles(configuration: StorageConfiguration & KeyConfiguration): Promise<void> {
  const { dataDir, encryptionKeys, signingKeys } = configuration;
  if (encryptionKeys === null) await loadOrCreateKeyRing(dataDir, 'encryption');
  if (signingKeys === null) await loadOrCreateKeyRing(dataDir, 'signing');
}

async function apply(storage: StorageConfiguration, kinds: readonly Kind[]): Promise<void> {
  const database = await openStorage(storage, { appliesMigrations: true });
  try {
    await dropUnusedColumns(database.kysely);
    const tables = await readRecordTables(database.kysely, kinds);
    await ensureRecordTables(database.kysely, tables);
    const databaseUrl = storage.directDatabaseUrl?.reveal() ?? null;
    const context = { database, databaseUrl, tables, log: silentLog };
    // A service that runs with the same declarations may be building them.
    while ((await buildMissingIndexes(context, new AbortController().signal)) > 0) await delay(1_000);
  } finally {
    await database.close();
  }
}
