/** Packs the widget as published and installs it into sample projects outside the workspace. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium, type Browser, type Page } from '@playwright/test';
import { expect, onTestFinished } from 'vitest';
import { chromiumLaunchOptions } from '../../scripts/chromium.ts';
import { packPackages } from '../../scripts/pack.ts';
import { serve } from './widget-host.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Sample projects with the packed widget installed, and a browser that opens their pages. */
export interface Samples {
  readonly browser: Browser;
  folderOf(sample: string): string;
  /** Serves the folders and opens a page; any error in its console fails the test. */
  open(folders: readonly string[], options?: Parameters<typeof serve>[1], path?: string): Promise<Page>;
  close(): Promise<void>;
}

/** Packs the widget and installs it into a copy of each sample. */
export async function prepareSamples(names: readonly string[]): Promise<Samples> {
  const work = mkdtempSync(join(tmpdir(), 'connector-auth-widget-'));
  const folderOf = (sample: string): string => join(work, sample);
  const packed = packPackages(['widget'], work);
  await Promise.all(names.map(name => install(name, work, packed)));
  const browser = await chromium.launch(chromiumLaunchOptions());
  return {
    browser,
    folderOf,
    open: (folders, options = {}, path = '/') => open(browser, folders, options, path),
    close: async () => {
      await browser.close();
      rmSync(work, { recursive: true, force: true });
    },
  };
}

async function open(
  browser: Browser,
  folders: readonly string[],
  options: Parameters<typeof serve>[1],
  path: string,
): Promise<Page> {
  const host = await serve(folders, options);
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', message => {
    // Browsers request a favicon by default; these pages have none.
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

/** Copies a sample project and installs the packed widget into the copy. */
async function install(sample: string, work: string, packed: ReadonlyMap<string, string>): Promise<void> {
  const folder = join(work, sample);
  mkdirSync(folder);
  cpSync(join(import.meta.dirname, 'samples', sample), folder, { recursive: true });
  const file = join(folder, 'package.json');
  const packageJson = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: Record<string, string> };
  const dependencies = {
    ...packageJson.dependencies,
    ...Object.fromEntries([...packed].map(([name, path]) => [name, `file:${path}`])),
  };
  writeFileSync(file, JSON.stringify({ ...packageJson, dependencies }));
  await run('npm', ['install', '--no-audit', '--no-fund', '--silent'], folder);
}

/** Runs a command and returns its output; rejects with stdout and stderr if it fails. */
export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    // The test runner sets `NODE_ENV` to `test`, which integrators do not use for builds.
    const env = { ...process.env, NODE_ENV: undefined, ...environment };
    return (await promisify(execFile)(program, args, { cwd, env, encoding: 'utf8' })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
