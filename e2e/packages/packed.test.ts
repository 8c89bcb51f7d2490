/** What is published, installed into an empty project from its packed files: nothing of the workspace is in reach. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runProgram as start, type RunningProgram } from '../stack/processes.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const root = fileURLToPath(new URL('../..', import.meta.url));
const node = process.execPath;
const project = mkdtempSync(join(tmpdir(), 'connector-auth-packed-'));
const built = mkdtempSync(join(tmpdir(), 'connector-auth-built-'));
let sandbox: RunningProgram;
let sandboxUrl: string;

beforeAll(async () => {
  for (const folder of ['api', 'connectors']) {
    run('npm', ['pack', '--silent', '--pack-destination', built], join(root, folder));
  }
  const tarball = (name: string) =>
    `file:${join(built, readdirSync(built).find(file => file.includes(name)) ?? '')}`;
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({
      type: 'module',
      dependencies: { '@connector-auth/connectors': tarball('connectors') },
      devDependencies: { '@types/node': '24.19.2' },
      // Until it is on the registry, the contract that connectors depend on comes from beside it.
      overrides: { '@connector-auth/api': tarball('auth-api') },
    }),
  );
  run('npm', ['install', '--no-audit', '--no-fund', '--silent'], project);
  sandbox = start(['sandbox/src/main.ts'], { PORT: '0' });
  [, sandboxUrl = ''] = await sandbox.waitForOutput(/"url":"([^"]+)"/);
});
afterAll(async () => {
  await sandbox?.stop();
  for (const folder of [project, built]) rmSync(folder, { recursive: true, force: true });
});

it('connectors alone list notes in the open source mode', () => {
  writeFileSync(
    join(project, 'list.js'),
    `import { Granola } from '@connector-auth/connectors';
     import { createTransport } from '@connector-auth/connectors/kind';
     const granola = new Granola({
       credentials: { api_key: 'grn_sandbox_demo' },
       transport: createTransport({ sandboxUrl: process.env.SANDBOX_URL }),
     });
     const { result } = await granola.notes.list({ page_size: 3 });
     console.log(result.length, typeof result[0].title);`,
  );
  expect(run(node, ['list.js'], project, { SANDBOX_URL: sandboxUrl }).trim()).toBe('3 string');
});

it('their declarations are complete: a strict program compiles against them, a wrong one does not', () => {
  const compile = (name: string, source: string) => {
    writeFileSync(join(project, name), source);
    const tsc = join(root, 'node_modules/.bin/tsc');
    return run(
      tsc,
      ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node', name],
      project,
    );
  };
  const program = (params: string) =>
    `import { GoogleAds } from '@connector-auth/connectors';
     const ads = new GoogleAds({ hosted: { customerName: 'a', clientId: 'b', clientSecret: 'c', baseUrl: 'd' } });
     const { result } = await ads.campaigns.list({ ${params} });
     result satisfies readonly object[];
     export {};`;
  expect(compile('right.ts', program("customer_id: '6120459183'"))).toBe('');
  expect(() => compile('wrong.ts', program('customer_id: 6120459183'))).toThrow(/number.*is not assignable/);
});

/** Runs a command to its end and gives its output; throws with both outputs when it fails. */
function run(program: string, args: string[], cwd: string, env: Record<string, string> = {}): string {
  try {
    return execFileSync(program, args, {
      cwd,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, ...env },
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
