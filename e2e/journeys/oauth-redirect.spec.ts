import { allow, expect, expectConnected, test } from '../stack/host-fixture.ts';

test('consent in the page itself goes on where it was left, and cleans the address up', async ({
  page,
  host,
}) => {
  await host.open(page, 'redirect', { 'oauth-mode': 'redirect' });
  const address = page.url();
  await page.evaluate(() => {
    location.hash = 'connections';
  });
  await page.getByRole('button', { name: /^Gong/ }).click();
  await page.getByRole('button', { name: /^Sign in with Gong/ }).click();
  await allow(page);
  await expectConnected(page);
  expect(page.url()).toBe(`${address}#connections`);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  expect(await host.connectorsOf('redirect')).toHaveLength(1);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Connect a source' })).toBeVisible();
  expect(await host.connectorsOf('redirect')).toHaveLength(1);
});

test('nothing secret waits in the storage while the person is away', async ({ page, host }) => {
  await host.open(page, 'storage', { 'oauth-mode': 'redirect' });
  await page.getByRole('button', { name: /^Gong/ }).click();
  await page.getByRole('button', { name: /^Sign in with Gong/ }).click();
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
  ]);
  await page.goto(away);
  await allow(page);
  await expectConnected(page);
});

test('denial in the page itself comes back to where one can begin again', async ({ page, host }) => {
  await host.open(page, 'redirect-denied', { 'oauth-mode': 'redirect' });
  await page.getByRole('button', { name: /^Gong/ }).click();
  await page.getByRole('button', { name: /^Sign in with Gong/ }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(page.getByText('Access was not allowed', { exact: true }).first()).toBeVisible();
  expect(new URL(page.url()).searchParams.get('error')).toBeNull();
  await page.getByRole('button', { name: 'Sign in with Gong' }).click();
  await allow(page);
  await expectConnected(page);
});

test('a person who turns around on the way finds the catalog, and can begin again', async ({
  page,
  host,
}) => {
  await host.open(page, 'turned', { 'oauth-mode': 'redirect' });
  await page.getByRole('button', { name: /^Gong/ }).click();
  await page.getByRole('button', { name: /^Sign in with Gong/ }).click();
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible();
  await page.goBack();
  const cancel = page.getByRole('button', { name: 'Cancel' });
  const gong = page.getByRole('button', { name: /^Gong/ });
  // The page as it was left, or loaded again: that is the browser's choice.
  await expect(cancel.or(gong)).toBeVisible();
  expect(await host.connectorsOf('turned')).toEqual([]);
});

test('an answer in the address that nobody asked for is left alone', async ({ page, host }) => {
  await host.open(page, 'unasked', { secret_id: 'somebody-elses' });
  await expect(page.getByRole('heading', { name: 'Connect a source' })).toBeVisible();
  expect(new URL(page.url()).searchParams.get('secret_id')).toBe('somebody-elses');
  expect(await host.connectorsOf('unasked')).toEqual([]);
});

test('a dialog opens again for who comes back to it', async ({ page, host }) => {
  await host.open(page, 'redirect-modal', { 'oauth-mode': 'redirect', modal: '' });
  await page.evaluate(() => document.querySelector<HTMLElement & { open(): void }>('connector-auth')?.open());
  await page.getByRole('button', { name: /^Gong/ }).click();
  await page.getByRole('button', { name: /^Sign in with Gong/ }).click();
  await allow(page);
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectConnected(page);
});

test('a browser inside an app is sent there and back without being told to', async ({ browser, host }) => {
  const context = await browser.newContext({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22A3354 Instagram 350.0',
  });
  const page = await context.newPage();
  await host.open(page, 'in-app');
  await page.getByRole('button', { name: /^Gong/ }).click();
  await page.getByRole('button', { name: /^Sign in with Gong/ }).click();
  await allow(page);
  await expectConnected(page);
  expect(context.pages()).toHaveLength(1);
  await context.close();
});
