import type { Page } from '@playwright/test';
import {
  allow,
  chooseAccount,
  expect,
  expectConnected,
  signInTo,
  syncAllAccounts,
  syncButton,
  test,
} from '../stack/host-page.ts';

/** The sources whose sign-ins see several accounts, with the setting that stores the chosen ones. */
const sources = [
  { vendor: 'google-ads', name: 'Google Ads', setting: 'customer_id' },
  { vendor: 'tiktok-marketing', name: 'TikTok Marketing', setting: 'advertiser_ids' },
  { vendor: 'gong', name: 'Gong', setting: 'workspace_ids' },
];

for (const { vendor, name, setting } of sources) {
  for (const severed of ['the vendor', 'the host page']) {
    test(`connects ${name}, syncs only the chosen accounts and shows data, with an opener severed by ${severed}`, async ({
      page,
      host,
    }) => {
      const customer = `${vendor}-severed-by-${severed.replaceAll(' ', '-')}`;
      await host.setVendor(vendor, { coop: severed === 'the vendor' });
      await host.open(page, customer, severed === 'the host page' ? { coop: 'same-origin' } : {});
      await allow(await signInTo(page, name));
      const isGong = vendor === 'gong';
      const title = isGong ? 'Workspaces' : `Choose ${name} accounts`;
      await expect(page.getByRole('heading', { name: title })).toBeVisible();
      await expect(availableAccounts(page).first()).toBeVisible();
      const chosen = (await availableAccounts(page).count()) - 1;
      await availableAccounts(page).first().uncheck();
      await expect(syncButton(page)).toHaveText(isGong ? 'Connect' : `Sync ${chosen} accounts`);
      await syncButton(page).click();
      await expectConnected(page, name);
      await expect(page.locator('[part="records"]')).toHaveText(/^[1-9][\d,]* records?( so far)?$/);
      const [connector] = await host.connectorsOf(customer);
      expect(connector?.replication_config[setting]).toHaveLength(chosen);
    });
  }
}

test('connects Granola with a key and shows data, with Cross-Origin-Opener-Policy on the host page', async ({
  page,
  host,
}) => {
  await host.open(page, 'granola-severed', { coop: 'same-origin' });
  await page.getByRole('button', { name: /^Granola/ }).click();
  await page.getByLabel('API key', { exact: true }).fill('grn_sandbox_demo');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expectConnected(page, 'Granola');
  await expect(page.locator('[part="records"]')).toHaveText(/^[1-9][\d,]* records( so far)?$/);
});

test('stores the settings that the customer sets with the accounts', async ({ page, host }) => {
  await host.open(page, 'settings');
  await allow(await signInTo(page, 'TikTok Marketing'));
  await page.getByText('Options', { exact: true }).click();
  await page.getByLabel('Start date').fill('2026-01-01');
  await syncAllAccounts(page);
  await expectConnected(page, 'TikTok Marketing');
  const [connector] = await host.connectorsOf('settings');
  // Without a list of accounts, those that the advertiser adds later are synced too.
  expect(connector?.replication_config).toEqual({ start_date: '2026-01-01' });
});

test('changes the accounts of a connection later', async ({ page, host }) => {
  await host.open(page, 'edited');
  await allow(await signInTo(page, 'Google Ads'));
  await syncAllAccounts(page);
  await expectConnected(page, 'Google Ads');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Manage Google Ads' }).click();
  await expect(page.getByText('All', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('checkbox', { name: /^Tidewater Soap/ }).uncheck();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('3 accounts', { exact: true })).toBeVisible();
  const [connector] = await host.connectorsOf('edited');
  expect(connector?.replication_config['customer_id']).toHaveLength(3);
  expect(connector?.replication_config['customer_id']).not.toContain('6120459183');

  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByRole('checkbox', { name: /^Tidewater Soap/ })).not.toBeChecked();
  await page.getByRole('checkbox', { name: 'Select all (4)' }).check();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('All', { exact: true })).toBeVisible();
});

test('finds one of 1,999 accounts', async ({ page, host }) => {
  await host.open(page, 'agency');
  const popup = await signInTo(page, 'Google Ads');
  await chooseAccount(popup, 'agency@quayside.example');
  await allow(popup);
  const all = page.getByRole('checkbox', { name: /^Select all/ });
  await expect(all).toBeChecked();
  await all.uncheck();
  await expect(page.getByText('Choose at least one')).toBeVisible();
  const name = (await page.locator('[part="account"] [part="name"]').nth(5).textContent()) ?? '';
  await page.getByRole('searchbox', { name: 'Search by name' }).fill(name);
  await availableAccounts(page).first().check();
  await page.getByRole('button', { name: 'Sync 1 account', exact: true }).click();
  await expectConnected(page, 'Google Ads');
  const [connector] = await host.connectorsOf('agency');
  expect(connector?.replication_config['customer_id']).toHaveLength(1);
});

test('lets the customer use another sign-in if the first one sees no account', async ({ page, host }) => {
  await host.open(page, 'no-accounts');
  const popup = await signInTo(page, 'Google Ads');
  await chooseAccount(popup, 'new@tidewater.example');
  await allow(popup);
  await expect(page.getByRole('heading', { name: 'Nothing to sync' })).toBeVisible();
  await page.getByRole('button', { name: 'Use a different sign-in' }).click();
  await expect(page.getByRole('button', { name: 'Sign in with Google' })).toBeVisible();
  expect(await host.connectorsOf('no-accounts')).toEqual([]);
});

/** The checkboxes of the accounts that can be synced. */
function availableAccounts(page: Page) {
  return page.getByRole('listitem').getByRole('checkbox', { disabled: false });
}
