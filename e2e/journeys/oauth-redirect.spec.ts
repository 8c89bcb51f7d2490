import {
  allow,
  chooseSignIn,
  expect,
  expectConnected,
  signInButton,
  syncAllAccounts,
  test,
} from '../stack/host-page.ts';

test('resumes after OAuth redirects, denied and allowed, and removes the OAuth parameters from the URL', async ({
  page,
  host,
}) => {
  await host.open(page, 'redirect', { 'oauth-mode': 'redirect', referrer: 'no-referrer' });
  const address = page.url();
  await page.evaluate(() => {
    location.hash = 'connections';
  });
  await chooseSignIn(page, 'Gong');
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(page.getByText('You didn’t allow access', { exact: true }).first()).toBeVisible();
  await expect(page).toHaveURL(`${address}#connections`);

  await signInButton(page).click();
  await allow(page);
  await syncAllAccounts(page);
  await expectConnected(page);
  await expect(page).toHaveURL(`${address}#connections`);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  expect(await host.connectorsOf('redirect')).toHaveLength(1);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Connect a source' })).toBeVisible();
  expect(await host.connectorsOf('redirect')).toHaveLength(1);
});
