import type { Locator, Page } from '@playwright/test';
import { connectNotes, expect, openConsole, reloadUntilVisible, test } from '../stack/console.ts';

/** More than the audit log has in one page, in which other journeys leave entries too. */
const maxStops = 200;

/** Presses Tab until the element has focus. Fails if focus is lost on the way. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stop = 0; stop < maxStops; stop += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate(element => element === document.activeElement)) return;
  }
  throw new Error(`Tab did not reach ${String(target)}`);
}

test('finds, disables and enables a connector with the keyboard only', async ({ page, installation }) => {
  const { client } = await installation.addIntegrator('Keys only');
  await connectNotes(client, 'acme', 'Keyboard notes');
  await page.goto(`${installation.url}/console`);
  await expect(page.getByLabel('Admin key', { exact: true })).toBeFocused();
  await page.keyboard.type(installation.adminToken);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();

  await tabTo(page, page.getByRole('link', { name: 'Connectors', exact: true }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Connectors', level: 1 })).toBeFocused();
  await tabTo(page, page.getByRole('searchbox'));
  await page.keyboard.type('keyboard');
  await expect(page.getByRole('row')).toHaveCount(2);
  await tabTo(page, page.getByRole('link', { name: 'Keyboard notes' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Keyboard notes', level: 1 })).toBeFocused();

  const disable = page.getByRole('button', { name: 'Disable…' });
  await tabTo(page, disable);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByLabel('Name', { exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(disable).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Keyboard notes');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Keyboard notes', level: 1 })).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Enable…' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Enable connector' }));
  await page.keyboard.press('Space');
  await expect(page.getByText('An operator disabled this connector')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Keyboard notes', level: 1 })).toBeFocused();

  await page.goto(`${installation.url}/console/audit`);
  await reloadUntilVisible(page, page.getByRole('button', { name: 'Connector enabled' }).first());
  await tabTo(page, page.getByRole('button', { name: 'Connector enabled' }).first());
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByText('connector.enabled')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Connector enabled' }).first()).toBeFocused();
});

test('chooses what an incident is about with the keyboard only', async ({ page, installation }) => {
  await installation.addIntegrator('Keyboard incident');
  await openConsole(page, installation, '/incidents/new');
  await tabTo(page, page.getByRole('radio', { name: /^An application/ }));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: /^An organization/ })).toBeChecked();
  await tabTo(page, page.getByRole('searchbox', { name: 'Search by name' }));
  await page.keyboard.type('keyboard');
  await tabTo(page, page.getByRole('button', { name: /^Keyboard incident/ }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Change' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('searchbox', { name: 'Search by name' })).toBeFocused();
});
