import type { Page } from '@playwright/test';
import { expect, test } from '../stack/host-page.ts';

const validKey = 'grn_sandbox_demo';

async function openConnections(page: Page, url: string, company: string): Promise<void> {
  await page.goto(`${url}/#connections`);
  await switchTo(page, company);
}

/** Signs in as another customer and waits for that customer's widget. */
async function switchTo(page: Page, company: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Signed in as' }).selectOption({ label: company });
  const customer = company.toLowerCase().split(' ').slice(0, 2).join('-');
  await expect(page.locator(`connector-auth[data-customer^="${customer}"]`)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Connect a source' })).toBeVisible();
}

async function fillKey(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: /^Granola/ }).click();
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

test('shows an error next to a wrong API key, and the notes for a valid key only to its customer, until it disconnects', async ({
  page,
  demo,
}) => {
  await openConnections(page, demo.url, 'Juniper Bakery');

  await fillKey(page, 'grn_wrong_key');
  const field = page.getByLabel('API key', { exact: true });
  await expect(field).toHaveAccessibleDescription(/^Granola didn't accept this/);
  await expect(field).toHaveValue('grn_wrong_key');
  await page.goto(`${demo.url}/#home`);
  await expect(page.getByRole('heading', { name: 'Notes', exact: true })).toBeVisible();

  await openConnections(page, demo.url, 'Juniper Bakery');
  await fillKey(page, validKey);
  await expect(page.getByRole('heading', { name: /is connected$/ })).toBeVisible();

  const home = page.getByRole('link', { name: 'Home' });
  const notes = page.locator('[data-note]');
  await home.click();
  await expect(notes).toHaveCount(6);

  // A late response to the connectors request must not remove notes that the page already shows.
  const visited = page.waitForResponse('**/connector-auth/connectors');
  await page.getByRole('link', { name: 'Connections' }).click();
  await visited;
  const late = Promise.withResolvers<void>();
  await page.route('**/connector-auth/connectors', async route => {
    await late.promise;
    await route.continue();
  });
  await home.click();
  await expect(notes).toHaveCount(6);
  await page.getByRole('button', { name: 'Older notes' }).click();
  await expect(notes).toHaveCount(12);
  const refreshed = page.waitForResponse('**/connector-auth/connectors');
  late.resolve();
  await (await refreshed).finished();
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))));
  await expect(notes).toHaveCount(12);
  await notes.nth(2).click();
  await expect(page.getByRole('heading', { name: 'Transcript' })).toBeVisible();

  await page.reload();
  await expect(notes).toHaveCount(6);

  const connections = page.getByRole('link', { name: 'Connections' });
  const connected = page.getByRole('heading', { name: 'Your connections', exact: true });
  await connections.click();
  await expect(connected).toBeVisible();
  await switchTo(page, 'Okafor Dental Group');
  await expect(connected).toBeHidden();
  await home.click();
  await expect(page.getByRole('heading', { name: 'Notes', exact: true })).toBeVisible();
  await expect(notes).toHaveCount(0);

  await connections.click();
  await switchTo(page, 'Juniper Bakery');
  await page.getByRole('button', { name: /^Manage/ }).click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { name: 'Connect a source' })).toBeVisible();
  await expect(connected).toBeHidden();
  await home.click();
  await expect(page.getByRole('heading', { name: 'Notes', exact: true })).toBeVisible();
  await expect(notes).toHaveCount(0);
});
