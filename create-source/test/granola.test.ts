/**
 * One of our own kinds is recorded and tested with the commands, in each run of the tests. The others pass the same checks in the
 * full one.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentialVariable } from '@connector-auth/connectors/kind';
import { startSandbox } from '@connector-auth/sandbox';
import { afterAll, expect, test } from 'vitest';
import type { Command, CommandContext } from '../src/commands/command.ts';
import { record } from '../src/commands/record.ts';
import { schemas } from '../src/commands/schemas.ts';
import { test as testCommand } from '../src/commands/test.ts';
import { describeReceiver } from '../src/dev/serve.ts';
import { builtIn } from './sandbox-recordings.ts';

const directory = mkdtempSync(join(tmpdir(), 'connector-auth-commands-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Runs a command without a terminal, so that no one confirms anything. Returns its exit code and output. */
async function run(command: Command, context: Partial<CommandContext>) {
  const lines: string[] = [];
  const code = await command.run({
    positionals: ['granola'],
    options: {},
    directory,
    environment: {},
    print: line => lines.push(line),
    confirm: () => Promise.resolve(false),
    ...context,
  });
  return { code, output: lines.join('\n') };
}

test('granola passes all checks on what the sandbox sends', async () => {
  const sandbox = await startSandbox();
  try {
    const kind = builtIn('granola');
    const vendor = sandbox.control.vendors().find(({ key }) => key === kind.key);
    const values = vendor?.credentials.find(({ works }) => works)?.values ?? {};
    const credentials = Object.entries(values).map(([name, value]) => [
      credentialVariable(kind, name),
      value,
    ]);
    await mkdir(join(directory, 'recordings'));
    await writeFile(join(directory, 'recordings/params.json'), '{ "notes.create": { "title": "New" } }');
    const environment = { ...Object.fromEntries(credentials), SANDBOX_URL: sandbox.url };
    const recorded = await run(record, { environment });
    expect(recorded.output).toContain('! notes.create is not recorded, because it was not confirmed');
    expect(recorded).toMatchObject({ code: 0, output: expect.stringMatching(/Stored \d+ responses/) });
  } finally {
    await sandbox.close();
  }
  const file = join(directory, 'recordings/granola.json');
  const tested = await run(testCommand, { positionals: ['granola', file], directory: tmpdir() });
  expect(tested.output).toMatch(/\n\d+ passed, 0 failed, 0 not proven$/);
  expect(tested.code).toBe(0);
});

test('the schemas of a Swagger 2 document cannot be printed, and the command says why', async () => {
  const file = join(directory, 'swagger.json');
  const get = { responses: { 200: { schema: { type: 'object' } } } };
  await writeFile(file, JSON.stringify({ swagger: '2.0', paths: { '/contacts': { get } } }));
  const options = { paths: '/contacts' };
  const printed = run(schemas, { positionals: [file], options, directory: tmpdir() });
  await expect(printed).rejects.toThrow('It must be OpenAPI 3');
});

test('dev names the address that requests go to', () => {
  const kind = builtIn('granola');
  expect(describeReceiver(kind, undefined, null)).toContain(`Requests go to ${kind.hosts.join(', ')}.`);
  const local = describeReceiver(kind, 'http://127.0.0.1:9000', null);
  expect(local).toContain(
    `Requests go to http://127.0.0.1:9000 (SANDBOX_URL) instead of ${kind.hosts.join(', ')}.`,
  );
  expect(describeReceiver(kind, 'http://127.0.0.1:9000', 'r.json')).not.toContain('127.0.0.1');
});
