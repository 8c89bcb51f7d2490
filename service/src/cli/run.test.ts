import { readFile } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import { runCommand } from '../../test/command-process.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { runCommandLine } from './run.ts';

// Some tests start a process.
vi.setConfig({ testTimeout: 120_000 });

const run = async (...args: string[]) => {
  const terminal = testTerminal();
  const code = await runCommandLine(args, { environment: {}, terminal, kinds: [] });
  return { code, out: terminal.printed(), err: terminal.noted() };
};

describe('the process', () => {
  test('prints the version of the package', async () => {
    const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(text) as { version: string };
    expect(await runCommand(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('does not start the service if its arguments are wrong', async () => {
    const { code, stdout, stderr } = await runCommand(['migrated', '--plan']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      'Unknown command "migrated". Did you mean migrate?\nSee "connector-auth-service --help".\n',
    );
  });
});

test.each(['--help', '-h', 'help'])('%s lists all commands and exit codes', async argument => {
  const { code, out } = await run(argument);
  expect(code).toBe(0);
  for (const word of [
    'admin',
    'doctor',
    'events',
    'backup',
    'restore',
    'move',
    'migrate',
    'keys',
    '--version',
    'Exit codes',
  ])
    expect(out).toContain(word);
});

test.each([
  ['backup'],
  ['restore'],
  ['move'],
  ['serve'],
  ['init'],
  ['migrate'],
  ['doctor'],
  ['keys'],
  ['keys', 'generate'],
  ['keys', 'status'],
  ['keys', 'rotate'],
  ['admin'],
  ['events', 'listen'],
])('%s %s --help explains the command and needs no configuration', async (...words) => {
  const { code, out } = await run(...words.filter(word => typeof word === 'string'), '--help');
  expect([code, out]).toEqual([
    0,
    expect.stringContaining(`Usage: connector-auth-service ${words.join(' ')}`),
  ]);
});

test.each([
  [['--versions'], 'Unknown option "--versions". Did you mean --version?'],
  [
    ['start'],
    'Unknown command "start". Known: admin, doctor, serve, init, events, backup, restore, move, migrate, keys, --help, --version',
  ],
  [['doctor', '--jsn'], 'Unknown option --jsn. Did you mean --json?'],
  [['migrate', 'now'], 'Unexpected argument "now"'],
  [['keys', 'rotates'], 'Unknown command "keys rotates". Did you mean "keys rotate"?'],
  [['keys', 'toString'], 'Unknown command "keys toString". Known: generate, status, rotate'],
  [['constructor'], 'Unknown command "constructor"'],
])('%j is wrong, with exit code 2', async (args, message) => {
  const { code, out, err } = await run(...args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(message);
});
