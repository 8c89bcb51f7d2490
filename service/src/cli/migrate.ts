import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stringifyJson } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import { CompiledQuery, sql } from 'kysely';
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
import { effectsOf, type Migration } from '../platform/database/migration-effects.ts';
import { silentLog } from '../platform/log/log.ts';
import { buildMissingIndexes } from '../shared/records/build-indexes.ts';
import { dropUnusedColumns, readRecordTables } from '../shared/records/changed-types.ts';
import { ensureRecordTables, pendingRecordChanges, type RecordChange } from '../shared/records/ensure.ts';
import { RecordTables } from '../shared/records/record-table.ts';
import { helpOf, parseArguments, type Syntax } from './arguments.ts';
import { exitCodes, type CommandContext, type ExitCode } from './command.ts';
import { openStorage } from './open-storage.ts';
import type { Terminal } from './terminal.ts';

const syntax: Syntax = {
  command: 'migrate',
  summary: 'Apply pending changes of the database schema: migrations and record tables',
  options: {
    plan: {
      value: null,
      description:
        'Show the pending changes, and which requests and versions they stop, without applying them',
    },
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

/** What a pending change does to the tables that exist. */
interface Change {
  readonly name: string;
  /** What a migration is for. */
  readonly title: string | null;
  /** The tables that requests wait for until the change has ended. */
  readonly locks: readonly TableSize[];
  /** The tables of which all rows are read or written. */
  readonly scans: readonly TableSize[];
}

interface TableSize {
  readonly table: string;
  readonly size: string;
}

interface DetailedPlan extends Plan {
  readonly changes: readonly Change[];
  /** The statements that take away what processes of an earlier version use, each with its migration. */
  readonly breaking: readonly string[];
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
  const { changes, breaking, ...plan } = await readPlan(storage, kinds);
  const isPlan = given.has('plan');
  if (!isPlan && changes.length > 0) {
    if (storage.databaseUrl === null) await createKeyFiles(readKeyConfiguration(environment));
    await apply(storage, kinds);
  }
  if (given.has('json')) {
    const details = isPlan ? { changes, breaking } : {};
    terminal.print(stringifyJson({ ...plan, applied: !isPlan, ...details }, 2));
    return exitCodes.ok;
  }
  if (changes.length === 0) terminal.print('The database is up to date.');
  else if (isPlan) explainPlan({ ...plan, changes, breaking }, terminal);
  else for (const { name } of changes) terminal.print(`applied: ${name}`);
  return exitCodes.ok;
}

function explainPlan({ migrations, changes, breaking }: DetailedPlan, terminal: Terminal): void {
  for (const { name, title, locks, scans } of changes) {
    terminal.print(`pending: ${name}`);
    if (title !== null) terminal.print(`  ${title}`);
    if (scans.length > 0 && locks.length === 0) {
      terminal.print(`  Reads ${inWords(scans)}. Requests continue meanwhile.`);
    } else if (scans.length > 0) {
      terminal.print(
        `  Reads or rewrites ${inWords(scans)}. Requests that use ${inWords(locks)} wait meanwhile.`,
      );
    } else if (locks.length > 0) {
      terminal.print(`  Requests that use ${inWords(locks)} wait for a moment.`);
    }
  }
  const waiting = changes.filter(({ locks }) => locks.length > 0).flatMap(({ scans }) => scans);
  const blocking = [...new Map(waiting.map(scan => [scan.table, scan])).values()];
  const isNew = migrations.some(name => name.startsWith('migration 0001_'));
  terminal.print('');
  terminal.print(
    blocking.length === 0
      ? 'Nothing blocks requests: no table is locked while its rows are read or written.'
      : `Requests wait while these tables are read or rewritten, each in a transaction of its own: ${inWords(blocking)}.`,
  );
  if (breaking.length > 0) {
    terminal.print(
      `Stop all processes of earlier versions first, because they use what these statements take away:`,
    );
    for (const statement of breaking) terminal.print(`  ${statement}`);
  } else if (migrations.length > 0 && !isNew) {
    terminal.print(
      'Running processes of the earlier version can continue beside this one: no statement takes away what they use. Once a migration ' +
        'is applied, none of them can start again. The changelog says what differs while both run.',
    );
  }
  terminal.note('Apply these changes with "connector-auth-service migrate".');
}

function inWords(tables: readonly TableSize[]): string {
  return new Intl.ListFormat('en').format(tables.map(({ table, size }) => `${table} (${size})`));
}

async function readPlan(storage: StorageConfiguration, kinds: readonly Kind[]): Promise<DetailedPlan> {
  // Opening the embedded database would create it.
  if (await isMissing(storage)) return await planWithoutDatabase(kinds);
  const database = await openStorage(storage);
  try {
    return await detailedPlanOf(database, kinds);
  } finally {
    await database.close();
  }
}

/** Returns the pending changes of a database. Changes nothing. */
export async function planOf(database: Database, kinds: readonly Kind[]): Promise<Plan> {
  return planWith(await readPending(database, kinds));
}

interface Pending {
  readonly migrations: readonly Migration[];
  readonly records: readonly RecordChange[];
}

function planWith({ migrations, records }: Pending): Plan {
  return { migrations: migrations.map(nameOf), records: records.map(({ name }) => name) };
}

function nameOf({ name }: Migration): string {
  return `migration ${name}`;
}

async function readPending({ kysely }: Database, kinds: readonly Kind[]): Promise<Pending> {
  const query = (text: string) => kysely.executeQuery(CompiledQuery.raw(text));
  const migrations = await pendingMigrations({ query }, await readMigrations());
  const tables = await readRecordTables(kysely, kinds);
  return { migrations, records: await pendingRecordChanges(kysely, tables) };
}

async function detailedPlanOf(database: Database, kinds: readonly Kind[]): Promise<DetailedPlan> {
  const pending = await readPending(database, kinds);
  const { rows } = await sql<TableSize>`
    select relname as table, pg_size_pretty(pg_total_relation_size(oid)) as size from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'`.execute(database.kysely);
  const tables = new Map(rows.map(row => [row.table, row]));
  const sizesOf = (names: readonly (string | null)[]): TableSize[] =>
    names.flatMap(name => tables.get(name ?? '') ?? []);
  const all = await readMigrations();
  const migrations = pending.migrations.map(migration => {
    const { title, locks, scans, breaking } = effectsOf(migration, new Set(tables.keys()), all);
    const change = { name: nameOf(migration), title, locks: sizesOf(locks), scans: sizesOf(scans) };
    return { change, breaking: breaking.map(statement => `${migration.name}: ${statement}`) };
  });
  // The index of a table with records is built while requests continue.
  const records = pending.records.map(({ name, locks, index }) => ({
    name,
    title: null,
    locks: index === null ? sizesOf([locks]) : [],
    scans: index === null ? [] : sizesOf([locks]),
  }));
  return {
    ...planWith(pending),
    changes: [...migrations.map(({ change }) => change), ...records],
    // No process runs on a database without tables.
    breaking: tables.size === 0 ? [] : migrations.flatMap(({ breaking }) => breaking),
  };
}

async function planWithoutDatabase(kinds: readonly Kind[]): Promise<DetailedPlan> {
  const migrations = await readMigrations();
  const records = new RecordTables(kinds).all.flatMap(({ name, indexes }) => [
    `table ${name}`,
    ...indexes.map(index => `index ${index.name}`),
  ]);
  const change = (name: string, title: string | null) => ({ name, title, locks: [], scans: [] });
  return {
    migrations: migrations.map(nameOf),
    records,
    changes: [
      ...migrations.map(one => change(nameOf(one), effectsOf(one, new Set(), migrations).title)),
      ...records.map(name => change(name, null)),
    ],
    breaking: [],
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
