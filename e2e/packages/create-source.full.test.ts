/**
 * Makes a source in an empty folder, as an integrator does: from packed files, with the commands of the made package. An API that
 * the example is written for answers `record`.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@connector-auth/api/client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { acmeKey, startAcmeVendor, type AcmeVendor } from '../../connectors/test/acme-vendor.ts';
import { freePort } from '../../demo/src/free-port.ts';
import { packPackages } from '../../scripts/pack.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const folder = mkdtempSync(join(tmpdir(), 'connector-auth-source-'));
const project = join(folder, 'acme-crm');
let vendor: AcmeVendor;

beforeAll(async () => {
  vendor = await startAcmeVendor();
  const packed = packPackages(['api', 'connectors', 'service', 'create-source'], folder);
  const needed = ['api', 'connectors', 'create-source'].map(
    name => packed.get(`@connector-auth/${name}`) ?? '',
  );
  const packages = needed.map(path => `--package=${path}`);
  execFileSync(
    'npm',
    ['exec', '--yes', ...packages, '--', 'create-source', 'acme-crm', '--tarballs', folder],
    {
      cwd: folder,
      stdio: 'pipe',
    },
  );
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent'], { cwd: project, stdio: 'pipe' });
});
afterAll(async () => {
  await vendor.close();
  rmSync(folder, { recursive: true, force: true });
});

const execute = promisify(execFile);

/** Runs a script of the package. Returns its output. */
async function run(script: string, environment: Record<string, string> = {}): Promise<string> {
  const env = { ...process.env, ...environment };
  const { stdout } = await execute('npm', ['run', '--silent', script], { cwd: project, env });
  return stdout;
}

it('tests, records and builds the source', async () => {
  expect(await run('test')).toContain('26 passed, 0 failed, 0 not proven');
  const environment = { ACME_CRM_API_KEY: acmeKey, SANDBOX_URL: vendor.url };
  expect(await run('record', environment)).toContain('Texts, numbers and times are replaced');
  const recording = readFileSync(join(project, 'recordings/acme-crm.json'), 'utf8');
  for (const value of ['Ada', acmeKey, '2026-01-01T00']) expect(recording).not.toContain(value);
  expect(await run('test')).toMatch(/from the sandbox, not from the vendor[^]*, 0 failed, 0 not proven/);
  await run('build');
  expect(readFileSync(join(project, 'dist/index.js'), 'utf8')).toContain("key: 'acme-crm'");
});

it('says what the vendor sent, what the source made of it and what was expected', async () => {
  const file = join(project, 'src/index.ts');
  const source = readFileSync(file, 'utf8');
  writeFileSync(file, source.replace('score: z.int()', 'score: z.string()'));
  let output = '';
  try {
    await run('test');
  } catch (error) {
    // The command fails, so its output is a part of the error.
    output = String((error as { stdout?: unknown }).stdout);
  } finally {
    writeFileSync(file, source);
  }
  expect(output).toMatch(
    /The vendor sent score: \d+\n +The source made score: \d+ .*\n +Expected: .*expected string/,
  );
});

it('runs the service with the source, and starts it again after a change', async () => {
  const port = await freePort(0);
  const child = spawn(
    process.execPath,
    [
      'node_modules/@connector-auth/create-source/dist/main.js',
      'dev',
      'src/index.ts',
      '--play',
      'recordings/acme-crm.json',
      '--port',
      String(port),
    ],
    { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  const waits: { readonly text: string; readonly resolve: () => void }[] = [];
  const read = (chunk: Buffer): void => {
    output += chunk.toString();
    for (const { text, resolve } of waits) if (output.includes(text)) resolve();
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
  const shows = async (text: string): Promise<void> => {
    const shown = new Promise<void>(resolve => {
      waits.push({ text, resolve });
      if (output.includes(text)) resolve();
    });
    const isOver = await Promise.race([shown.then(() => false), ended.then(() => true)]);
    if (isOver) throw new Error(`The command ended without ${text}:\n${output}`);
  };
  try {
    await shows('Connect and search Acme Crm');
    const page = `http://localhost:${port}`;
    expect(await (await fetch(page)).text()).toContain('<connector-auth token-url="/token">');
    expect((await fetch(`${page}/connector-auth.js`)).status).toBe(200);
    const client = createClient({
      baseUrl: `http://127.0.0.1:${port + 1}`,
      clientId: 'dev',
      clientSecret: readFileSync(join(project, '.dev/client-secret'), 'utf8'),
    });
    const { id } = await client.connectors.create({
      customer_name: 'developer',
      connector_type: 'acme-crm',
      name: 'CRM',
      credentials: { api_key: 'any' },
    });
    await shows('contacts.sync ended with 5 records');
    expect(output).toContain('contacts.sync → GET https://api.acme-crm.example/v1/contacts?limit=100');
    const found = await (await fetch(`${page}/search?entity=contacts&text=`)).json();
    expect((found as { result: { data: unknown[] } }).result.data).toHaveLength(5);

    const file = join(project, 'src/index.ts');
    // Some editors replace the file by another one, more than once.
    for (const name of ['Acme Sales', 'Acme Deals']) {
      writeFileSync(`${file}~`, readFileSync(file, 'utf8').replace(/name: 'Acme \w+'/, `name: '${name}'`));
      renameSync(`${file}~`, file);
      await shows(`Connect and search ${name}`);
    }
    expect((await client.connectors.get(id)).status).toBe('active');
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
});
