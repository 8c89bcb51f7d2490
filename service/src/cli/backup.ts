import { constants, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { sql, type Kysely } from 'kysely';
import {
  readKeyConfiguration,
  readStorageConfiguration,
  type StorageConfiguration,
} from '../platform/config/configuration.ts';
import { createSealer } from '../platform/crypto/seal.ts';
import { forbiddenModes, secureFolder } from '../platform/database/data-folder.ts';
import type { Database } from '../platform/database/database.ts';
import { lockFolder } from '../platform/database/folder-lock.ts';
import { whilePaused } from '../platform/database/pause.ts';
import type { Tables } from '../platform/database/tables.ts';
import { silentLog } from '../platform/log/log.ts';
import { checkEncryptionKeys, countValuesByKey } from '../shared/credentials/check-keys.ts';
import { endEpoch } from '../shared/repositories/record-changes.ts';
import { helpOf, parseArguments, programName, type Syntax } from './arguments.ts';
import { CommandError, exitCodes, type CommandContext, type ExitCode } from './command.ts';
import { count } from './count.ts';
import { readRings } from './doctor/check-keys.ts';
import { planOf } from './migrate.ts';
import { openStorage } from './open-storage.ts';

const backupSyntax: Syntax = {
  command: 'backup',
  summary: 'Copy the embedded database to a new folder, also while the service runs',
  options: { to: { value: 'folder', description: 'The folder to create', isRequired: true } },
  notes: [
    'Needs only DATA_DIR and DATA_DIR_ACCESS. Requests to a running service wait while the files that have just changed are copied.\n' +
      'The copy gets its name after it was opened, so a folder that exists is a complete backup. It contains no keys.',
  ],
};

const restoreSyntax: Syntax = {
  command: 'restore',
  summary: 'Copy a backup of the embedded database to DATA_DIR, if the keys decrypt it',
  options: { from: { value: 'folder', description: 'A folder that "backup" has created', isRequired: true } },
  notes: [
    'Stop the service, and move the database in DATA_DIR away. Provide the keys from the time of the backup: ENCRYPTION_KEYS and\n' +
      'SIGNING_KEYS, or the files encryption.keys and signing.keys in DATA_DIR. If one is missing or wrong, nothing is restored.',
  ],
};

/** Runs `backup`. */
export async function runBackup(
  args: readonly string[],
  { environment, terminal }: CommandContext,
): Promise<ExitCode> {
  const given = parseArguments(args, backupSyntax);
  if (given === null) {
    terminal.print(helpOf(backupSyntax));
    return exitCodes.ok;
  }
  const storage = requireEmbedded(readStorageConfiguration(environment));
  const { dataDir } = storage;
  if (!existsSync(filesIn(dataDir))) throw new CommandError(`DATA_DIR (${dataDir}) contains no database.`);
  const target = resolve(given.get('to') ?? '');
  if (existsSync(target)) throw new CommandError(`${target} exists. Choose the name of a new folder.`);
  process.umask(forbiddenModes[storage.dataDirAccess]);
  await withDraft(`${target}.draft`, async draft => {
    // Most files do not change meanwhile, so requests wait only until the others were copied again.
    const beganAt = await timeOf(dataDir);
    copyFiles(dataDir, draft);
    const pausedMs = await whilePaused(dataDir, () => {
      const startedAt = performance.now();
      copyFiles(dataDir, draft, beganAt - clockMarginMs);
      return performance.now() - startedAt;
    });
    const { contents, keys } = await withDatabase({ ...storage, dataDir: draft }, async ({ kysely }) => ({
      contents: await describeContents(kysely),
      keys: [...(await countValuesByKey(kysely)).keys()],
    }));
    await rm(join(draft, 'lock'));
    await rename(draft, target);
    terminal.print(`Backed up ${contents} to ${target}. Requests waited for ${Math.ceil(pausedMs)} ms.`);
    const needed = keys.length === 0 ? '' : ` Its values are encrypted with ${keys.join(', ')}.`;
    terminal.note(`The backup contains no keys.${needed} Keep the keys in another place.`);
  });
  return exitCodes.ok;
}

/** Runs `restore`. */
export async function runRestore(
  args: readonly string[],
  { environment, terminal, kinds }: CommandContext,
): Promise<ExitCode> {
  const given = parseArguments(args, restoreSyntax);
  if (given === null) {
    terminal.print(helpOf(restoreSyntax));
    return exitCodes.ok;
  }
  const storage = requireEmbedded(readKeyConfiguration(environment));
  const { dataDir, dataDirAccess } = storage;
  const source = resolve(given.get('from') ?? '');
  if (!existsSync(filesIn(source))) throw new CommandError(`${source} contains no backup.`);
  const { encryption, signing } = await readRings(storage);
  if (encryption === null || signing === null) {
    throw new CommandError(
      `Put the key files encryption.keys and signing.keys from the time of the backup into DATA_DIR (${dataDir}), or set ENCRYPTION_KEYS and SIGNING_KEYS.`,
    );
  }
  process.umask(forbiddenModes[dataDirAccess]);
  await secureFolder(dataDir, dataDirAccess, silentLog);
  const lock = await lockFolder(dataDir);
  try {
    if (existsSync(filesIn(dataDir))) {
      throw new CommandError(
        `DATA_DIR (${dataDir}) contains a database. Move ${filesIn(dataDir)} away first.`,
      );
    }
    await withDraft(join(dataDir, 'restore.draft'), async draft => {
      copyFiles(source, draft);
      const contents = await withDatabase({ ...storage, dataDir: draft }, async database => {
        await checkEncryptionKeys(database.kysely, createSealer(encryption));
        const { migrations } = await planOf(database, kinds);
        // Cursors from after the backup could fit the restored database. An older schema may have no change feed.
        if (migrations.length === 0) await endEpoch(database.kysely);
        return await describeContents(database.kysely);
      });
      await rename(filesIn(draft), filesIn(dataDir));
      terminal.print(`Restored ${contents} to ${resolve(dataDir)}.`);
    });
  } finally {
    lock.release();
  }
  terminal.note(
    `Before the service starts, run "${programName} migrate", then "${programName} doctor after-restore" with its log since the backup.`,
  );
  return exitCodes.ok;
}

function requireEmbedded<Storage extends StorageConfiguration>(storage: Storage): Storage {
  if (storage.databaseUrl === null) return storage;
  throw new CommandError(
    'DATABASE_URL is set. docs/operating/back-up-and-restore.md has the commands for a PostgreSQL server.',
  );
}

function filesIn(dataDir: string): string {
  return join(dataDir, 'pglite');
}

/** Calls `fill` with an empty folder, which is removed unless it was renamed. */
async function withDraft(draft: string, fill: (draft: string) => Promise<void>): Promise<void> {
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  try {
    await fill(draft);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Exceeds the precision of the times of files. */
const clockMarginMs = 2_000;

/** Returns the time of the clock that the file system of a folder uses for its files. */
async function timeOf(folder: string): Promise<number> {
  const file = join(folder, 'backup.began');
  await writeFile(file, '');
  try {
    return (await stat(file)).mtimeMs;
  } finally {
    await rm(file);
  }
}

/**
 * Makes the files of one database those of the other.
 * @param changedSince copies only files that are missing or have changed since then. A file that is renamed counts as changed.
 */
function copyFiles(from: string, to: string, changedSince = -Infinity): void {
  const [source, target] = [filesIn(from), filesIn(to)];
  const list = (folder: string) => readdirSync(folder, { recursive: true, withFileTypes: true });
  mkdirSync(target, { recursive: true });
  const present = new Set<string>();
  for (const entry of list(source)) {
    const path = join(entry.parentPath, entry.name);
    const copy = join(target, relative(source, path));
    present.add(copy);
    if (entry.isDirectory()) {
      mkdirSync(copy, { recursive: true });
      continue;
    }
    // A running service may have deleted it. Then the second copy does not have it either.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) continue;
    if (Math.max(found.mtimeMs, found.ctimeMs) < changedSince && existsSync(copy)) continue;
    try {
      // Some file systems share the blocks of both files until one changes. The others copy them.
      copyFileSync(path, copy, constants.COPYFILE_FICLONE);
    } catch (error) {
      if (existsSync(path)) throw error;
    }
  }
  for (const entry of list(target)) {
    const copy = join(entry.parentPath, entry.name);
    if (!present.has(copy)) rmSync(copy, { recursive: true, force: true });
  }
}

/** Opens a copied database, which recovers it as after a crash, and closes it. */
async function withDatabase<T>(
  storage: StorageConfiguration,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openStorage(storage);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function describeContents(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ organizations: number; connectors: number }>`
    select (select count(*) from organizations) as organizations, (select count(*) from connectors) as connectors`.execute(
    db,
  );
  const { organizations = 0, connectors = 0 } = rows[0] ?? {};
  return `${count(organizations, 'organization')} with ${count(connectors, 'connector')}`;
}
