import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Secret } from './secret.ts';

/** A 256-bit key, and the id that stored data uses to refer to it. */
export interface Key {
  readonly id: string;
  readonly secret: Secret<Buffer>;
}

/** The keys for one purpose. The first key encrypts or signs; all keys decrypt or verify. */
export type KeyRing = readonly [Key, ...Key[]];

/**
 * Parses `id:base64,id:base64` with 32 bytes per key. Returns the keys, or an error message that contains no
 * key material.
 */
export function parseKeyRing(text: string): KeyRing | { error: string } {
  const [first, ...others] = text
    .trim()
    .split(',')
    .map((entry, index) => parseKey(entry.trim(), index));
  const entries = first === undefined ? [] : [first, ...others];
  const error = entries.find(entry => typeof entry === 'string');
  if (error !== undefined) return { error };
  // None of the entries is an error message here, and `split` returns at least one entry.
  const keys = entries as unknown as KeyRing;
  const ids = keys.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) return { error: `the key id ${twice} is used twice` };
  const copy = keys.find(({ secret }, index) =>
    keys.slice(0, index).some(other => other.secret.reveal().equals(secret.reveal())),
  );
  return copy === undefined ? keys : { error: `the key ${copy.id} is the same as an earlier one` };
}

/** The purpose of a key file in the data folder. */
export type KeyFile = 'encryption' | 'signing';

/** Returns the path of a key file. */
export function keyFile(dataDir: string, name: KeyFile): string {
  return resolve(dataDir, `${name}.keys`);
}

/** Reads a key file from the data folder. Creates the file with mode 0600 if it does not exist. */
export async function loadOrCreateKeyRing(dataDir: string, name: KeyFile): Promise<KeyRing> {
  const file = keyFile(dataDir, name);
  const text = (await readIfPresent(file)) ?? (await create(file, dataDir));
  const keys = parseKeyRing(text);
  if ('error' in keys)
    throw new Error(`The key file ${file} is invalid: ${keys.error}. Restore it from a backup.`);
  return keys;
}

/**
 * Returns a new random key. Its default id starts with the date, so that an operator can see its age.
 * @throws Error if the id is not valid.
 */
export function generateKey(now: Date, id = defaultId(now)): Key {
  if (!keyId.test(id)) throw new Error('The id must have 1 to 32 letters, digits, ".", "_" or "-"');
  return { id, secret: new Secret(randomBytes(keyBytes)) };
}

function defaultId(now: Date): string {
  return `${now.toISOString().slice(0, 10).replaceAll('-', '')}-${randomBytes(2).toString('hex')}`;
}

/** Returns the day on which a key was generated, in milliseconds since 1970, if its id contains it. */
export function generatedAt({ id }: Pick<Key, 'id'>): number | null {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)-/.exec(id) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(time) ? null : time;
}

/** Formats keys as {@link parseKeyRing} reads them. The text contains the secrets. */
export function formatKeyRing(keys: readonly Key[]): string {
  return keys.map(({ id, secret }) => `${id}:${secret.reveal().toString('base64')}`).join(',');
}

/** Replaces a key file in the data folder, so that a crash leaves either the old file or the new one. */
export async function replaceKeyRing(dataDir: string, name: KeyFile, keys: KeyRing): Promise<void> {
  const file = keyFile(dataDir, name);
  const { mode } = await stat(file);
  const draft = await writeDraft(file, formatKeyRing(keys), mode & 0o777);
  await rename(draft, file);
  await syncFolder(dataDir);
}

/** Makes a rename in the folder durable. Windows cannot open a folder. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const keyBytes = 32;
const keyId = /^[A-Za-z0-9._-]{1,32}$/;
const base64 = /^[A-Za-z0-9+/]{43}=$/;

function parseKey(entry: string, index: number): Key | string {
  const separator = entry.indexOf(':');
  const id = entry.slice(0, Math.max(separator, 0));
  const encoded = entry.slice(separator + 1);
  const position = `key ${index + 1}`;
  if (!keyId.test(id)) {
    return `${position} needs an id before a colon (1 to 32 letters, digits, ".", "_" or "-")`;
  }
  if (!base64.test(encoded)) return `${position} (${id}) is not 32 bytes in base64`;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.every(byte => byte === 0)) return `${position} (${id}) consists of zeros only`;
  return { id, secret: new Secret(bytes) };
}

/**
 * Creates a key file. Throws if the folder already contains a database, because a new key could not decrypt
 * its data.
 */
async function create(file: string, dataDir: string): Promise<string> {
  if (await isPresent(join(dataDir, 'pglite'))) {
    throw new Error(
      `${dataDir} contains a database, but its key file ${file} is missing. Restore it from a backup.`,
    );
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = await writeDraft(file, formatKeyRing([generateKey(new Date())]), 0o600);
  try {
    // Unlike a rename, a link never replaces a file that another process created first.
    await link(draft, file);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft);
  }
  return await readFile(file, 'utf8');
}

/** Writes text to a new file beside a key file, and returns its path. */
async function writeDraft(file: string, text: string, mode: number): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', mode);
  try {
    await handle.writeFile(`${text}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return draft;
}

async function readIfPresent(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function isPresent(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
