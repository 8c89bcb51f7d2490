import type { Page } from '@playwright/test';
import {
  connectGranola,
  continueButton,
  customer,
  expect,
  expectHeading,
  test,
} from '../stack/connect-links.ts';

test('an administrator who is not signed in opens a link, signs in, comes back and connects by key', async ({
  client,
  people,
}) => {
  const link = await client.connectLinks.create({ customer_name: customer, connector_type: 'granola' });
  const page = await people.signedOut();
  const addresses = watchAddresses(page);
  await page.goto(link.url);
  await continueButton(page).click();
  await expectHeading(page, 'Sign in to Fieldbook');
  await page.getByRole('button', { name: /Okafor Dental Group/ }).click();
  await connectGranola(page);
  await expectHeading(page, 'Granola is connected');

  expect(await client.connectors.list()).toMatchObject({
    data: [{ customer_name: customer, connector_type: 'granola' }],
  });
  expect(await client.connectLinks.get(link.id)).toMatchObject({
    status: 'used',
    connector_id: expect.any(String),
  });
  // Neither a server nor the history sees the link's secret.
  const secret = new URL(link.url).hash.slice(1);
  expect(page.url()).not.toContain(secret);
  expect(addresses().filter(address => address.includes(secret))).toEqual([]);
});

/** Returns a function that lists the addresses that the browser has requested so far, with their referrers. */
function watchAddresses(page: Page): () => readonly string[] {
  const addresses: string[] = [];
  page.on('request', request => {
    addresses.push(request.url().replace(/#.*/, ''), request.headers()['referer'] ?? '');
  });
  return () => addresses;
}
