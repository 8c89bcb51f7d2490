import type { Page } from '@playwright/test';
import { allow, expect, expectConnected, signInToGong, syncAllAccounts, test } from '../stack/host-page.ts';

/** Records the page's Content-Security-Policy violations, including Trusted Types violations. */
async function watchViolations(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript(() => {
    const violations: string[] = [];
    Object.assign(window, { violations });
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      violations.push([violatedDirective, blockedURI, sample].join(' '));
    });
  });
  return () => page.evaluate(() => (window as unknown as { violations: readonly string[] }).violations);
}

test('runs the whole flow in two languages without a Content-Security-Policy violation', async ({
  page,
  host,
  demo,
}) => {
  const violations = await watchViolations(page);
  const origins = new Set<string>();
  page.on('request', request => origins.add(new URL(request.url()).origin));
  // Without a referrer, the service must learn in another way from which page the sign-in comes.
  await host.open(page, 'strict-policy', { referrer: 'no-referrer' });

  await page.getByRole('button', { name: /^Granola/ }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('Enter API key')).toBeVisible();
  await page.getByLabel('API key', { exact: true }).fill('grn_wrong');
  await page.getByRole('button', { name: 'Show API key' }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.locator('[part="field-error"]')).toBeVisible();
  await page.getByLabel('API key', { exact: true }).fill('grn_sandbox_demo');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expectConnected(page, 'Granola');
  await page.getByRole('button', { name: 'Done' }).click();

  await allow(await signInToGong(page));
  await syncAllAccounts(page);
  await expectConnected(page);
  await page.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'Manage Granola' }).click();
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('Connection name').fill('Our notes');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Our notes' })).toBeVisible();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'Manage Our notes' })).toHaveCount(0);

  await page.evaluate(() => {
    document.documentElement.lang = 'de';
  });
  await expect(page.getByRole('heading', { name: 'Quelle verbinden' })).toBeVisible();
  expect(await violations()).toEqual([]);
  expect(origins).toEqual(new Set([host.url, new URL(demo.serviceUrl).origin]));

  // A violation would have been recorded.
  await page.evaluate(() => {
    document.body.setAttribute('style', 'color: red');
  });
  await expect.poll(violations).toHaveLength(1);
});
