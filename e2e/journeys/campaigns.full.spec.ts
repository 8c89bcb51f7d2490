import { expect } from '@playwright/test';
import { test } from '../stack/demo.ts';

test.use({ isSeeded: true });

test('pauses a campaign and labels it, and shows both in the list', async ({ page, demo }) => {
  await page.goto(`${demo.url}/#data`);
  // Rows move as long as campaigns are imported.
  await expect(page.getByText(/^Google Ads, updated/)).toBeVisible();
  const campaigns = page.getByRole('region', { name: 'Campaigns' }).locator('tbody tr');
  const enabled = campaigns.filter({ hasText: 'Enabled' }).first();
  const name = await enabled.getByRole('button').innerText();
  const campaign = campaigns.filter({ has: page.getByRole('button', { name, exact: true }) });
  await enabled.getByRole('button').click();
  await expect(page.getByRole('dialog', { name })).toBeVisible();
  // The panel's content is slotted into its dialog, so it is no descendant of the dialog.
  const record = page.locator('fieldbook-record');

  await record.getByRole('button', { name: 'Pause campaign' }).click();
  await expect(record.getByText(`Pause “${name}” in Google Ads?`)).toBeVisible();
  await expect(campaign).toContainText('Enabled');
  await record.getByRole('button', { name: 'Pause campaign' }).click();
  await expect(record.getByText('Paused in Google Ads.')).toBeVisible();

  await record.getByLabel('Label', { exact: true }).fill('Journey');
  await page.keyboard.press('Enter');
  await record.getByRole('button', { name: 'Add label' }).click();
  await expect(record.getByText('Added the label “Journey” in Google Ads.')).toBeVisible();

  await page.keyboard.press('Escape');
  await expect(campaign.getByRole('button')).toBeFocused();
  await expect(campaign).toContainText('Paused');
  await expect(campaign).toContainText('Journey');
});
