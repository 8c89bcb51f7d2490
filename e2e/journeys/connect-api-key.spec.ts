import type { Page } from '@playwright/test';
import { expect, test } from '../stack/host-page.ts';

const validKey = 'grn_sandbox_demo';

async function fillKey(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: /^Granola/ }).click();
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

/** Signs in as another customer, whose page is then loaded. */
async function switchTo(page: Page, company: string, person: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Signed in as' }).selectOption({ label: company });
  await expect(page.getByText(person)).toBeVisible();
}

test('shows an error next to a wrong API key, and the notes for a valid key only to its customer, until it disconnects', async ({
  page,
  demo,
}) => {
  await page.goto(`${demo.url}/#connections`);
  await fillKey(page, 'grn_wrong_key');
  const field = page.getByLabel('API key', { exact: true });
  await expect(field).toHaveAccessibleDescription(/^Granola didn't accept this/);
  await expect(field).toHaveValue('grn_wrong_key');
  const data = page.getByRole('link', { name: 'Data', exact: true });
  const nothing = page.getByRole('heading', { name: 'Nothing connected yet' });
  await data.click();
  await expect(nothing).toBeVisible();

  await page.getByRole('link', { name: 'Connections' }).click();
  await fillKey(page, validKey);
  await expect(page.getByRole('heading', { name: /is connected$/ })).toBeVisible();
  await page.getByRole('button', { name: 'See your data' }).click();
  const notes = page.locator('tbody tr');
  await expect(notes.first()).toBeVisible();
  await notes.nth(2).getByRole('button').click();
  await expect(page.getByRole('dialog').getByText('Transcript', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(notes.first()).toBeVisible();

  await switchTo(page, 'Okafor Dental Group', 'Chidi Okafor');
  await expect(nothing).toBeVisible();
  await expect(notes).toHaveCount(0);

  await switchTo(page, 'Juniper Bakery', 'Amina Diallo');
  await page.getByRole('link', { name: 'Connections' }).click();
  await page.getByRole('button', { name: /^Manage/ }).click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { name: 'Connect a source' })).toBeVisible();
  await data.click();
  await expect(nothing).toBeVisible();
});
