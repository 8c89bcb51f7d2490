import { expect } from '@playwright/test';
import { test } from '../stack/demo.ts';
import { expectConnected } from '../stack/host-page.ts';

test('connects a source that is not built in, and shows the data of the customer', async ({ page, demo }) => {
  await page.goto(`${demo.url}/#connections`);
  await page.getByRole('button', { name: /^GitHub/ }).click();
  await page.getByRole('button', { name: 'Fill in a test key' }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expectConnected(page, 'GitHub');
  await page.getByRole('button', { name: 'See your data' }).click();

  await page.getByRole('combobox', { name: 'Filter by State' }).selectOption('open');
  await page.getByRole('searchbox').fill('price of');
  const issues = page.locator('tbody tr');
  await expect(issues.filter({ hasNotText: /price of/i })).toHaveCount(0);
  await issues.first().getByRole('button').click();
  await expect(page.getByRole('dialog', { name: /price of/i })).toContainText('juniper-bakery/');
});
