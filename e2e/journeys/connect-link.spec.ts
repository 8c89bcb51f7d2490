import type { Page } from '@playwright/test';
import {
  connectGranola,
  continueButton,
  customer,
  expect,
  expectHeading,
  otherCustomer,
  signIn,
  test,
} from '../stack/connect-links.ts';
import { allow, signInButton, syncAllAccounts } from '../stack/host-page.ts';

const granola = { customer_name: customer, connector_type: 'granola' };

test('an administrator who is not signed in opens a link, signs in, comes back and connects by key', async ({
  client,
  people,
}) => {
  const link = await client.connectLinks.create(granola);
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

test('a person who is signed in as another customer connects nothing', async ({ client, people, demo }) => {
  const link = await client.connectLinks.create({ customer_name: customer, connector_type: 'gong' });
  const page = await people.signedInAs(otherCustomer);
  await page.goto(link.url);
  await expect(continueButton(page)).toBeVisible();
  await expect(page.getByText(customer)).toBeHidden();
  await continueButton(page).click();
  await expectHeading(page, 'This link is for a different account');
  expect(await client.connectLinks.get(link.id)).toMatchObject({ status: 'open' });

  // After switching accounts, the link works.
  await signIn(page, demo, customer);
  await page.goto(link.url);
  await continueButton(page).click();
  const popup = page.waitForEvent('popup');
  await signInButton(page).click();
  await allow(await popup);
  await syncAllAccounts(page);
  await expectHeading(page, 'Gong is connected');
  expect(await client.connectors.list()).toMatchObject({
    data: [{ customer_name: customer, connector_type: 'gong', status: 'active' }],
  });
  expect(await client.connectLinks.get(link.id)).toMatchObject({ status: 'used' });
});

test('a colleague connects a source by the link that a customer sends from the widget', async ({
  client,
  people,
  demo,
}) => {
  const sender = await people.signedInAs(customer);
  await sender.goto(`${demo.url}/#connections`);
  await sender.getByRole('button', { name: /^Granola/ }).click();
  await sender.getByRole('button', { name: 'Can’t create a key? Send a link' }).last().click();
  const field = sender.getByRole('textbox', { name: 'Send a link to connect Granola' });
  await expect(field).toHaveValue(/#/);

  const colleague = await people.signedInAs(customer);
  await colleague.goto(await field.inputValue());
  await continueButton(colleague).click();
  await connectGranola(colleague);
  await expectHeading(colleague, 'Granola is connected');
  await expectHeading(sender, 'Granola is connected');
  expect((await client.connectors.list()).data).toHaveLength(1);
});

/** Returns a function that lists the addresses that the browser has requested so far, with their referrers. */
function watchAddresses(page: Page): () => readonly string[] {
  const addresses: string[] = [];
  page.on('request', request => {
    addresses.push(request.url().replace(/#.*/, ''), request.headers()['referer'] ?? '');
  });
  return () => addresses;
}
