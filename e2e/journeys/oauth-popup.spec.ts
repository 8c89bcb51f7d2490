import type { Page } from '@playwright/test';
import { allow, expect, expectConnected, signInToGong, syncAllAccounts, test } from '../stack/host-page.ts';

test('connects by pop-up, and keeps the vendor page from navigating the host page', async ({
  page,
  host,
}) => {
  await host.open(page, 'plain');
  const popup = await signInToGong(page);
  await expect(page.getByRole('heading', { name: 'Continue in the Gong window' })).toBeVisible();
  await expect(popup.getByRole('button', { name: 'Allow' })).toBeVisible();
  const results = await popup.evaluate(() => {
    const attempt = (run: () => void): string => {
      try {
        run();
        return 'allowed';
      } catch (error) {
        return (error as Error).name;
      }
    };
    const opener = window.opener as Window;
    const evil = 'about:blank#evil';
    return [
      attempt(() => (opener.location.href = evil)),
      attempt(() => ((opener.top as Window).location.href = evil)),
      attempt(() => (opener.parent.location.href = evil)),
    ];
  });
  expect(results).toEqual(['SecurityError', 'SecurityError', 'SecurityError']);
  await allow(popup);
  await syncAllAccounts(page);
  await expectConnected(page);
  expect(page.url()).toBe(host.addressFor('plain'));
  expect(await host.connectorsOf('plain')).toMatchObject([{ name: 'Gong', status: 'active' }]);
  await expect.poll(() => popup.isClosed()).toBe(true);
});

test('connects if the vendor and the host page sever the opener', async ({ page, host }) => {
  await host.setVendor('gong', { coop: true });
  await host.open(page, 'severed', { coop: 'same-origin' });
  const errors = await countErrors(page);
  await allow(await signInToGong(page));
  await syncAllAccounts(page);
  await expectConnected(page);
  expect(await errors()).toBe(0);
  expect(await host.connectorsOf('severed')).toHaveLength(1);
});

/** Counts the widget's error events from now on; returns a function that resolves with their number. */
async function countErrors(page: Page): Promise<() => Promise<number>> {
  const errors = await page.evaluateHandle(() => {
    const types: string[] = [];
    addEventListener('connector-auth-error', ({ type }) => types.push(type));
    return types;
  });
  return () => errors.evaluate(({ length }) => length);
}
