import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { test } from '../stack/demo.ts';

test.use({ isSeeded: true });

test('shows data at once, and the notes of Granola after three clicks', async ({ page, demo }) => {
  await page.goto(demo.url);
  // Of a source that the demo has connected.
  await expect(page.locator('fieldbook-chart svg').first()).toBeVisible();

  await page.getByRole('button', { name: 'Connect Granola' }).click();
  await page.getByRole('button', { name: 'Fill sandbox key' }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('Granola is connected.')).toBeVisible();
  await expect(page.locator('fieldbook-notes').getByRole('listitem').first()).toBeVisible();

  await page.reload();
  await expect(page.locator('fieldbook-notes').getByRole('listitem').first()).toBeVisible();
});

test('lists the requests of the page and of the widget as they go, with code and no secret', async ({
  page,
  demo,
}) => {
  await page.goto(`${demo.url}/#connections/tiktok-marketing`);
  await page.getByRole('button', { name: 'What just happened' }).focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'What just happened' });
  await expect(drawer).toBeVisible();
  await expect(drawer.getByText('Mint a widget token')).toBeVisible();

  // The page stays usable beside the drawer.
  await page.getByRole('button', { name: 'Use an access token instead' }).click();
  await page.getByRole('button', { name: 'Fill sandbox key' }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const created = drawer.getByRole('listitem').filter({ hasText: 'Connect TikTok Marketing' });
  await expect(created.getByText('201')).toBeVisible();
  await created.getByText('Connect TikTok Marketing').click();
  await expect(created.getByRole('region', { name: 'curl' })).toContainText(
    '"access_token": "YOUR_ACCESS_TOKEN"',
  );
  await drawer.getByRole('button', { name: 'TypeScript' }).click();
  await expect(created.getByRole('region', { name: 'TypeScript' })).toContainText(
    'customer.connectors.create({',
  );
  expect(await drawer.innerText()).not.toMatch(/sandbox_|eyJ/);

  // The drawer takes room from the filters, whose values stay readable.
  await page.getByRole('link', { name: 'Data' }).click();
  const condition = page.locator('fieldbook-query .condition select').first();
  await expect(condition).toBeVisible();
  expect((await condition.boundingBox())?.width).toBeGreaterThan(100);
  await drawer.getByRole('button', { name: 'curl' }).click();

  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(page.getByRole('button', { name: 'What just happened' })).toBeFocused();
});

test('shows every page without violations, on a light desktop and a dark phone', async ({ page, demo }) => {
  for (const route of ['home', 'connections', 'connections/tiktok-marketing', 'data', 'playground']) {
    await page.goto(`${demo.url}/#${route}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator(':is(.skeleton, [aria-busy="true"]):visible')).toHaveCount(0);
    await expectAccessible(page, route);
  }
  await page.getByRole('button', { name: 'What just happened' }).click();
  await expectAccessible(page, 'drawer');
});

/** Checks all rules in both colour schemes, and that nothing is wider than the window. */
async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
      `${name}, ${colorScheme}`,
    ).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width);
  }
}
