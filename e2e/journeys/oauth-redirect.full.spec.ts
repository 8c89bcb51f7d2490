/** Details of the sign-in in the page's own window. The widget's tests cover most of them with a simulated service. */
import {
  allow,
  chooseSignIn,
  expect,
  expectConnected,
  signInButton,
  syncAllAccounts,
  test,
} from '../stack/host-page.ts';

test('ignores an unsolicited OAuth response in the URL', async ({ page, host }) => {
  await host.open(page, 'unasked', { secret_id: 'another-session' });
  await expect(page.getByRole('heading', { name: 'Connect a source' })).toBeVisible();
  expect(new URL(page.url()).searchParams.get('secret_id')).toBe('another-session');
  expect(await host.connectorsOf('unasked')).toEqual([]);
});

test('stores no secret while the browser is on the vendor page', async ({ page, host }) => {
  await host.open(page, 'storage', { 'oauth-mode': 'redirect' });
  await chooseSignIn(page, 'Gong');
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible();
  const back = new URL(page.url()).searchParams.get('redirect_uri');
  expect(back).not.toBeNull();
  const away = page.url();
  await page.goto(`${host.url}/connector-auth.js`);
  const [stored = ''] = await page.evaluate(() => Object.values(sessionStorage) as string[]);
  expect(Object.keys(JSON.parse(stored) as object).sort()).toEqual([
    'connectorId',
    'definitionId',
    'entry',
    'hash',
    'sessionId',
  ]);
  await page.goto(away);
  await allow(page);
  await syncAllAccounts(page);
  await expectConnected(page);
});

test('shows the catalog when the customer goes back from the vendor page', async ({ page, host }) => {
  await host.open(page, 'turned', { 'oauth-mode': 'redirect' });
  await chooseSignIn(page, 'Gong');
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible();
  await page.goBack();
  const cancel = page.getByRole('button', { name: 'Cancel' });
  const gong = page.getByRole('button', { name: /^Gong/ });
  // The browser may either restore the page or load it again.
  await expect(cancel.or(gong)).toBeVisible();
  expect(await host.connectorsOf('turned')).toEqual([]);
});

test('reopens the dialog after an OAuth redirect', async ({ page, host }) => {
  await host.open(page, 'redirect-modal', { 'oauth-mode': 'redirect', modal: '' });
  await page.evaluate(() => document.querySelector<HTMLElement & { open(): void }>('connector-auth')?.open());
  await chooseSignIn(page, 'Gong');
  await allow(page);
  await expect(page.getByRole('dialog')).toBeVisible();
  await syncAllAccounts(page);
  await expectConnected(page);
});

test('returns to the connections page of the demo after an OAuth flow in an in-app browser', async ({
  browser,
  demo,
}) => {
  const context = await browser.newContext({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22A3354 Instagram 350.0',
  });
  const page = await context.newPage();
  await page.goto(demo.url);
  await page.getByRole('combobox', { name: 'Signed in as' }).selectOption({ label: 'Northquay Logistics' });
  await page.getByRole('link', { name: 'Connect Gong' }).click();
  await signInButton(page).click();
  await allow(page);
  await syncAllAccounts(page);
  await expectConnected(page);
  expect(context.pages()).toHaveLength(1);
  await expect(page.getByRole('link', { name: 'Connections' })).toHaveAttribute('aria-current', 'page');
  await page.getByRole('button', { name: 'See your data' }).click();
  await expect(page.getByLabel('Type of data')).toHaveValue('calls');
  await context.close();
});
