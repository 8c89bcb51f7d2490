/** More people who open connect links. The service's tests cover the same rules with requests instead of browsers. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import {
  clientOf,
  connectGranola,
  continueButton,
  customer,
  expect,
  expectHeading,
  keyField,
  otherCustomer,
  signIn,
  test,
} from '../stack/connect-links.ts';
import { allow, signInButton, syncAllAccounts } from '../stack/host-page.ts';

const granola = { customer_name: customer, connector_type: 'granola' };

/** A page that is open before the other tests, so that its link has expired after them. */
let expiring: { readonly id: string; readonly url: string; readonly page: Page };

test.beforeAll(async ({ browser, demo }) => {
  const { id, url } = await clientOf(demo).connectLinks.create({ ...granola, expires_in: 60 });
  const page = await browser.newPage();
  await signIn(page, demo, customer);
  await page.goto(url);
  await continueButton(page).click();
  await expect(keyField(page)).toBeVisible();
  expiring = { id, url, page };
});
test.afterAll(() => expiring.page.context().close());

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

test('an in-app browser of a chat, which has no pop-ups, connects by OAuth in the same window', async ({
  client,
  people,
}) => {
  const link = await client.connectLinks.create({ customer_name: customer, connector_type: 'gong' });
  const page = await people.signedInAs(customer, {
    userAgent: 'Mozilla/5.0 (iPhone) Mobile/22A3354 Instagram 350.0',
  });
  await page.goto(link.url);
  await continueButton(page).click();
  await signInButton(page).click();
  await allow(page);
  await syncAllAccounts(page);
  await expectHeading(page, 'Gong is connected');
  expect(await client.connectLinks.get(link.id)).toMatchObject({ status: 'used' });
});

test('a link without a source lets the person choose one', async ({ client, people }) => {
  const link = await client.connectLinks.create({ customer_name: customer });
  const page = await people.signedInAs(customer);
  await page.goto(link.url);
  await expect(page.getByText(/expires in 1 hour \(.*\d:\d\d.*\)\./)).toBeVisible();
  await continueButton(page).click();
  await page.getByRole('button', { name: /^Granola/ }).click();
  await connectGranola(page);
  await expectHeading(page, 'Granola is connected');
  expect((await client.connectors.list()).data).toHaveLength(1);
});

test('a link for a connector replaces its credentials and changes nothing else', async ({
  client,
  people,
}) => {
  const before = await client.connectors.create({
    ...granola,
    name: 'Our notes',
    credentials: { api_key: 'grn_sandbox_demo' },
  });
  await client.connectors.create({
    ...granola,
    name: 'Theirs',
    credentials: { api_key: 'grn_sandbox_demo' },
  });
  const link = await client.connectLinks.create({ customer_name: customer, connector_id: before.id });
  const page = await people.signedInAs(customer);
  await page.goto(link.url);
  await continueButton(page).click();
  await expect(page.getByText('Theirs')).toBeHidden();
  await connectGranola(page);
  await expectHeading(page, 'Our notes is connected');
  const after = await client.connectors.get(before.id);
  expect(after.name).toBe('Our notes');
  expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
  expect((await client.connectors.list()).data).toHaveLength(2);
  expect(await client.connectLinks.get(link.id)).toMatchObject({ status: 'used', connector_id: before.id });
});

test('of two browsers with the same link, the first to connect uses it up', async ({ client, people }) => {
  const link = await client.connectLinks.create(granola);
  const [first, second] = [await people.signedInAs(customer), await people.signedInAs(customer)];
  for (const page of [first, second]) {
    await page.goto(link.url);
    await continueButton(page).click();
    await expect(keyField(page)).toBeVisible();
  }
  await connectGranola(first);
  await expectHeading(first, 'Granola is connected');
  await connectGranola(second);
  await expectHeading(second, 'This link was already used');
  expect((await client.connectors.list()).data).toHaveLength(1);

  const third = await people.signedInAs(customer);
  await third.goto(link.url);
  await expectHeading(third, 'This link was already used');
  await expect(continueButton(third)).toBeHidden();
});

test('scanners and prefetching do not use a link up', async ({ client, people }) => {
  const link = await client.connectLinks.create(granola);
  for (const method of ['GET', 'HEAD', 'GET']) {
    const response = await fetch(link.url, { method, headers: { 'sec-purpose': 'prefetch' } });
    expect(response.headers.getSetCookie()).toEqual([]);
  }
  // A scanner that runs scripts, and follows the link with the cookies that it got.
  const scanner = await people.signedOut();
  for (let visit = 0; visit < 2; visit++) {
    await scanner.goto(link.url);
    await expect(continueButton(scanner)).toBeVisible();
  }
  expect(await client.connectLinks.get(link.id)).toMatchObject({ status: 'open' });

  const page = await people.signedInAs(customer);
  await page.goto(link.url);
  await continueButton(page).click();
  await connectGranola(page);
  await expectHeading(page, 'Granola is connected');
});

test('a frame of another site shows neither the link nor the helper', async ({ client, people }) => {
  const link = await client.connectLinks.create(granola);
  const page = await people.signedInAs(customer);
  const code = await codeOf(page, link.url);
  const site = await startFramingSite();
  for (const address of [link.url, code]) {
    const blocked = page.waitForEvent('console', message => /frame-ancestors/.test(message.text()));
    await page.goto(site.urlOf(address));
    await blocked;
  }
  expect(await client.connectLinks.get(link.id)).toMatchObject({ status: 'open' });
  await site.close();
});

test('a signed-in person who is lured to the code of someone else confirms nothing', async ({
  client,
  people,
}) => {
  const link = await client.connectLinks.create(granola);
  const stranger = await people.signedOut();
  const lure = await codeOf(stranger, link.url);

  const victim = await people.signedInAs(customer);
  await victim.goto(lure);
  await expectHeading(victim, 'You started in a different browser');
  expect(await client.connectLinks.get(link.id)).toMatchObject({ status: 'open' });
  await stranger.goto(link.url);
  await expect(continueButton(stranger)).toBeVisible();
  await expect(keyField(stranger)).toBeHidden();
});

test('a link that is revoked while its page is open connects nothing', async ({ client, people }) => {
  const link = await client.connectLinks.create(granola);
  const page = await people.signedInAs(customer);
  await page.goto(link.url);
  await continueButton(page).click();
  await expect(keyField(page)).toBeVisible();
  await client.connectLinks.delete(link.id);
  await connectGranola(page);
  await expectHeading(page, 'This link was cancelled');
  expect((await client.connectors.list()).data).toEqual([]);
  await page.reload();
  await expectHeading(page, 'This link was cancelled');
});

test.describe('a link for a guest', () => {
  const guest = { ...granola, audience: 'guest', inviter: 'Chidi Okafor' } as const;

  test.beforeEach(async ({ client }) => {
    await client.organization.update({ guest_connect_links: true });
  });
  test.afterEach(async ({ client }) => {
    await client.organization.update({ guest_connect_links: false });
  });

  test('names who asks and for whom, and works in the first browser that confirms', async ({
    client,
    people,
  }) => {
    await client.tokens.mintScoped({ customer_name: customer, customer_display_name: 'Okafor Dental Group' });
    const link = await client.connectLinks.create(guest);
    const [first, second] = [await people.signedOut(), await people.signedOut()];
    for (const page of [first, second]) {
      await page.goto(link.url);
      for (const name of ['Chidi Okafor', 'Okafor Dental Group', 'Fieldbook']) {
        await expect(page.getByText(name).first()).toBeVisible();
      }
    }
    await continueButton(first).click();
    await expect(keyField(first)).toBeVisible();
    await continueButton(second).click();
    await expect(keyField(second)).toBeHidden();
    await expectHeading(second, 'This link is open in another browser');

    await first.reload();
    await connectGranola(first);
    await expectHeading(first, 'Granola is connected');
    expect((await client.connectors.list()).data).toMatchObject([{ customer_name: customer }]);
  });
});

test('a link that expires while its page is open connects nothing', async ({ client }) => {
  const { id, url, page } = expiring;
  await expect
    .poll(async () => (await client.connectLinks.get(id, { waitSeconds: 25 })).status, { timeout: 120_000 })
    .toBe('expired');
  await connectGranola(page);
  await expectHeading(page, 'This link has expired');
  expect((await client.connectors.list()).data).toEqual([]);

  await page.goto(url);
  await expectHeading(page, 'This link has expired');
});

/** Opens a link and continues; returns the helper's address with the one-time code, which is not opened. */
async function codeOf(page: Page, url: string): Promise<string> {
  const opened = Promise.withResolvers<string>();
  const helper = '**/connector-auth/connect-link?**';
  await page.route(helper, async route => {
    await route.abort();
    // Only now, because the route is removed next, which would let the page continue to the helper.
    opened.resolve(route.request().url());
  });
  await page.goto(url);
  await continueButton(page).click();
  const address = await opened.promise;
  await page.unroute(helper);
  return address;
}

/** Starts a site that shows any address in a frame. */
async function startFramingSite(): Promise<{
  readonly urlOf: (address: string) => string;
  readonly close: () => Promise<void>;
}> {
  const server = createServer(({ url }, response) => {
    const address = new URL(url ?? '', 'http://localhost').searchParams.get('address') ?? '';
    const frame = `<iframe src="${address.replaceAll('&', '&amp;')}"></iframe>`;
    response.setHeader('Content-Type', 'text/html').end(frame);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: address => `http://localhost:${port}/?address=${encodeURIComponent(address)}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
