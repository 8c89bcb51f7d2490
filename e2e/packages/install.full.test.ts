/**
 * Installs what each role needs, as the README says, from a registry to which the packages were released: with each package manager
 * on the oldest Node version, whose limits all dependencies have to keep. What is installed runs on this version, on that of the
 * project and on the newest one. Also runs the lines that `pnpm tarballs` prints, until the packages are in the public registry.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { installLines, type InstallLines, type PackedPackage } from '../../scripts/install-lines.ts';
import { packPackages, publicPackages, readManifest } from '../../scripts/pack.ts';
import { roles, type Role } from '../../scripts/roles.ts';
import { startPostgres } from '../../service/test/postgres.ts';
import { runCommand } from '../stack/processes.ts';
import { release, startLocalRegistry, type LocalRegistry } from './local-registry.ts';
import { root, run } from './packed-widget.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

/** How to start each package manager, whose name is the first word of its commands. */
const managers = [
  { name: 'npm', word: 'npm', program: 'npm', add: 'install --no-audit --no-fund --engine-strict' },
  { name: 'pnpm', word: 'pnpm', program: 'npx -y pnpm@12', add: 'add' },
  { name: 'Yarn 1', word: 'yarn', program: 'npx -y yarn@1', add: 'add' },
  { name: 'Yarn 4', word: 'yarn', program: 'npx -y @yarnpkg/cli-dist@4', add: 'add' },
] as const satisfies readonly { readonly word: keyof InstallLines; readonly [name: string]: string }[];
type Manager = (typeof managers)[number];

const oldest = '22.19';
const nodes = [oldest, '24', 'latest'];

// A space, because the lines have to quote it.
const work = mkdtempSync(join(tmpdir(), 'connector auth '));
const tarballs = join(work, 'packed files');
let registry: LocalRegistry;
let packed: ReadonlyMap<string, PackedPackage>;

beforeAll(async () => {
  mkdirSync(tarballs);
  [registry] = await Promise.all([startLocalRegistry(join(work, 'registry')), ...nodes.map(installNode)]);
  await release(registry, join(work, 'release'));
  const paths = packPackages(publicPackages, tarballs);
  packed = new Map(
    publicPackages
      .map(readManifest)
      .map(({ name, dependencies = {} }) => [
        name,
        { path: paths.get(name)!, dependencies: Object.keys(dependencies).filter(name => paths.has(name)) },
      ]),
  );
});
afterAll(async () => {
  await registry?.stop();
  rmSync(work, { recursive: true, force: true });
});

describe.each(managers)('with $name', manager => {
  it('installs an app, whose types compile and whose backend imports its packages on each Node version', async () => {
    const folder = await install(manager, roles.app);
    await add(manager, folder, ['-D', '@types/node@24']);
    await compileApp(folder);
    const program = `const all = await Promise.all(${JSON.stringify(ours(roles.app))}.map(name => import(name)));
      console.log(all.every(each => Object.keys(each).length > 0));`;
    for (const node of nodes) {
      const args = ['--input-type=module', '--eval', program];
      expect(await run('node', args, folder, onNode(node))).toBe('true\n');
    }
  });

  it('installs a service, which uses PostgreSQL on each Node version, and the embedded database once it is installed', async () => {
    const folder = await install(manager, roles.service);
    const generate = () => run('npx', ['connector-auth-service', 'keys', 'generate'], folder, onNode(oldest));
    const [ENCRYPTION_KEYS, SIGNING_KEYS] = [await generate(), await generate()];
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    for (const node of nodes) {
      const env = { DATABASE_URL: `${server.url}/postgres`, ENCRYPTION_KEYS, SIGNING_KEYS, ...onNode(node) };
      const migrated = await run('npx', ['connector-auth-service', 'migrate'], folder, env);
      expect(migrated).toMatch(node === oldest ? /^applied: / : /^The database is up to date\.$/m);
      expect(await startService(folder, env)).toBe('postgres');
    }

    const env = { ...onNode(oldest), DATA_DIR: join(folder, 'data') };
    const starting = run('npx', ['connector-auth-service'], folder, env);
    const command = `npm install ${roles.trial.others.join(' ')}`;
    await expect(starting).rejects.toThrow(
      `- DATABASE_URL is missing: set it to the URL of a PostgreSQL server. Or, to use the embedded database, install it: ${command}\n`,
    );
    await add(manager, folder, roles.trial.others);
    expect(await startService(folder, env)).toBe('pglite');
  });

  it('installs an agent’s server, which lists its tools on each Node version', async () => {
    const folder = await install(manager, roles.agent);
    for (const node of nodes) {
      expect(await toolsOf(['connector-auth-mcp'], folder, onNode(node))).toEqual([
        'list_sources',
        'describe',
        'read',
      ]);
    }
  });

  it('installs packed files with the printed line', async () => {
    const folder = createProject(manager);
    const names = [...ours(roles.app), ...ours(roles.trial)];
    const line = installLines(names, packed, roles.trial.others)[manager.word];
    const command = line.replaceAll(new RegExp(`(^|&& )${manager.word} `, 'g'), `$1${manager.program} `);
    await run('sh', ['-c', command], folder, withoutCi);
    const installed = readdirSync(join(folder, 'node_modules/@connector-auth'));
    expect(installed).toEqual(expect.arrayContaining(names.map(name => name.split('/')[1])));
    expect(await startService(folder, { DATA_DIR: join(folder, 'data') })).toBe('pglite');
  });
});

it('an agent starts the server without a project, as the guide says', async () => {
  const guide = readFileSync(join(root, 'service/src/features/docs/guides/agents.md'), 'utf8');
  const [, list = ''] = /"args": (\[.*connector-auth-mcp.*\])/.exec(guide) ?? [];
  // The guide's example is valid JSON.
  const args = (JSON.parse(list) as string[]).slice(0, -2);
  const environment = {
    ...onNode(oldest),
    npm_config_registry: registry.url,
    npm_config_cache: join(work, 'cache'),
  };
  expect(await toolsOf(args, work, environment)).toContain('list_sources');
});

function ours({ packages }: Role): string[] {
  return packages.map(folder => `@connector-auth/${folder}`);
}

/** Creates an empty project in which the package manager uses the registry on this machine. */
function createProject({ name }: Manager): string {
  const folder = mkdtempSync(join(work, 'project '));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'project', private: true }));
  writeFileSync(join(folder, '.npmrc'), `registry=${registry.url}/\n`);
  if (name === 'pnpm') {
    // The shared folder can have what an earlier registry had, at the same port.
    const settings = [`cacheDir: ${JSON.stringify(join(work, 'pnpm'))}`, 'engineStrict: true'];
    writeFileSync(join(folder, 'pnpm-workspace.yaml'), settings.join('\n'));
  }
  // Yarn 4 looks for the project's root by this file.
  writeFileSync(join(folder, 'yarn.lock'), '');
  if (name === 'Yarn 4') {
    const settings = {
      nodeLinker: 'node-modules',
      npmRegistryServer: registry.url,
      unsafeHttpWhitelist: ['127.0.0.1'],
      // By default, it waits a day before it installs a new version.
      npmPreapprovedPackages: ['@connector-auth/*'],
      // The shared folder can have another build of the same version, or the addresses of an earlier registry.
      globalFolder: join(work, 'yarn'),
      enableGlobalCache: false,
    };
    // JSON is YAML, too.
    writeFileSync(join(folder, '.yarnrc.yml'), JSON.stringify(settings));
  }
  return folder;
}

/** Installs what a role needs into an empty project, on the oldest Node version. Returns the project's folder. */
async function install(manager: Manager, role: Role): Promise<string> {
  const folder = createProject(manager);
  await add(manager, folder, [...ours(role), ...role.others]);
  return folder;
}

async function add(manager: Manager, folder: string, names: readonly string[]): Promise<void> {
  const command = `${manager.program} ${manager.add} ${names.join(' ')}`;
  await run('sh', ['-c', command], folder, { ...onNode(oldest), ...withoutCi });
}

/** In a build pipeline, package managers change no lockfile. */
const withoutCi = { CI: '' };

async function installNode(version: string): Promise<void> {
  const folder = join(work, `node-${version}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  await run('npm', ['install', '--no-audit', '--no-fund', `node@${version}`], folder);
  expect(existsSync(join(folder, 'node_modules/node/bin/node'))).toBe(true);
}

/** Returns an environment in which `node`, `npm` and `npx` are of a version. */
function onNode(version: string): { readonly PATH: string } {
  const bin = join(work, `node-${version}`, 'node_modules/node/bin');
  return { PATH: [bin, process.env['PATH']].join(delimiter) };
}

/** Starts the service of a project until it is ready. Returns the engine of its database. */
async function startService(cwd: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const env = { ...environment, PORT: '0', DRAIN_SECONDS: '0' };
  const service = runCommand('npx', ['connector-auth-service', 'serve'], { cwd, env, ownGroup: true });
  try {
    const [line] = await service.waitForOutput(/^.*"service_ready".*$/m);
    const { listening, engine } = JSON.parse(line) as { listening: string; engine: string };
    expect((await fetch(`${listening}/readyz`)).status).toBe(200);
    return engine;
  } finally {
    await service.stop();
  }
}

/** Returns the names of the tools that the server for an agent has. */
async function toolsOf(
  command: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<string[]> {
  const client = new Client({ name: 'agent', version: '1' });
  const env = { ...environment, GRANOLA_API_KEY: 'grn_any' };
  const args = [...command, '--kind', 'granola'];
  await client.connect(new StdioClientTransport({ command: 'npx', args, cwd, env }));
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

/** Compiles a backend, without the types of any framework or browser, and a page. Each has errors that the types detect. */
async function compileApp(folder: string): Promise<void> {
  await compile(
    folder,
    ['--module', 'nodenext', '--lib', 'es2024', '--types', 'node'],
    `import { GoogleAds } from '@connector-auth/connectors';
     import { createConnectorAuth } from '@connector-auth/server-helper';
     import { connectorAuth } from '@connector-auth/server-helper/next';
     const options = {
       baseUrl: 'a',
       clientId: 'b',
       clientSecret: 'c',
       allowedOrigins: ['d'],
       resolveCustomer: (request: Request) => request.headers.get('x'),
     };
     createConnectorAuth(options).handler satisfies (request: Request) => Promise<Response>;
     connectorAuth(options).POST satisfies (request: Request) => Promise<Response>;
     // @ts-expect-error -- a customer name is a string
     createConnectorAuth({ ...options, resolveCustomer: () => 7 });
     const ads = new GoogleAds({ hosted: { customerName: 'a', clientId: 'b', clientSecret: 'c', baseUrl: 'd' } });
     const { result } = await ads.campaigns.list({ customer_id: '6120459183' });
     result satisfies readonly object[];
     // @ts-expect-error -- an id is a string
     await ads.campaigns.list({ customer_id: 6120459183 });
     // @ts-expect-error -- a result is not a number
     result satisfies number;`,
  );
  await compile(
    folder,
    ['--module', 'esnext', '--moduleResolution', 'bundler', '--types', ''],
    `import type { ConnectorSummary } from '@connector-auth/widget';
     document.createElement('connector-auth').addEventListener('connector-auth-connected', ({ detail }) => {
       detail.connector satisfies ConnectorSummary;
       // @ts-expect-error -- a connector is not a number
       detail.connector satisfies number;
     });`,
  );
}

async function compile(folder: string, options: readonly string[], program: string): Promise<void> {
  writeFileSync(join(folder, 'program.mts'), program);
  const tsc = join(root, 'node_modules/.bin/tsc');
  const printed = await run(
    tsc,
    ['--strict', '--noEmit', '--target', 'es2024', ...options, 'program.mts'],
    folder,
  );
  expect(printed).toBe('');
}
