import type { Page } from '@playwright/test';
import {
  allow,
  chooseSignIn,
  expect,
  expectConnected,
  signInButton,
  signInToGong,
  syncAllAccounts,
  syncButton,
  test,
} from '../stack/host-page.ts';

/** The number of times to run the flow. A release needs 100; four include each way to click once. */
const runs = Number(process.env['CONSENT_RUNS'] ?? 4);

test('creates exactly one connector if a customer clicks repeatedly', async ({ page, host }, {
  annotations,
}) => {
  test.setTimeout(runs * 60_000);
  // The vendor skips the consent page, as for a returning user, to keep the race as tight as possible.
  await host.setVendor('gong', { consent: 'allow' });
  for (let run = 0; run < runs; run++) {
    const customer = `impatient-${run}`;
    await host.open(page, customer, run % 2 === 0 ? {} : { coop: 'same-origin' });
    await page.getByRole('button', { name: /^Gong/ }).click();
    if (run % 4 < 2) await signInButton(page).dblclick();
    else await signInButton(page).click();
    if (run % 4 === 3) await reopenIfThere(page);
    await syncButton(page).dblclick();
    await expectConnected(page);
    expect(await host.connectorsOf(customer)).toHaveLength(1);
    // Stops the sync, which would use up the vendor's rate limit.
    await host.disconnectAll(customer);
  }
  annotations.push({ type: 'runs', description: String(runs) });
});

test('if two tabs are waiting, connects only the one whose pop-up the user completes', async ({
  page,
  context,
  host,
}) => {
  const other = await context.newPage();
  await host.open(page, 'two-tabs');
  await host.open(other, 'two-tabs');
  const popup = await signInToGong(page);
  const otherPopup = await signInToGong(other);
  await expect(otherPopup.getByRole('button', { name: 'Allow' })).toBeVisible();
  await allow(popup);
  await syncAllAccounts(page);
  await expectConnected(page);
  await expect(other.getByRole('heading', { name: 'Continue in the Gong window' })).toBeVisible();
  await other.getByRole('button', { name: 'Cancel' }).click();
  await expect(other.getByRole('button', { name: 'Use an access key instead' })).toBeVisible();
  expect(await host.connectorsOf('two-tabs')).toHaveLength(1);
});

test('creates one connector if a tab is duplicated during the redirect from the vendor', async ({
  page,
  context,
  host,
}) => {
  await host.open(page, 'doubled', { 'oauth-mode': 'redirect' });
  await chooseSignIn(page, 'Gong');
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible();
  // A duplicated tab inherits a copy of the session storage and the same URL.
  const storage = await readStorage(page, host.url);
  const landed = page.waitForRequest(request => request.url().includes('secret_id='));
  await allow(page);
  const address = (await landed).url();
  const double = await context.newPage();
  await double.addInitScript(entries => {
    for (const [key, value] of entries) sessionStorage.setItem(key, value);
  }, storage);
  await double.goto(address);
  await Promise.all(
    [page, double].map(async tab => {
      await syncAllAccounts(tab);
      await expectConnected(tab);
    }),
  );
  expect(await host.connectorsOf('doubled')).toHaveLength(1);
});

async function reopenIfThere(page: Page): Promise<void> {
  // The OAuth flow may finish first. Then the widget has no popup to reopen.
  await page.evaluate(() => {
    document.querySelector('connector-auth')?.shadowRoot?.querySelector<HTMLElement>('a.button')?.click();
  });
}

/** Reads the host page's session storage while the browser is on the vendor's page. */
async function readStorage(page: Page, hostUrl: string): Promise<readonly [string, string][]> {
  const away = page.url();
  await page.goto(`${hostUrl}/connector-auth.js`);
  const storage = await page.evaluate(() => Object.entries(sessionStorage) as [string, string][]);
  await page.goto(away);
  return storage;
}
