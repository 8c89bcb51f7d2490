import type { Page } from '@playwright/test';
import { allow, chooseSignIn, expect, expectConnected, syncAllAccounts, test } from '../stack/host-page.ts';

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

test('shows an error next to a wrong API key, then shows notes for a valid key, even after a reload', async ({
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
});

test("hides a customer's connector from other customers", async ({ page, demo }) => {
  await openConnections(page, demo.url, 'Northquay Logistics');
  await fillKey(page, validKey);
  await expect(page.getByRole('heading', { name: /is connected$/ })).toBeVisible();

  await switchTo(page, 'Okafor Dental Group');
  await expect(page.getByRole('heading', { name: 'Connected', exact: true })).toBeHidden();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('heading', { name: 'Notes', exact: true })).toBeVisible();
});

test('removes the notes when a customer disconnects the source', async ({ page, demo }) => {
  await openConnections(page, demo.url, 'Okafor Dental Group');
  await fillKey(page, validKey);
  await page.getByRole('button', { name: 'Connect another source' }).click();
  await page.getByRole('button', { name: /^Manage/ }).click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByRole('heading', { name: 'Connect a source' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Connected', exact: true })).toBeHidden();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('heading', { name: 'Notes', exact: true })).toBeVisible();
});

test('returns to the connections page after an OAuth flow in an in-app browser', async ({
  browser,
  demo,
}) => {
  const context = await browser.newContext({
    userAgent: 'Mozilla/5.0 (iPhone) Mobile/22A3354 Instagram 350.0',
  });
  const page = await context.newPage();
  await openConnections(page, demo.url, 'Northquay Logistics');
  await chooseSignIn(page, 'Gong');
  await allow(page);
  await syncAllAccounts(page);
  await expectConnected(page);
  await expect(page.getByRole('link', { name: 'Connections' })).toHaveAttribute('aria-current', 'page');
  await page.getByRole('button', { name: 'See your data' }).click();
  await expect(page.getByRole('button', { name: 'Gong' })).toHaveAttribute('aria-pressed', 'true');
  await context.close();
});
