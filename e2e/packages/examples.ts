/** Runs examples as copied out of the workspace, with a service that uses the sandbox, in a real browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, expect, type Browser, type Page } from '@playwright/test';
import { chromiumLaunchOptions } from '../../scripts/chromium.ts';
import { startServer, type RunningScript } from '../../scripts/examples.ts';
import { packPackages, publicPackages } from '../../scripts/pack.ts';
import { backendVariables, startSandboxService } from '../../scripts/sandbox-service.ts';

export interface ExampleStack {
  readonly browser: Browser;
  /** A temporary folder for the examples. */
  readonly folder: string;
  /** The path to each packed file, by package name. */
  readonly packed: ReadonlyMap<string, string>;
  readonly sandboxUrl: string;
  /** The variables that an example reads. */
  readonly environment: Readonly<Record<'SERVICE_URL' | 'CLIENT_ID' | 'CLIENT_SECRET', string>>;
  close(): Promise<void>;
}

/**
 * Packs the packages, and starts a sandbox, a service and a browser.
 * @param install installs examples while the others start
 */
export async function startExampleStack(
  install: (folder: string, packed: ReadonlyMap<string, string>) => Promise<void> = async () => {},
): Promise<ExampleStack> {
  const folder = mkdtempSync(join(tmpdir(), 'connector-auth-examples-'));
  const services = await startSandboxService(folder, () => {}, { sandbox: 0, service: 0 });
  const packed = packPackages(publicPackages, folder);
  const [browser] = await Promise.all([
    chromium.launch(chromiumLaunchOptions()),
    services.ready,
    install(folder, packed),
  ]);
  return {
    browser,
    folder,
    packed,
    sandboxUrl: services.sandboxUrl,
    environment: backendVariables(services),
    close: async () => {
      await browser.close();
      await services.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a server with one of the npm scripts in a folder, and stops it after the steps on its page. */
export async function onServer(
  stack: ExampleStack,
  folder: string,
  script: string,
  steps: (stack: ExampleStack, server: RunningScript) => Promise<void>,
): Promise<void> {
  const server = await startServer(folder, script, 0, { env: stack.environment });
  try {
    await steps(stack, server);
  } finally {
    await server.stop();
  }
}

/**
 * Connects Granola on an example's page, lists and searches the customer's notes, and disconnects it. A warning or
 * an error in the page's console fails.
 */
export async function tryExample(stack: ExampleStack, example: RunningScript): Promise<void> {
  await onPage(stack, example, async page => {
    await connectGranola(page);
    await expect(notesOn(page)).toHaveCount(20);
    await searchNotes(page);
    await disconnectGranola(page);
  });
}

/** Connects Granola on a page that shows only the widget. */
export function connectOnPage(stack: ExampleStack, server: RunningScript): Promise<void> {
  return onPage(stack, server, connectGranola);
}

async function onPage(
  { browser }: ExampleStack,
  server: RunningScript,
  steps: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('pageerror', error => complaints.push(error.message));
  page.on('console', message => {
    // Browsers request a favicon by default; these pages have none. Lit's development build says that it is one.
    const isOurs = !message.location().url.includes('favicon') && !message.text().includes('lit.dev/msg/');
    if (['error', 'warning'].includes(message.type()) && isOurs) complaints.push(message.text());
  });
  try {
    // While developing, some frameworks compile the page now.
    await page.goto(await server.url, { timeout: 120_000 });
    await steps(page);
  } finally {
    await page.close();
  }
  expect(complaints).toEqual([]);
}

async function connectGranola(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Granola/ }).click();
  await page.getByLabel('API key', { exact: true }).fill('grn_sandbox_demo');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Granola is connected' })).toBeVisible({ timeout: 30_000 });
}

async function searchNotes(page: Page): Promise<void> {
  const found = notesOn(page).filter({ hasText: /review/i });
  // The search finds what the first sync has imported so far.
  await expect(async () => {
    await page.getByRole('searchbox', { name: 'Search notes' }).fill('review');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(found.first()).toBeVisible({ timeout: 2000 });
    await expect(notesOn(page).filter({ hasNotText: /review/i })).toHaveCount(0, { timeout: 2000 });
  }).toPass({ timeout: 60_000 });
}

async function disconnectGranola(page: Page): Promise<void> {
  const done = page.getByRole('button', { name: 'Done' });
  const manage = page.getByRole('button', { name: /^Manage/ });
  // Where the search loads the page again, the widget starts with the catalog.
  await expect(done.or(manage)).toBeVisible();
  if (await done.isVisible()) await done.click();
  await manage.click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await done.click();
  await expect(page.getByRole('status').filter({ hasText: 'No notes' })).toBeVisible();
}

function notesOn(page: Page) {
  return page.getByRole('list', { name: 'Notes' }).getByRole('listitem');
}
