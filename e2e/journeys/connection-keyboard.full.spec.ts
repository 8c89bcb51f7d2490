import type { Locator, Page } from '@playwright/test';
import { expect, expectConnected, signInButton, test } from '../stack/host-page.ts';

// Connects, chooses accounts, manages and reconnects with the keyboard only, and compares what screen readers are
// given on each of these screens.

test('connects, chooses accounts, manages and reconnects with the keyboard only', async ({ page, host }) => {
  await host.open(page, 'keyboard', { access: 'read' });
  const widget = page.locator('connector-auth');
  await tabTo(page.getByRole('button', { name: /^GitHub/ }));
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('button', { name: /^Gong/ })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('button', { name: /^Google Ads/ })).toBeFocused();
  await page.keyboard.press('Enter');

  await expect(widget).toMatchAriaSnapshot(`
    - button "Back"
    - banner:
      - heading "Connect Google Ads to Fieldbook" [level=2]
    - list:
      - /children: equal
      - listitem: Reads campaigns, ads, and daily performance
      - listitem: Never changes your campaigns, ad groups, or labels Google will say “edit”. Fieldbook only reads.
      - listitem: Syncs every hour
    - group: What’s included
    - paragraph: Fieldbook never sees your password.
    - button "Sign in with Google"
    - button "Use your own sign-in app instead"
    - status: Connect Google Ads to Fieldbook
  `);
  await consent(page);

  await expect(widget).toMatchAriaSnapshot(`
    - button "Back"
    - banner:
      - heading "Choose Google Ads accounts" [level=2]
      - paragraph: All are selected, including any added later.
    - checkbox "Select all (4)" [checked]
    - list:
      - /children: equal
      - listitem:
        - checkbox "555-000-9876 USD · Client" [checked]
      - listitem:
        - checkbox "Tidewater Düfte GmbH 666-000-7788 · EUR · Client" [checked]
      - listitem:
        - checkbox "Tidewater Soap 612-045-9183 · EUR · Client" [checked]
      - listitem:
        - checkbox "Tidewater 日本 815-002-3344 · JPY · Client" [checked]
      - listitem:
        - checkbox "Tidewater Candles (closed) 444-000-1112 · EUR · Client This account is canceled" [disabled]
      - listitem:
        - checkbox "Tidewater EMEA 902-003-1100 · EUR · Manager Manager accounts have no campaigns of their own" [disabled]
      - listitem:
        - checkbox "Tidewater Gifts 234-005-6677 · EUR · Client Google has suspended this account" [disabled]
      - listitem:
        - checkbox "Tidewater Group 733-001-2455 · USD · Manager Manager accounts have no campaigns of their own" [disabled]
    - group: Options
    - button "Sync everything"
    - status: Choose Google Ads accounts
  `);
  const all = page.getByRole('checkbox', { name: 'Select all (4)' });
  await expect(all).toBeFocused();
  await page.keyboard.press('Space');
  await expect(all).not.toBeChecked();
  await tabTo(page.getByRole('checkbox', { name: /^Tidewater Soap/ }));
  await page.keyboard.press('Space');
  await press(page.getByRole('button', { name: 'Sync 1 account', exact: true }));
  await expectConnected(page, 'Google Ads');
  await press(page.getByRole('button', { name: 'Done' }));
  await expect(page.getByRole('button', { name: 'Manage Google Ads' })).toBeFocused();
  await page.keyboard.press('Enter');

  await expect(widget).toMatchAriaSnapshot(`
    - button "Back"
    - banner:
      - heading "Google Ads" [level=2]
      - paragraph: /Since .+ Read only/
      - button "Rename"
    - group /Syncing|Up to date/
    - heading "Data" [level=3]
    - list:
      - /children: equal
      - listitem: /^Accounts/
      - listitem: /^Campaigns/
      - listitem: /^Ad groups/
      - listitem: /^Ads/
      - listitem: /^Campaign labels/
      - listitem: /^Ad group labels/
      - listitem: /^Ad labels/
    - heading "Accounts" [level=3]
    - text: 1 account
    - button "Edit"
    - button "Reconnect"
    - button "Disconnect"
    - status: Google Ads
  `);
  await press(page.getByRole('button', { name: 'Edit' }));
  await expect(page.getByRole('checkbox', { name: 'Select all (4)' })).toBeFocused();
  await tabTo(page.getByRole('checkbox', { name: /^Tidewater 日本/ }));
  await page.keyboard.press('Space');
  await press(page.getByRole('button', { name: 'Save changes' }));
  await expect(page.getByText('2 accounts', { exact: true })).toBeVisible();
  await press(page.getByRole('button', { name: 'Reconnect' }));

  await expect(widget).toMatchAriaSnapshot(`
    - button "Back"
    - banner:
      - heading "Reconnect Google Ads" [level=2]
    - list:
      - /children: equal
      - listitem: Reads campaigns, ads, and daily performance
      - listitem: Never changes your campaigns, ad groups, or labels Google will say “edit”. Fieldbook only reads.
      - listitem: Syncs every hour
    - group: What’s included
    - paragraph: Fieldbook never sees your password.
    - button "Sign in with Google"
    - status: Reconnect Google Ads
  `);
  await consent(page);
  await expectConnected(page, 'Google Ads');
  expect(await host.connectorsOf('keyboard')).toHaveLength(1);

  await press(page.getByRole('button', { name: 'Done' }));
  await page.keyboard.press('Enter');
  await press(page.getByRole('button', { name: 'Disconnect' }));
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Disconnect' })).toBeFocused();
  await page.keyboard.press('Enter');
  await press(page.getByRole('region').getByRole('button', { name: 'Disconnect' }));
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await press(page.getByRole('button', { name: 'Done' }));
  await expect(page.getByRole('heading', { name: 'Your connections', exact: true })).toBeHidden();
  expect(await host.connectorsOf('keyboard')).toEqual([]);
});

/** Starts the sign-in, and allows access on the vendor's page. */
async function consent(page: Page): Promise<void> {
  const opened = page.waitForEvent('popup');
  await press(signInButton(page));
  const allow = (await opened).getByRole('button', { name: 'Allow' });
  await tabTo(allow);
  // Space presses a button when it is released; Enter does before, and the page can close meanwhile.
  await allow.page().keyboard.press('Space');
}

/** Moves focus to a control with the Tab key, and presses it. */
async function press(control: Locator): Promise<void> {
  await tabTo(control);
  await control.page().keyboard.press('Enter');
}

/** Moves focus to a control with the Tab key. */
async function tabTo(control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  const isFocused = () =>
    control.evaluate(element => {
      const { activeElement } = element.getRootNode() as Document | ShadowRoot;
      return activeElement === element;
    });
  for (let presses = 0; presses < 20 && !(await isFocused()); presses++) {
    await control.page().keyboard.press('Tab');
  }
  await expect(control).toBeFocused();
}
