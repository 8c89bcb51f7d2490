import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { customerTokenLifetimeSeconds, stringifyJson } from '@connector-auth/api';
import { readKeyConfiguration } from '../platform/config/configuration.ts';
import { nearest } from '../platform/config/edit-distance.ts';
import {
  formatKeyRing,
  generatedAt,
  generateKey,
  keyFile,
  loadOrCreateKeyRing,
  replaceKeyRing,
  type KeyFile,
  type KeyRing,
} from '../platform/crypto/key-ring.ts';
import { createSealer } from '../platform/crypto/seal.ts';
import type { Database } from '../platform/database/database.ts';
import { silentLog } from '../platform/log/log.ts';
import { countValuesByKey } from '../shared/credentials/check-keys.ts';
import { reencryptOldValues } from '../shared/credentials/reencrypt.ts';
import { alignPairs, helpOf, parseArguments, programName, type Syntax } from './arguments.ts';
import { CommandError, exitCodes, UsageError, type CommandContext, type ExitCode } from './command.ts';
import { count } from './count.ts';
import { planOf } from './migrate.ts';
import { openStorage } from './open-storage.ts';
import { formatTable } from './table.ts';

const generateSyntax: Syntax = {
  command: 'keys generate',
  summary: 'Print a new id:key entry for ENCRYPTION_KEYS or SIGNING_KEYS',
  options: { id: { value: 'id', description: 'The id of the key. Default: the date and a random suffix' } },
};

const statusSyntax: Syntax = {
  command: 'keys status',
  summary: 'Show which keys are configured, which ones encrypt stored values, and which ones can be removed',
  options: { json: { value: null, description: 'Print JSON' } },
  notes: ['Needs only DATABASE_URL, ENCRYPTION_KEYS and SIGNING_KEYS, or DATA_DIR. Never prints a key.'],
};

const rotateSyntax: Syntax = {
  command: 'keys rotate',
  summary: 'Encrypt all stored values with the newest key now',
  options: { json: { value: null, description: 'Print JSON' } },
  notes: [
    'With ENCRYPTION_KEYS: run it when every process has the new key first in the list, then remove the old key.\n' +
      'With the key files in DATA_DIR: stop the service first. The command also generates new keys for encryption\n' +
      'and signing, and removes the old ones that are not needed any more.',
  ],
};

const commands = { generate: generateSyntax, status: statusSyntax, rotate: rotateSyntax } as const;

/** Runs `keys generate`, `keys status` or `keys rotate`. */
export async function runKeys(
  [name, ...args]: readonly string[],
  { environment, terminal, kinds }: CommandContext,
): Promise<ExitCode> {
  if (name === undefined || name === '--help' || name === '-h') {
    terminal.print(
      `Usage: ${programName} keys <command>\n\nCommands:\n${alignPairs(
        Object.entries(commands).map(([key, { summary }]) => [key, summary] as const),
      )}`,
    );
    return exitCodes.ok;
  }
  if (name !== 'generate' && name !== 'status' && name !== 'rotate') {
    const meant = nearest(name, Object.keys(commands));
    throw new UsageError(
      `Unknown command "keys ${name}". ${meant === null ? `Known: ${Object.keys(commands).join(', ')}` : `Did you mean "keys ${meant}"?`}`,
    );
  }
  const given = parseArguments(args, commands[name]);
  if (given === null) {
    terminal.print(helpOf(commands[name]));
    return exitCodes.ok;
  }
  if (name === 'generate') {
    terminal.print(formatKeyRing([newKey(given.get('id'))]));
    terminal.note('This key is shown only now. Store it in your secret manager.');
    return exitCodes.ok;
  }
  const configuration = readKeyConfiguration(environment);
  const { dataDir, databaseUrl } = configuration;
  // Opening the embedded database would create it.
  if (databaseUrl === null && !existsSync(join(dataDir, 'pglite'))) {
    throw new CommandError(`Error: DATA_DIR (${dataDir}) contains no database.`);
  }
  const database = await openStorage(configuration);
  try {
    const { migrations } = await planOf(database, kinds);
    if (migrations.length > 0) {
      throw new CommandError(
        'Error: the schema is not up to date. Run "connector-auth-service migrate" first.',
      );
    }
    const rings: Rings = {
      encryption: configuration.encryptionKeys ?? (await loadOrCreateKeyRing(dataDir, 'encryption')),
      signing: configuration.signingKeys ?? (await loadOrCreateKeyRing(dataDir, 'signing')),
    };
    let current = rings;
    let reEncrypted: number | null = null;
    if (name === 'rotate') {
      const inFiles = (['encryption', 'signing'] as const).filter(
        purpose => configuration[`${purpose}Keys`] === null,
      );
      ({ rings: current, reEncrypted } = await rotate(database, rings, { dataDir, inFiles }));
    }
    const status = statusOf(current, await countValuesByKey(database.kysely));
    if (given.has('json')) {
      terminal.print(
        stringifyJson(reEncrypted === null ? status : { re_encrypted: reEncrypted, ...status }, 2),
      );
      return exitCodes.ok;
    }
    if (reEncrypted !== null) {
      terminal.print(
        `Re-encrypted ${count(reEncrypted, 'value')} with the key ${current.encryption[0].id}.\n`,
      );
    }
    printStatus(status, terminal);
    return exitCodes.ok;
  } finally {
    await database.close();
  }
}

type Rings = Readonly<Record<KeyFile, KeyRing>>;

/**
 * Replaces the keys that are in files, and re-encrypts all values with the first encryption key. If it is
 * interrupted, the files contain all keys that are in use, and it can be repeated.
 */
async function rotate(
  { kysely }: Database,
  old: Rings,
  { dataDir, inFiles }: { readonly dataDir: string; readonly inFiles: readonly KeyFile[] },
): Promise<{ rings: Rings; reEncrypted: number }> {
  let { encryption, signing } = old;
  if (inFiles.includes('encryption')) {
    encryption = [generateKey(new Date()), ...encryption];
    await replaceKeyRing(dataDir, 'encryption', encryption);
  }
  const isOld = (id: string) => id !== encryption[0].id;
  const oldValues = async () =>
    [...(await countValuesByKey(kysely))].reduce((sum, [id, values]) => sum + (isOld(id) ? values : 0), 0);
  const before = await oldValues();
  const sealer = createSealer(encryption);
  await reencryptOldValues(kysely, sealer, silentLog, new AbortController().signal);
  const reEncrypted = before - (await oldValues());
  if (inFiles.includes('encryption')) {
    const [active, ...others] = encryption;
    const used = await countValuesByKey(kysely);
    encryption = [active, ...others.filter(({ id }) => used.has(id))];
    await replaceKeyRing(dataDir, 'encryption', encryption);
  }
  if (inFiles.includes('signing')) {
    const [previous, ...older] = signing;
    // Tokens, cursors and idempotency keys from before the last rotation have expired after a day.
    const { mtimeMs } = await stat(keyFile(dataDir, 'signing'));
    const isRecent = Date.now() - mtimeMs < oneDayMs;
    signing = [generateKey(new Date()), previous, ...(isRecent ? older : [])];
    await replaceKeyRing(dataDir, 'signing', signing);
  }
  return { rings: { encryption, signing }, reEncrypted };
}

const oneDayMs = 86_400_000;

function newKey(id: string | undefined) {
  try {
    return generateKey(new Date(), id);
  } catch (error) {
    throw new UsageError(`--id: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface KeyStatus {
  readonly id: string;
  readonly state: 'active' | 'old' | 'missing';
  readonly generated: string | null;
  /** The number of stored values that the key encrypts. Null for signing keys, whose use is not stored. */
  readonly values: number | null;
  readonly advice: string;
}

/** Which keys are configured and in use. */
interface Status {
  readonly encryption: readonly KeyStatus[];
  readonly signing: readonly KeyStatus[];
}

/** Returns which configured keys are in use, and which missing keys would be needed. */
export function statusOf({ encryption, signing }: Rings, used: ReadonlyMap<string, number>): Status {
  const missing = [...used.keys()].filter(id => encryption.every(key => key.id !== id));
  return {
    encryption: [
      ...encryption.map((key, index): KeyStatus => {
        const values = used.get(key.id) ?? 0;
        const state = index === 0 ? 'active' : 'old';
        return { id: key.id, state, generated: dateOf(key), values, advice: adviceFor(state, values) };
      }),
      ...missing.map((id): KeyStatus => ({
        id,
        state: 'missing',
        generated: dateOf({ id }),
        values: used.get(id) ?? 0,
        advice: 'The service does not start without it: add it at the end of ENCRYPTION_KEYS',
      })),
    ],
    signing: signing.map((key, index): KeyStatus => ({
      id: key.id,
      state: index === 0 ? 'active' : 'old',
      generated: dateOf(key),
      values: null,
      advice:
        index === 0
          ? 'Keep'
          : `Remove it ${customerTokenLifetimeSeconds / 60} minutes after the last process started with the active key first; a day later if search cursors must stay valid`,
    })),
  };
}

function adviceFor(state: 'active' | 'old', values: number): string {
  if (state === 'active') return 'Keep';
  return values === 0
    ? 'Remove it once every process has the active key first'
    : `Keep until "${programName} keys rotate" has re-encrypted its values`;
}

function dateOf(key: { readonly id: string }): string | null {
  const time = generatedAt(key);
  return time === null ? null : new Date(time).toISOString().slice(0, 10);
}

function printStatus({ encryption, signing }: Status, terminal: CommandContext['terminal']): void {
  const rows = [
    ...encryption.map(key => ['encryption', key] as const),
    ...signing.map(key => ['signing', key] as const),
  ].map(([purpose, { id, state, generated, values }]) => [
    purpose,
    id,
    state,
    generated ?? 'unknown',
    values === null ? '' : String(values),
  ]);
  terminal.print(formatTable(['purpose', 'id', 'state', 'generated', 'values'], rows, terminal.columns));
  terminal.print('');
  for (const { id, state, advice } of [...encryption, ...signing]) {
    if (state !== 'active') terminal.print(`${id}: ${advice}.`);
  }
  if (encryption.length === 1 && signing.length === 1) {
    terminal.print('To rotate a key, see "Rotate a key" in docs/operating.md.');
  }
}
