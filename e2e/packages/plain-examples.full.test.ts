/** Tests the examples that need no build, and the code in the root README. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { firstCustomer } from '../../demo/src/customers.ts';
import { seedService } from '../../demo/src/seed.ts';
import { copyExample, installPacked, packageJsonOf, runScript } from '../../scripts/examples.ts';
import { findTopCampaigns, topCampaigns } from './campaign-question.ts';
import { connectOnPage, onServer, startExampleStack, tryExample, type ExampleStack } from './examples.ts';
import { root, run } from './packed-widget.ts';
import { startScriptedModel } from './scripted-model.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

const names = ['express-html', 'open-source-mode', 'curl', 'ai-sdk', 'openai-agents'] as const;
let stack: ExampleStack;
const folderOf = (name: string) => join(stack.folder, 'project', name);

beforeAll(async () => {
  stack = await startExampleStack(async (folder, packed) => {
    // One installation for all of them takes less time.
    const dependencies = names.flatMap(name => {
      const { dependencies = {}, devDependencies = {} } = packageJsonOf(name);
      return Object.entries({ ...dependencies, ...devDependencies });
    });
    const project = { private: true, type: 'module', dependencies: Object.fromEntries(dependencies) };
    for (const name of names) copyExample(name, join(folder, 'project', name));
    await installPacked(join(folder, 'project'), project, packed);
  });
});
afterAll(() => stack?.close());

it('the example express-html connects Granola, and lists and searches the customer’s notes', async () => {
  await onServer(stack, folderOf('express-html'), 'start', tryExample);
});

it.each(['express-html', 'open-source-mode', 'ai-sdk', 'openai-agents'])(
  'the example %s compiles',
  async name => {
    const tsc = join(root, 'node_modules/.bin/tsc');
    expect(await run(tsc, ['-p', '.'], folderOf(name))).toBe('');
  },
);

it('the example open-source-mode lists notes without the service', async () => {
  const env = { SANDBOX_URL: stack.sandboxUrl };
  const { exitCode, output } = await runScript(folderOf('open-source-mode'), 'start', { env }).ended;
  expect(output).toMatch(
    /^(?:20\S+ .+\n){3}There are more\.\n“.+” has \d+ transcript entries\.\n\d+ notes since/m,
  );
  expect(exitCode).toBe(0);
});

it('the code in the root README compiles, connects Granola, and lists and searches notes', async () => {
  const folder = folderOf('readme');
  saveReadmeFiles(folder);
  const tsc = join(root, 'node_modules/.bin/tsc');
  const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  expect(await run(tsc, [...strict, '--skipLibCheck', 'server.ts', 'read-notes.ts'], folder)).toBe('');

  await onServer(stack, folder, 'start', connectOnPage);
  const { exitCode, output } = await runScript(folder, 'read', { env: stack.environment }).ended;
  expect(output).toMatch(/^(?:20\S+ .+\n){3}(?:Found: .*review.*\n)+$/i);
  expect(exitCode).toBe(0);
});

it('the example curl goes from a token to a consent with HTTP requests only', async () => {
  const { environment: env } = stack;
  const { exitCode, output } = await runScript(folderOf('curl'), 'start', { env }).ended;
  expect(output).toContain('TikTok Marketing');
  expect(output).toMatch(/^4\. .+\n(?:.+\n){3}5\. .+\n(?:.*review.*\n){1,3}6\. /im);
  expect(output).toContain(`${env.SERVICE_URL}/oauth/`);
  expect(exitCode).toBe(0);
});

describe('asked which campaigns spent most last week', () => {
  let expected: string;
  beforeAll(async () => {
    await seedService(stack.environment, stack.sandboxUrl);
    expected = await topCampaigns(stack.environment, firstCustomer.id);
  });

  it.each(['ai-sdk', 'openai-agents'])(
    'the example %s shows its tool calls, and answers from live data',
    async name => {
      const model = await startScriptedModel(findTopCampaigns);
      const env = {
        ...stack.environment,
        CUSTOMER: firstCustomer.id,
        MODEL_URL: model.url,
        MODEL_KEY: 'none',
      };
      const { exitCode, output } = await runScript(folderOf(name), 'start', { env }).ended;
      await model.close();
      expect(output).toMatch(
        /^→ list_sources .*\n→ describe .*google-ads.*\n→ read .*LAST_WEEK_MON_SUN.*\n/m,
      );
      expect(expected).toMatch(/^(?:.+ \(\d+\): [1-9]\d+ micros\n?){3}$/);
      expect(output).toContain(expected);
      expect(exitCode).toBe(0);
    },
  );
});

/** Saves the files of the root README, whose first line names them, and scripts for the commands in it. */
function saveReadmeFiles(folder: string): void {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const scripts = { start: 'node server.ts', read: 'node read-notes.ts' };
  mkdirSync(join(folder, 'public'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts }));
  for (const [, name = '', code = ''] of readme.matchAll(
    /^```(?:ts|html)\n(?:\/\/|<!--) ([\w./-]+)(?: -->)?\n([^]*?)^```$/gm,
  )) {
    writeFileSync(join(folder, name), code);
  }
}
