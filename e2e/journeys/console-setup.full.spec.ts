import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { runProgram, type RunningProgram } from '../stack/processes.ts';

/** Starts a service with an empty database until the test ends. */
async function withNewService(
  use: (service: { readonly url: string; readonly program: RunningProgram }) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'connector-auth-setup-'));
  const sandbox = runProgram(['sandbox/src/main.ts'], { PORT: '0' });
  let program: RunningProgram | undefined;
  try {
    const [, sandboxUrl = ''] = await sandbox.waitForOutput(/"sandbox_ready","url":"([^"]+)"/);
    program = runProgram(['service/src/main.ts'], { PORT: '0', DATA_DIR: dataDir, SANDBOX_URL: sandboxUrl });
    const [, url = ''] = await program.waitForOutput(/"url":"([^"]+)".*"service_ready"/);
    await use({ url, program });
  } finally {
    await program?.stop();
    await sandbox.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Reads the variables that the console shows to paste. */
async function readEnvironment(page: Page): Promise<Readonly<Record<string, string>>> {
  const text = await page.getByRole('region', { name: 'Environment' }).innerText();
  return Object.fromEntries(
    text.split('\n').flatMap(line => {
      const [, name, value] = /^(\w+)=(.+)$/.exec(line) ?? [];
      return name && value ? [[name, value]] : [];
    }),
  );
}

/** Starts an integrator's page with the pasted variables. */
async function startIntegrator(
  environment: Readonly<Record<string, string>>,
): Promise<RunningProgram & { readonly url: string }> {
  const { SERVICE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '' } = environment;
  const program = runProgram(['e2e/stack/host-page-server.ts', SERVICE_URL, CLIENT_ID, CLIENT_SECRET]);
  const [, url = ''] = await program.waitForOutput(/host page at (\S+)/);
  return { ...program, url };
}

async function mintedTokenStatus(environment: Readonly<Record<string, string>>): Promise<number> {
  const response = await fetch(`${environment['SERVICE_URL']}/api/v1/account/applications/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_id: environment['CLIENT_ID'],
      client_secret: environment['CLIENT_SECRET'],
    }),
  });
  return response.status;
}

test('leads from an empty database to a connected widget, rotates its secret and disables it', async ({
  page,
  context,
}) => {
  await withNewService(async ({ url, program }) => {
    const violations: string[] = [];
    page.on('console', message => {
      if (message.text().includes('Content Security Policy')) violations.push(message.text());
    });
    const [, code = ''] = await program.waitForOutput(/works once[^]*?\n\s+(\S+)\n/);

    await page.goto(`${url}/console`);
    await page.getByLabel('Set-up code').fill(code);
    await page.getByLabel('Name of your admin key').fill('First operator');
    await page.getByRole('button', { name: 'Create admin key' }).click();
    const key = await page.locator('.secret-value code').innerText();
    await page.getByRole('button', { name: 'I’ve stored it, continue' }).click();

    await page.getByLabel('Name').fill('Acme Analytics');
    await page.getByRole('button', { name: 'Create organization' }).click();
    await expect(page.getByRole('heading', { name: 'Step 2 of 3: Application' })).toBeFocused();
    await page.getByLabel('Name').fill('Acme backend');
    await page.getByRole('button', { name: 'Create application' }).click();
    const environment = await readEnvironment(page);
    expect(environment['SERVICE_URL']).toBe(url);

    const integrator = await startIntegrator(environment);
    const host = await context.newPage();
    try {
      await host.goto(`${integrator.url}/?customer=first`);
      await host.getByRole('button', { name: /^Granola/ }).click();
      await host.getByLabel('API key', { exact: true }).fill('grn_sandbox_demo');
      await host.getByRole('button', { name: 'Connect', exact: true }).click();
      await expect(host.getByRole('heading', { name: /is connected$/ })).toBeVisible();
    } finally {
      await integrator.stop();
    }

    await page.getByRole('link', { name: 'I’ve stored it, finish' }).click();
    await expect(page.getByRole('link', { name: 'Connector 1' })).toBeVisible();

    // The session and the key work, and the set-up code does not.
    await page.getByLabel('Signed in with').click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByLabel('Admin key', { exact: true }).fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Applications', exact: true }).click();
    await page.getByRole('link', { name: 'Acme backend' }).click();

    // Both secrets work until the old one is deleted.
    await page.getByRole('button', { name: 'Add a second secret' }).click();
    await page.getByRole('button', { name: 'Add secret' }).click();
    const rotated = await readEnvironment(page);
    expect(rotated['CLIENT_SECRET']).not.toBe(environment['CLIENT_SECRET']);
    expect(await Promise.all([environment, rotated].map(mintedTokenStatus))).toEqual([200, 200]);
    await page.getByRole('button', { name: 'I’ve stored it, close' }).click();
    await page
      .getByRole('button', { name: /^Delete the secret/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Delete secret' }).click();
    await expect(page.getByText('Client secret deleted')).toBeVisible();
    expect(await Promise.all([environment, rotated].map(mintedTokenStatus))).toEqual([401, 200]);

    await page.getByRole('button', { name: 'Disable application' }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Acme backend');
    await page.keyboard.press('Enter');
    await expect(page.getByText('This application is disabled')).toBeVisible();
    expect(await mintedTokenStatus(rotated)).toBe(401);

    expect(violations).toEqual([]);
    // Neither the code nor a secret is in the log.
    const log = program.output().replace(/\n\s+\S+\n/, '');
    for (const secret of [key, environment['CLIENT_SECRET'] ?? '', rotated['CLIENT_SECRET'] ?? '']) {
      expect(log).not.toContain(secret);
    }
  });
});
