/** The widget as it is published, in fresh projects that know nothing of the workspace. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium, type Browser, type Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { chromiumLaunchOptions } from '../../scripts/chromium.ts';
import { policy, serve } from './widget-host.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

const root = fileURLToPath(new URL('../..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'connector-auth-widget-'));
const samples = ['react', 'vue', 'plain'] as const;
const folderOf = (sample: (typeof samples)[number]) => join(work, sample);
const widgetIn = (folder: string) => join(folder, 'node_modules/@connector-auth/widget');
let browser: Browser;

beforeAll(async () => {
  for (const folder of ['widget', 'api']) {
    await run('npm', ['pack', '--silent', '--pack-destination', work], join(root, folder));
  }
  await Promise.all(samples.map(install));
  browser = await chromium.launch(chromiumLaunchOptions());
});
afterAll(async () => {
  await browser?.close();
  rmSync(work, { recursive: true, force: true });
});

describe('in a React project', () => {
  it('compiles, and what would be a mistake does not', async () => {
    await run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], folderOf('react'));
  });

  it('works when it is built, with events, properties and a user interface of its own', async () => {
    await run('npm', ['run', '--silent', 'build'], folderOf('react'));
    const page = await open([join(folderOf('react'), 'dist')]);
    await page.getByText('1 ready').waitFor();
    await page.getByText('Said by React').waitFor();
    await page.getByRole('button', { name: 'Own Granola' }).click();
    await page.getByRole('heading', { name: 'A form for Granola' }).waitFor();
    await openForm(page);
  });

  it('does nothing on a server but to be there', async () => {
    const printed: unknown = JSON.parse(await run(process.execPath, ['server.js'], folderOf('react')));
    expect(printed).toMatchObject({
      html: '<connector-auth id="sources"></connector-auth>',
      globals: [],
      names: [
        ['ConnectorAuthElement'],
        ['ConnectorAuthElement'],
        expect.arrayContaining(['createConnectorFlow']),
      ],
    });
  });
});

it('in a Vue project it works when it is built, with a language of its own file', async () => {
  await run('npm', ['run', '--silent', 'build'], folderOf('vue'));
  const page = await open([join(folderOf('vue'), 'dist')]);
  await page.getByText('1 ready').waitFor();
  await page.getByText('Dit par Vue').waitFor();
  await page.getByRole('heading', { name: 'Connecter une source' }).waitFor();
  await page.getByRole('button', { name: 'Granola' }).click();
  await page.getByLabel('API key', { exact: true }).waitFor();
});

describe('in a plain page', () => {
  it('is one file with an integrity hash, from another origin too; its languages come from beside it', async () => {
    const cdn = await serve([join(widgetIn(folderOf('plain')), 'dist')]);
    onTestFinished(() => {
      cdn.close();
    });
    const page = await open([folderOf('plain')], {
      policy: policy.replace("script-src 'self'", `script-src ${cdn.url}`),
      edit: (_path, text) => text.replace('ORIGIN', cdn.url).replace('INTEGRITY', integrity()),
    });
    await page.getByRole('heading', { name: 'Quelle verbinden' }).waitFor();
    await page.getByRole('heading', { name: 'ربط مصدر بيانات' }).waitFor();
    await page.getByRole('button', { name: 'Granola' }).first().click();
    await page.getByLabel('API key', { exact: true }).waitFor();
  });

  it('is not run when the file is not the one of the hash', async () => {
    const page = await browser.newPage();
    const host = await serve([folderOf('plain'), join(widgetIn(folderOf('plain')), 'dist')], {
      edit: (path, text) =>
        path.endsWith('.js') ? `${text};` : text.replace('ORIGIN', '').replace('INTEGRITY', integrity()),
    });
    onTestFinished(async () => {
      host.close();
      await page.close();
    });
    await page.goto(host.url);
    expect(await page.evaluate(() => customElements.get('connector-auth') === undefined)).toBe(true);
  });

  it('speaks English when the language’s file is missing', async () => {
    const page = await browser.newPage();
    const host = await serve([folderOf('plain'), join(widgetIn(folderOf('plain')), 'dist')], {
      edit: (path, text) =>
        path.includes('/languages/')
          ? 'not a language'
          : text.replace('ORIGIN', '').replace('INTEGRITY', integrity()),
    });
    onTestFinished(async () => {
      host.close();
      await page.close();
    });
    await page.goto(host.url);
    await page.getByRole('button', { name: 'Granola' }).first().waitFor();
    expect(await page.getByRole('heading', { name: 'Connect a source' }).count()).toBe(2);
  });

  it('works as modules straight from a static file server', async () => {
    const page = await open([folderOf('plain')], {}, '/module.html');
    await page.getByRole('heading', { name: 'データソースを接続' }).waitFor();
    await page.getByRole('button', { name: 'Granola' }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();
  });

  it.each([
    ['without a list of policies', policy],
    ["with 'allow-duplicates'", `${policy}; trusted-types lit-html 'allow-duplicates'`],
  ])('lives beside another version, under Trusted Types %s', async (_name, policy) => {
    const newer = join(folderOf('plain'), 'newer');
    cpSync(join(widgetIn(folderOf('plain')), 'dist'), newer, { recursive: true });
    const script = readFileSync(join(newer, 'connector-auth.js'), 'utf8');
    // The version is the one thing in which the two differ.
    expect(script.split('0.1.0')).toHaveLength(2);
    writeFileSync(join(newer, 'connector-auth.js'), script.replace('0.1.0', '0.2.0'));
    const page = await open([folderOf('plain')], { policy }, '/two-versions.html');
    await page.getByRole('heading', { name: 'Connect a source' }).waitFor();
    await page.getByRole('heading', { name: 'Quelle verbinden' }).waitFor();
    for (const tag of ['connector-auth', 'newer-connector-auth']) {
      const widget = page.locator(tag);
      await widget.getByRole('button', { name: 'Granola' }).click();
      await widget.getByLabel('API key', { exact: true }).waitFor();
    }
    const isShared = await page.evaluate(
      () => customElements.get('connector-auth') === customElements.get('newer-connector-auth'),
    );
    expect(isShared).toBe(false);
    // Nothing inside that the other version could have defined differently.
    const inner = await page.evaluate(() =>
      ['connector-auth', 'newer-connector-auth'].flatMap(tag =>
        [...(document.querySelector(tag)?.shadowRoot?.querySelectorAll('*') ?? [])]
          .map(({ localName }) => localName)
          .filter(name => name.includes('-')),
      ),
    );
    expect(inner).toEqual([]);
  });
});

it('holds what an editor needs, and every file that it names', () => {
  const folder = widgetIn(folderOf('plain'));
  const packageJson = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    exports: Record<string, string | Record<string, string>>;
    customElements: string;
    'web-types': string;
  };
  const named = Object.values(packageJson.exports)
    .flatMap(entry =>
      typeof entry === 'string'
        ? [entry]
        : Object.entries(entry).map(([key, path]) => (key === 'source' ? '' : path)),
    )
    .filter(path => path !== '');
  for (const path of [...named, packageJson.customElements, packageJson['web-types']]) {
    expect(readFileSync(join(folder, path), 'utf8')).not.toBe('');
  }
  const manifest = readFileSync(join(folder, packageJson.customElements), 'utf8');
  expect(manifest).toContain('"tagName": "connector-auth"');
});

/** The hash that the build wrote for the script-tag file. */
function integrity(): string {
  const text = readFileSync(join(widgetIn(folderOf('plain')), 'dist/integrity.json'), 'utf8');
  return (JSON.parse(text) as Record<string, string>)['connector-auth.js'] ?? '';
}

/** A page of a host with these folders, which fails the test if anything is complained about in its console. */
async function open(
  folders: readonly string[],
  options: Parameters<typeof serve>[1] = {},
  path = '/',
): Promise<Page> {
  const host = await serve(folders, options);
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', message => {
    // The browser asks for an icon of the page by itself; the pages have none.
    const isOurs = !message.location().url.includes('favicon');
    if (['error', 'warning'].includes(message.type()) && isOurs) complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(error.message));
  onTestFinished(async () => {
    await page.close();
    host.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(host.url + path);
  return page;
}

async function openForm(page: Page): Promise<void> {
  await page.locator('connector-auth').getByRole('button', { name: 'Granola' }).click();
  await page.getByLabel('API key', { exact: true }).waitFor();
}

/** A copy of a sample project with the packed widget installed. */
async function install(sample: (typeof samples)[number]): Promise<void> {
  const folder = folderOf(sample);
  mkdirSync(folder);
  cpSync(join(import.meta.dirname, 'samples', sample), folder, { recursive: true });
  const file = join(folder, 'package.json');
  const packageJson = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: Record<string, string> };
  const dependencies = { ...packageJson.dependencies, '@connector-auth/widget': tarball('auth-widget') };
  // The contract that the widget's declarations refer to: until it is on the registry, from beside it.
  const overrides = { '@connector-auth/api': tarball('auth-api') };
  writeFileSync(file, JSON.stringify({ ...packageJson, dependencies, overrides }));
  await run('npm', ['install', '--no-audit', '--no-fund', '--silent'], folder);
}

function tarball(name: string): string {
  return `file:${join(work, readdirSync(work).find(file => file.includes(name)) ?? name)}`;
}

/** Runs a command to its end and gives its output; rejects with both outputs when it fails. */
async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    // Set to `test` by the test runner, which is not what integrators build with.
    const env = { ...process.env, NODE_ENV: undefined };
    return (await promisify(execFile)(program, args, { cwd, env, encoding: 'utf8' })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
