import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { testTerminal } from '../../test/test-terminal.ts';
import { readConfiguration } from '../platform/config/configuration.ts';
import { runCommandLine } from './run.ts';

const folder = await mkdtemp(join(tmpdir(), 'connector-auth-init-'));
afterAll(() => rm(folder, { recursive: true }));

async function init(...args: string[]) {
  const terminal = testTerminal();
  const code = await runCommandLine(['init', ...args], { environment: {}, terminal, kinds: [] });
  return { code, out: terminal.printed(), err: terminal.noted() };
}

test('writes variables that the service accepts, with secrets that are new each time, for its owner only', async () => {
  const files = [join(folder, 'first'), join(folder, 'second')];
  const secrets = new Set<string>();
  for (const file of files) {
    const { code, out } = await init('--host', 'connect.example.com', '--file', file);
    expect([code, (await stat(file)).mode & 0o777]).toEqual([0, 0o600]);
    const text = await readFile(file, 'utf8');
    const environment = parseEnv(text);
    const { configuration, warnings } = readConfiguration({ ...environment, HOST: '0.0.0.0' }, []);
    expect([configuration.publicUrl, warnings]).toEqual(['https://connect.example.com', []]);
    for (const name of ['DATABASE_URL', 'ENCRYPTION_KEYS', 'SIGNING_KEYS', 'ADMIN_TOKEN']) {
      const secret = environment[name] ?? '';
      expect(out).not.toContain(secret);
      secrets.add(secret);
    }
    // A comment explains each group of variables.
    for (const group of text.trim().split('\n\n')) expect(group).toMatch(/^# .*\.\n[A-Z_]+=/);
  }
  expect(secrets.size).toBe(8);
});

test('never overwrites a file', async () => {
  const file = join(folder, 'existing');
  await init('--host', 'connect.example.com', '--file', file);
  const before = await readFile(file, 'utf8');
  const { code, err } = await init('--host', 'connect.example.com', '--file', file);
  expect([code, err, await readFile(file, 'utf8')]).toEqual([
    1,
    expect.stringContaining(`${file} exists and was not changed`),
    before,
  ]);
});

test('names the server and the ports that were given', async () => {
  const file = join(folder, 'other');
  await init('--host', 'localhost:8443', '--database-host', 'db.internal:5433', '--file', file);
  const { PUBLIC_URL, DATABASE_URL, POSTGRES_PASSWORD } = parseEnv(await readFile(file, 'utf8'));
  expect([PUBLIC_URL, DATABASE_URL]).toEqual([
    'https://localhost:8443',
    `postgres://connector_auth:${POSTGRES_PASSWORD}@db.internal:5433/connector_auth`,
  ]);
});

test('rejects a port for compose, in which Caddy has the port 443', async () => {
  const { code, err } = await init('--host', 'localhost:8443', '--file', join(folder, 'rejected'));
  expect([code, err]).toEqual([2, expect.stringContaining('a port only with --database-host')]);
});

test.each(['https://connect.example.com', 'connect.example.com:https', 'a b', 'x\nADMIN_TOKEN=y'])(
  'rejects %j as a host name',
  async host => {
    const file = join(folder, 'rejected');
    const { code, err } = await init('--host', host, '--file', file);
    expect([code, err]).toEqual([2, expect.stringContaining('--host must be a host name')]);
    await expect(stat(file)).rejects.toThrow('ENOENT');
  },
);
