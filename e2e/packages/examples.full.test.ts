/** Tests the examples that a framework builds, while developing and in production, and the `example` command. */
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { copyExample, installPacked, packageJsonOf } from '../../scripts/examples.ts';
import { runProgram } from '../stack/processes.ts';
import { onServer, startExampleStack, tryExample, type ExampleStack } from './examples.ts';
import { run } from './packed-widget.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let stack: ExampleStack;

const folderOf = (name: string) => join(stack.folder, name);

async function install(name: string): Promise<void> {
  copyExample(name, folderOf(name));
  await installPacked(folderOf(name), packageJsonOf(name), stack.packed);
}

beforeAll(async () => {
  stack = await startExampleStack();
});
afterAll(() => stack?.close());

describe.each(['express-react', 'lit', 'next', 'vue'])('the example %s', name => {
  beforeAll(() => install(name));

  it('works while developing, without a warning in the console', async () => {
    await onServer(stack, folderOf(name), 'dev', tryExample);
  });

  it('is built without the variables of the server, and works in production', async () => {
    await run('npm', ['run', '--silent', 'build'], folderOf(name));
    await onServer(stack, folderOf(name), 'start', tryExample);
  });
});

it('the example hono compiles, connects Granola, and lists and searches the customer’s notes', async () => {
  await install('hono');
  await run('npm', ['run', '--silent', 'types'], folderOf('hono'));
  await onServer(stack, folderOf('hono'), 'start', tryExample);
});

it('the command runs an example, prints its URL, and leaves nothing behind', async () => {
  const isOwn = (name: string) => name.startsWith('connector-auth-example-');
  const before = readdirSync(tmpdir()).filter(isOwn);
  const command = runProgram(['scripts/run.mjs', 'example', 'express-html'], { FORCE_COLOR: '0' });
  try {
    const [, url = ''] = await command.waitForOutput(/ready \(\d+ s\): +(\S+)/);
    expect(await (await fetch(url)).text()).toContain('<connector-auth');
  } finally {
    expect(await command.stop('SIGINT')).toBe(0);
  }
  expect(readdirSync(tmpdir()).filter(isOwn)).toEqual(before);
});

it('the command lists the examples if the name is unknown', async () => {
  const command = runProgram(['scripts/run.mjs', 'example', 'angular']);
  await command.waitForOutput(/NAME is one of: .*express-html.*vue/);
  expect(existsSync(join(tmpdir(), 'angular'))).toBe(false);
});
