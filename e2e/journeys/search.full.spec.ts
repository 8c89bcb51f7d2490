import { expect, test } from '../stack/host-page.ts';

test('leads from the success screen to the imported records, and finds them by their text', async ({
  page,
  demo,
}) => {
  await page.goto(`${demo.url}/#connections`);
  await page.getByRole('combobox', { name: 'Signed in as' }).selectOption({ label: 'Juniper Bakery' });
  await expect(page.locator('connector-auth[data-customer="juniper-bakery"]')).toBeVisible();
  await page.getByRole('button', { name: /^Gong/ }).click();
  await page.getByRole('button', { name: 'Use an access key instead' }).click();
  await page.getByLabel('Access key', { exact: true }).fill('gong_sandbox_demo');
  await page.getByLabel('Access key secret', { exact: true }).fill('gong_sandbox_demo_secret');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByRole('heading', { name: /is connected$/ })).toBeVisible();

  await page.getByRole('button', { name: 'See your data' }).click();
  await expect(page.getByLabel('Type of data')).toHaveValue('calls');
  const titles = page.locator('tbody tr th');
  await expect(titles.first()).toBeVisible();
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByLabel('Field of condition 1').selectOption({ label: 'Title' });
  await page.getByLabel('Value of condition 1').fill('renewal');
  await page.keyboard.press('Enter');
  await page.getByText('The same search as code').click();
  await expect(page.getByRole('region', { name: 'JSON' })).toContainText('"title": "%renewal%"');
  // The first sync may import more matches, but the list must never show a record that does not match.
  await expect(titles.filter({ hasNotText: /renewal/i })).toHaveCount(0);
  await expect(titles.filter({ hasText: /renewal/i }).first()).toBeVisible({ timeout: 30_000 });
});
