import { expect, test } from '../stack.ts';
import { allow, pick, seeConnected, seeRecords, signIn, syncAccounts } from '../widget.ts';

const keyField = '[id="field-credentials.api_key"]';

test('connects by key after a wrong key, and shows data', async ({ tab, host }) => {
  await tab.open(host.addressFor('by-key'));
  await pick(tab, 'Granola');
  await tab.fill(keyField, 'grn_wrong');
  await tab.click('[part="primary-button"]');
  await tab.see('[part="field-error"]');
  expect(await tab.focused()).toContain('input');
  await tab.fill(keyField, 'grn_sandbox_demo');
  await tab.click('[part="primary-button"]');
  await seeConnected(tab, 'Granola');
  await seeRecords(tab);
});

for (const [vendor, name] of [
  ['gong', 'Gong'],
  ['google-ads', 'Google Ads'],
  ['tiktok-marketing', 'TikTok Marketing'],
] as const) {
  for (const severedBy of ['the vendor', 'the host page'] as const) {
    test(`connects ${name}, chooses accounts and shows data if the opener is severed by ${severedBy}`, async ({
      tab,
      host,
    }) => {
      const customer = `${vendor}-${severedBy === 'the vendor' ? 'vendor' : 'host'}`;
      if (severedBy === 'the vendor') await host.setVendor(vendor, { coop: true });
      await tab.open(host.addressFor(customer, severedBy === 'the host page' ? { coop: 'same-origin' } : {}));
      await allow(await signIn(tab, name));
      expect(await syncAccounts(tab)).not.toEqual([]);
      await seeConnected(tab, name);
      await seeRecords(tab);
    });
  }
}

test('connects by redirect', async ({ tab, host }) => {
  const address = host.addressFor('by-redirect', { 'oauth-mode': 'redirect' });
  await tab.open(address);
  await pick(tab, 'Gong');
  await tab.click('[data-id="oauth"]');
  await allow(tab);
  await syncAccounts(tab);
  await seeConnected(tab, 'Gong');
  expect(await tab.url()).toBe(address);
  expect(await host.connectorsOf('by-redirect')).toHaveLength(1);
});

test('reports denied access in a pop-up, and connects on the next attempt', async ({ tab, host }) => {
  await tab.open(host.addressFor('denied'));
  const denied = await signIn(tab, 'Gong');
  await denied.click('button', /^Deny$/);
  await denied.closed();
  await tab.see('.notice', /didn’t allow access/);
  expect(await host.connectorsOf('denied')).toEqual([]);
  await allow(await tab.opened(() => tab.click('[data-id="oauth"]')));
  await syncAccounts(tab);
  await seeConnected(tab, 'Gong');
});

test('reopens a pop-up that the user closed', async ({ tab, host }) => {
  await tab.open(host.addressFor('closed'));
  const popup = await signIn(tab, 'Gong');
  await popup.see('button', /^Allow$/);
  await popup.close();
  await allow(await tab.opened(() => tab.click('[part="consent-link"]')));
  await syncAccounts(tab);
  await seeConnected(tab, 'Gong');
  expect(await host.connectorsOf('closed')).toHaveLength(1);
});

test('shows a link if the browser blocks the pop-up', async ({ tab, host }) => {
  await tab.open(host.addressFor('blocked'));
  await pick(tab, 'Gong');
  await tab.see('[data-id="oauth"]');
  await tab.evaluate(() => {
    // The widget opens pop-ups from a frame of its own.
    const original = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'contentWindow');
    Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
      get(this: HTMLIFrameElement) {
        // The getter of the property returns a window for a frame in the document.
        return Object.assign(original?.get?.call(this) as Window, { open: () => null });
      },
    });
  });
  await tab.click('[data-id="oauth"]');
  await tab.see('a[part="primary-button"]');
  await allow(await tab.opened(() => tab.click('a[part="primary-button"]')));
  await syncAccounts(tab);
  await seeConnected(tab, 'Gong');
});
