import { createClient } from '@connector-auth/api/client';
import { expect, type Page } from '@playwright/test';
import { test } from '../stack/demo.ts';
import { allow, expectConnected, signInButton, syncAllAccounts } from '../stack/host-page.ts';
import { violationsOf } from '../stack/violations.ts';

test.use({ isSeeded: true });

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

const step = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Demo' }).getByRole('link', { name, exact: true });

/** Checks what a visitor does next at both sizes: it must be in view without scrolling. */
async function expectInView(page: Page, role: 'button' | 'link', name: string | RegExp): Promise<void> {
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size);
    await expect(page.getByRole(role, { name }).first()).toBeInViewport({ ratio: 1 });
  }
}

test('leads in a minute from an OAuth connection to its data and the code, and repairs what breaks', async ({
  page,
  demo,
}) => {
  await page.goto(demo.url);
  // Of sources that the demo has connected.
  await expect(page.getByRole('img', { name: /^Ad spend per day/ })).toBeVisible();
  await expectInView(page, 'link', 'Connect Gong');
  await page.getByRole('link', { name: 'Connect Gong' }).click();

  // The requests are beside the first connection.
  const panel = page.getByRole('complementary', { name: 'Behind the scenes' });
  await expect(panel).toBeVisible();
  await expectInView(page, 'button', /^Sign in with/);
  const popup = page.waitForEvent('popup');
  await signInButton(page).click();
  await allow(await popup);
  await syncAllAccounts(page);
  await expectConnected(page);
  await expectInView(page, 'button', 'See your data');
  await page.getByRole('button', { name: 'See your data' }).click();

  const titles = page.locator('tbody tr th');
  await expect(titles.first()).toBeVisible();
  await expect(step(page, 'Connect done')).toBeVisible();
  await expect(step(page, 'See the data done')).toBeVisible();
  await page.getByRole('combobox', { name: 'Filter by Direction' }).selectOption('Inbound');
  await page.getByRole('searchbox').fill('quote');
  // The first sync may import more matches, but the list must never show a record that does not match.
  await expect(titles.filter({ hasNotText: /quote/i })).toHaveCount(0);
  await expect(page.locator('tbody tr').filter({ hasNotText: 'Inbound' })).toHaveCount(0);
  await titles.filter({ hasText: /quote/i }).first().getByRole('button').click();
  await expect(page.getByRole('dialog', { name: /quote/i }).getByText('Duration')).toBeVisible();
  await page.keyboard.press('Escape');

  await expectInView(page, 'link', '3 See the code');
  await step(page, '3 See the code').click();
  const requests = panel.locator('[data-request]');
  await expect(requests).toHaveText([/Mint.*200/s, /consent.*200/s, /Create.*201/s, /Read the data.*200/s]);
  // That of the last request is open already.
  for (const request of (await requests.all()).slice(0, -1)) await request.getByText('Show the code').click();
  await expect(panel.getByRole('region', { name: 'Create the connection' })).toContainText(
    '"server_side_oauth_secret_id": "YOUR_SERVER_SIDE_OAUTH_SECRET_ID"',
  );
  await panel.getByRole('button', { name: 'TypeScript' }).click();
  await expect(panel.getByRole('region', { name: 'Read the data' })).toContainText('customer.execute(');
  const connected = panel.locator('[data-event="connector.connected"]');
  await connected.getByText('Show the event').click();
  await expect(connected).toContainText('"customer_name": "juniper-bakery"');
  await expect(panel.locator('[data-event="sync.finished"]')).toBeVisible();
  expect(await panel.innerText()).not.toMatch(/eyJ/);
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(page.getByRole('button', { name: 'Behind the scenes' })).toBeFocused();

  await page.getByRole('button', { name: 'Break it' }).click();
  await expect(page.getByRole('button', { name: /Gong.*Reconnect/s })).toBeVisible();
  await expectInView(page, 'link', 'Repair it');
  await page.getByRole('link', { name: 'Repair it' }).click();
  await expectInView(page, 'button', /^Sign in with/);
  await signInButton(page).click();
  await expectConnected(page);
  await expect(page.getByRole('button', { name: 'Break it' })).toBeVisible();
  await page.getByRole('button', { name: 'Behind the scenes' }).click();
  await expect(panel.locator('[data-event="connector.needs_reauth"]')).toBeVisible();
  await expect(panel.locator('[data-event="connector.reconnected"]')).toBeVisible();

  // A record that is added at the vendor appears without a reload of the page.
  await page.getByRole('link', { name: 'Home' }).click();
  const notes = page.locator('fieldbook-latest').filter({ hasText: 'notes' });
  await expect(notes.getByRole('listitem')).toHaveCount(5);
  await page.evaluate(() => Object.assign(window, { isFirstLoad: true }));
  const added = await fetch(`${demo.sandboxUrl}/_sandbox/vendors/granola/actions/add-note`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: 'juniper-bakery', title: 'Added at the vendor' }),
  });
  expect(added.status).toBe(200);
  const { serviceUrl: baseUrl, clientId, clientSecret } = demo;
  const { connectors } = createClient({ baseUrl, clientId, clientSecret });
  const { data } = await connectors.list({ connector_type: 'granola', customer_name: 'juniper-bakery' });
  await connectors.sync(data[0]?.id ?? '');
  await expect(notes.getByText('Added at the vendor')).toBeVisible();
  expect(await page.evaluate(() => 'isFirstLoad' in window)).toBe(true);
});

test('shows every page without violations, on a light desktop and a dark phone', async ({ page, demo }) => {
  for (const route of [
    'home',
    'connections',
    'connections/tiktok-marketing',
    'data/google-ads',
    'data/granola',
  ]) {
    await page.goto(`${demo.url}/#${route}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator(':is(.skeleton, [aria-busy="true"]):visible')).toHaveCount(0);
    await expectAccessible(page, route);
  }
  await step(page, '3 See the code').click();
  await page.getByText('Show the code').first().click();
  await expectAccessible(page, 'panel');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.locator('tbody tr').first().getByRole('button').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'record');
});

/** Checks all rules in both colour schemes, and that nothing is wider than the window. */
async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const [colorScheme, size] of [
    ['dark', phone],
    ['light', desktop],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    expect(await violationsOf(page), `${name}, ${colorScheme}`).toEqual([]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, name).toBeLessThanOrEqual(size.width);
  }
}
