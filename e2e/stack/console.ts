/** Extends Playwright's `test` with a service that operators administer, its own database and the simulated vendors. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector } from '@connector-auth/api';
import { createClient, type Client } from '@connector-auth/api/client';
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { runProgram } from './processes.ts';

export { expect } from '@playwright/test';

/** A running service with an admin key for everything. */
export interface Installation {
  /** The URL of the service. */
  readonly url: string;
  /** The value of ADMIN_TOKEN. */
  readonly adminToken: string;
  /** The URL of the simulated vendors. */
  readonly sandboxUrl: string;
  /** Calls the API for operators. Rejects if the request fails. */
  admin(method: string, path: string, body?: unknown): Promise<Readonly<Record<string, string>>>;
  /** Creates an organization with an application; resolves with a client that authenticates as the application. */
  addIntegrator(name: string): Promise<{ readonly client: Client }>;
}

const adminToken = 'admin-token-of-the-journeys-0123456789';

export const test = base.extend<object, { installation: Installation }>({
  installation: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures used from this pattern
    async ({}, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'connector-auth-console-'));
      const sandbox = runProgram(['sandbox/src/main.ts'], { PORT: '0' });
      const [, sandboxUrl = ''] = await sandbox.waitForOutput(/"sandbox_ready","url":"([^"]+)"/);
      const service = runProgram(['service/src/main.ts'], {
        PORT: '0',
        DATA_DIR: dataDir,
        SANDBOX_URL: sandboxUrl,
        ADMIN_TOKEN: adminToken,
      });
      try {
        const [line] = await service.waitForOutput(/^.*"service_ready".*$/m);
        const { url } = JSON.parse(line) as { url: string };
        await use(installationAt(url, sandboxUrl));
      } finally {
        await service.stop();
        await sandbox.stop();
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});

function installationAt(url: string, sandboxUrl: string): Installation {
  const admin: Installation['admin'] = async (method, path, body) => {
    const response = await fetch(`${url}/api/v1/admin${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    // The callers read only string members.
    return JSON.parse(text) as Readonly<Record<string, string>>;
  };
  return {
    url,
    sandboxUrl,
    adminToken,
    admin,
    async addIntegrator(name) {
      const organization = await admin('POST', '/organizations', { name });
      const application = await admin('POST', '/applications', {
        name: `${name} backend`,
        organization_ids: [organization['id']],
      });
      const { client_id: clientId = '', client_secret: clientSecret = '' } = application;
      return { client: createClient({ baseUrl: url, clientId, clientSecret }) };
    },
  };
}

/** Opens a page of the console, and signs in if no one is signed in. */
export async function openConsole(page: Page, { url, adminToken }: Installation, path = ''): Promise<void> {
  await page.goto(`${url}/console${path}`);
  const key = page.getByLabel('Admin key', { exact: true });
  await expect(key.or(page.getByRole('navigation', { name: 'Main' }))).toBeVisible();
  if (!(await key.isVisible())) return;
  await key.fill(adminToken);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
}

/** Types the name that a dialog asks for, and confirms. */
export async function confirmWithName(page: Page, name: string, action: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByRole('button', { name: action, exact: true }).click();
  await expect(dialog).toBeHidden();
}

/** Connects Granola with an API key, which cannot be revoked through its API. */
export function connectNotes(client: Client, customer: string, name: string): Promise<Connector> {
  return client.connectors.create({
    customer_name: customer,
    connector_type: 'granola',
    name,
    credentials: { api_key: 'grn_sandbox_demo' },
  });
}

/** Connects Google Ads with a refresh token, which Google can revoke. */
export async function connectAds(
  { sandboxUrl }: Installation,
  client: Client,
  customer: string,
  name: string,
): Promise<Connector> {
  const response = await fetch(`${sandboxUrl}/_sandbox/credentials`);
  // The sandbox documents its credentials in this shape.
  const { vendors } = (await response.json()) as {
    vendors: { key: string; credentials: { works: boolean; values: Record<string, string> }[] }[];
  };
  const works = vendors
    .find(({ key }) => key === 'google-ads')
    ?.credentials.find(credential => credential.works);
  if (!works) throw new Error('The sandbox has no working credentials for Google Ads');
  return client.connectors.create({
    customer_name: customer,
    connector_type: 'google-ads',
    name,
    credentials: works.values,
  });
}

/** Reloads the page until it shows an entry of the audit log, which is written in the background. */
export async function reloadUntilVisible(page: Page, entry: Locator): Promise<void> {
  await expect(async () => {
    await page.reload();
    await expect(entry).toBeVisible({ timeout: 5_000 });
  }).toPass();
}
