import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test, type Demo } from '../stack/host-page.ts';
import { runProgram } from '../stack/processes.ts';

// Runs the server-side OAuth example of `@connector-auth/api` against the demo's service and sandbox.

async function withExample(demo: Demo, use: (url: string) => Promise<void>): Promise<void> {
  const example = runProgram(['api/examples/server-side-oauth.ts'], {
    SERVICE_URL: demo.serviceUrl,
    CLIENT_ID: demo.clientId,
    CLIENT_SECRET: demo.clientSecret,
    PORT: String(await freePort()),
  });
  try {
    const [, url = ''] = await example.waitForOutput(/Open (\S+)/);
    await use(url);
  } finally {
    await example.stop();
  }
}

/** Returns a free port from the ephemeral range. Browsers block some ports outside this range. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  // A server listening on a port has an AddressInfo.
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function decide(page: Page, decision: 'Allow' | 'Deny'): Promise<void> {
  await page.waitForURL(/app\.gong\.io/);
  await page.getByRole('button', { name: decision, exact: true }).click();
}

test('creates a working connector through a consent link, without the widget', async ({ page, demo }) => {
  await withExample(demo, async url => {
    await page.goto(url);
    await page.getByRole('link', { name: 'Connect Gong' }).click();
    // The service shows no confirmation page, because the link is on the integrator's own page.
    await decide(page, 'Allow');
    await expect(page.getByText(/Connected: \d+ users/)).toBeVisible();
    // A reload sends the same secret id and gets the same connector.
    await page.reload();
    await expect(page.getByText(/Connected: \d+ users/)).toBeVisible();
  });
});

test('reports denied access, and lets the customer try again, without the widget', async ({ page, demo }) => {
  await withExample(demo, async url => {
    await page.goto(url);
    await page.getByRole('link', { name: 'Connect Gong' }).click();
    await decide(page, 'Deny');
    await expect(page.getByText('Nothing was connected')).toBeVisible();
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Connect Gong' }).click();
    await decide(page, 'Allow');
    await expect(page.getByText(/Connected: \d+ users/)).toBeVisible();
  });
});
