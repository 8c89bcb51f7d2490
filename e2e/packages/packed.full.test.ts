/**
 * Installs the published packages from their packed files into an empty project, without access to the
 * workspace or a lockfile.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { packPackages, publicPackages } from '../../scripts/pack.ts';
import { root, runProgram, type RunningProgram } from '../stack/processes.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

const node = process.execPath;
const project = mkdtempSync(join(tmpdir(), 'connector-auth-packed-'));
const packed = mkdtempSync(join(tmpdir(), 'connector-auth-tarballs-'));
/** Lets a program see Node 20, which does not need to be installed. */
const onOldNode = [
  '--import',
  `data:text/javascript,${encodeURIComponent(
    `Object.defineProperty(process, 'version', { value: 'v20.20.2' });
     Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`,
  )}`,
];
const oldNodeSentence =
  'Connector Auth needs Node 22.19 or newer, but Node 20.20.2 is running. ' +
  'Install a newer version, for example from https://nodejs.org.';
let sandbox: RunningProgram;
let sandboxUrl: string;

beforeAll(async () => {
  const files = [...packPackages(publicPackages, packed)].map(
    ([name, path]) => [name, `file:${path}`] as const,
  );
  const dependencies = {
    ...Object.fromEntries(files),
    // Peer dependencies.
    react: '19',
    '@lit/react': '1',
  };
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({
      type: 'module',
      dependencies,
      // The packages are not in the registry yet, so they must be resolved from the packed files.
      overrides: Object.fromEntries(files.map(([name]) => [name, `$${name}`])),
    }),
  );
  run('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', '--silent'], project);
  sandbox = runProgram(['sandbox/src/main.ts'], { PORT: '0' });
  [, sandboxUrl = ''] = await sandbox.waitForOutput(/"url":"([^"]+)"/);
});
afterAll(async () => {
  await sandbox?.stop();
  for (const folder of [project, packed]) rmSync(folder, { recursive: true, force: true });
});

it.each(publicPackages)('every entry point of %s can be imported', folder => {
  const { name, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    name: string;
    exports: Record<string, unknown>;
  };
  // The classic script is for browsers, the JSON for editors, and the types and names for the compiler.
  const entries = Object.keys(exports).filter(entry => !/script$|json$|names$|\/types\//.test(entry));
  writeFileSync(
    join(project, 'entries.js'),
    entries
      .map(entry => `console.log(Object.keys(await import('${name}${entry.slice(1)}')).length > 0);`)
      .join('\n'),
  );
  expect(run(node, ['entries.js'], project).trim().split('\n')).toEqual(entries.map(() => 'true'));
});

it('the service package contains the built console', () => {
  const files = join(project, 'node_modules/@connector-auth/service/dist/features/console/files');
  const page = readFileSync(join(files, 'index.html'), 'utf8');
  const [, script = ''] = /src="\/console\/([^"]+\.js)"/.exec(page) ?? [];
  expect(existsSync(join(files, script))).toBe(true);
  expect(existsSync(join(files, `${script}.br`))).toBe(true);
});

it('the service package contains the built widget with its languages', () => {
  const files = join(project, 'node_modules/@connector-auth/service/dist/features/connect-links/page/files');
  for (const file of ['connector-auth.js', 'languages/de.js']) {
    expect(existsSync(join(files, file)), file).toBe(true);
    expect(existsSync(join(files, `${file}.br`)), file).toBe(true);
  }
});

it.each(['service', 'sandbox'])('the command of %s says in one sentence that Node is too old', folder => {
  const bin = join(project, 'node_modules/@connector-auth', folder, 'dist/main.js');
  const { status, stdout, stderr } = spawnSync(node, [...onOldNode, bin], { cwd: project, encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toBe(`${oldNodeSentence}\n`);
});

it.each(['api/client', 'connectors', 'server-helper', 'server-helper/next'])(
  'importing %s throws an error that says that Node is too old',
  entry => {
    writeFileSync(join(project, 'old.js'), `import '@connector-auth/${entry}';`);
    expect(() => run(node, [...onOldNode, 'old.js'], project)).toThrow(`Error: ${oldNodeSentence}`);
  },
);

it('the sandbox package starts in a program', () => {
  writeFileSync(
    join(project, 'sandbox.js'),
    `import { startSandbox } from '@connector-auth/sandbox';
     const sandbox = await startSandbox();
     console.log((await fetch(sandbox.url)).status);
     await sandbox.close();`,
  );
  expect(run(node, ['sandbox.js'], project).trim()).toBe('200');
});

it('npm installs the widget with engine-strict on Node 20, without any other of our packages', () => {
  const app = mkdtempSync(join(project, 'strict-'));
  writeFileSync(join(app, '.npmrc'), 'engine-strict=true\n');
  writeFileSync(join(app, 'package.json'), '{}');
  const install = (file = '') =>
    run('npm', ['install', '--no-audit', '--no-fund', file.replace('file:', '')], app, {
      NODE_OPTIONS: onOldNode.join('='),
    });
  const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  expect(() => install(dependencies['@connector-auth/api'])).toThrow('Unsupported engine');
  install(dependencies['@connector-auth/widget']);
  expect(readdirSync(join(app, 'node_modules/@connector-auth'))).toEqual(['widget']);
});

it('the connectors package lists notes in open source mode without the service', () => {
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

/** Runs a command and returns its output; throws an error with stdout and stderr if it fails. */
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
