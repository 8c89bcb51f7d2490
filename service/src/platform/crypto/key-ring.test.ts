import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from '../../../test/engines.ts';
import { loadOrCreateKeyRing } from './key-ring.ts';
import { Secret } from './secret.ts';

let folder: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ folder, remove } = await makeFolder());
});
afterEach(() => remove());

test('creates a key file that only its owner can read, and reuses it later', async () => {
  const dataDir = join(folder, 'not', 'there', 'yet');
  const [made, ...others] = await loadOrCreateKeyRing(dataDir, 'encryption');
  expect(others).toEqual([]);
  expect(made.secret.reveal()).toHaveLength(32);
  expect((await stat(join(dataDir, 'encryption.keys'))).mode & 0o777).toBe(0o600);
  const [read] = await loadOrCreateKeyRing(dataDir, 'encryption');
  expect(read.id).toBe(made.id);
  expect(read.secret.reveal()).toEqual(made.secret.reveal());
});

test('creates different keys for encryption and signing', async () => {
  const [encryption] = await loadOrCreateKeyRing(folder, 'encryption');
  const [signing] = await loadOrCreateKeyRing(folder, 'signing');
  expect(encryption.secret.reveal()).not.toEqual(signing.secret.reveal());
});

test('returns the same key to all concurrent callers when the file is missing', async () => {
  const rings = await Promise.all(Array.from({ length: 8 }, () => loadOrCreateKeyRing(folder, 'signing')));
  expect(new Set(rings.map(([key]) => key.id)).size).toBe(1);
});

test('rejects a data folder that has a database but no key file', async () => {
  await mkdir(join(folder, 'pglite'));
  await expect(loadOrCreateKeyRing(folder, 'encryption')).rejects.toThrow(
    /its key file .*encryption\.keys is missing/,
  );
});

test('rejects an invalid key file without revealing its content', async () => {
  const file = join(folder, 'encryption.keys');
  await writeFile(file, 'k1:c29tZXRoaW5n');
  const error = await loadOrCreateKeyRing(folder, 'encryption').catch((thrown: unknown) => thrown);
  expect(String(error)).toContain(`${file} is invalid: key 1 (k1) is not 32 bytes in base64`);
  expect(inspect(error)).not.toContain('c29tZXRoaW5n');
});

test('does not change a key file that the operator wrote', async () => {
  const file = join(folder, 'encryption.keys');
  const text = `new:${Buffer.alloc(32, 2).toString('base64')},\n old:${Buffer.alloc(32, 1).toString('base64')}\n`;
  await writeFile(file, text);
  await chmod(file, 0o400);
  const ring = await loadOrCreateKeyRing(folder, 'encryption');
  expect(ring.map(({ id }) => id)).toEqual(['new', 'old']);
  expect(await readFile(file, 'utf8')).toBe(text);
});

test('a secret is redacted unless it is revealed', () => {
  const secret = new Secret('hush');
  const shown = [String(secret), JSON.stringify({ secret }), inspect({ secret }, { showHidden: true })];
  expect(shown.join()).not.toContain('hush');
  expect(secret.reveal()).toBe('hush');
});
