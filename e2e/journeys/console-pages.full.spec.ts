import type { Page } from '@playwright/test';
import { connectNotes, expect, openConsole, test } from '../stack/console.ts';
import { violationsOf } from '../stack/violations.ts';

/** Every page of the console that has no id in its path. */
const paths = [
  '',
  '/start',
  '/organizations',
  '/organizations/new',
  '/applications',
  '/applications/new',
  '/customers',
  '/connectors',
  '/sync-jobs',
  '/vendor-quotas',
  '/incidents',
  '/incidents/new?scope=customer',
  '/audit',
  '/keys',
  '/keys/new',
];

/** Resolves when everything that the page requests has arrived. */
async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('.skeletons, [aria-busy="true"]')).toHaveCount(0);
}

/** Checks all rules, the colours of the dark theme, and that nothing is wider than a phone. */
async function expectAccessible(page: Page, name: string): Promise<void> {
  expect(await violationsOf(page), name).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violationsOf(page, 'color-contrast'), `${name}, dark`).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(390);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
}

test('shows every page of a running service without violations, errors or missing endpoints', async ({
  page,
  installation,
}) => {
  const { client } = await installation.addIntegrator('Pages');
  const { id } = await connectNotes(client, 'acme', 'Notes of the pages');
  await client.execute(id, { entity: 'notes', action: 'list', params: { page_size: 1 } });
  const problems: string[] = [];
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) => {
      // oxlint-disable-next-line eslint/no-console -- the page reports it to the test
      console.error(`Violates ${violatedDirective}: ${sample}`);
    });
  });
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', message => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('response', response => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  await openConsole(page, installation);
  // Without a session, the first request gets 401, which is how the console finds out.
  problems.length = 0;

  const details = [
    `/connectors/${id}`,
    `/customers/${(await client.customers.list()).data[0]?.id}`,
    `/organizations/${(await client.organizations.list()).data[0]?.id}`,
  ];
  for (const path of [...paths, ...details]) {
    await openConsole(page, installation, path);
    await expectLoaded(page);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expectAccessible(page, path);
  }
  expect(problems).toEqual([]);

  await openConsole(page, installation, `/audit?connector_id=${id}`);
  await expect(page.getByRole('button', { name: 'List notes' })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export NDJSON' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.ndjson$/);
});
