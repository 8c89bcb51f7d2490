/** Sign-ins in a pop-up in which something fails first. The widget's tests cover each of them with a simulated service. */
import {
  allow,
  chooseAccount,
  chooseSignIn,
  expect,
  expectConnected,
  signInButton,
  signInToGong,
  syncAllAccounts,
  test,
} from '../stack/host-page.ts';

const waitingHeading = { name: 'Continue in the Gong window' };

for (const referrer of ['no-referrer', 'same-origin']) {
  for (const mode of ['popup', 'redirect']) {
    test(`connects by ${mode} without a confirmation page under Referrer-Policy ${referrer}`, async ({
      page,
      host,
    }) => {
      await host.open(page, `${referrer}-${mode}`, { referrer, 'oauth-mode': mode });
      const popup = mode === 'popup' ? page.waitForEvent('popup') : page;
      await chooseSignIn(page, 'Gong');
      await allow(await popup);
      await syncAllAccounts(page);
      await expectConnected(page);
    });
  }
}

test('asks for confirmation if the page’s Content-Security-Policy forbids the form, and connects', async ({
  page,
  host,
}) => {
  const warnings: string[] = [];
  page.on('console', message => {
    if (message.type() === 'warning') warnings.push(message.text());
  });
  await host.open(page, 'form-forbidden', { 'form-action': "'self'" });
  const popup = await signInToGong(page);
  await popup.getByRole('button', { name: 'Continue to Gong' }).click();
  await allow(popup);
  await syncAllAccounts(page);
  await expectConnected(page);
  expect(warnings).toContainEqual(expect.stringContaining('form-action'));
});

test('reports denied access and lets the customer try again', async ({ page, host }) => {
  await host.open(page, 'denied');
  const popup = await signInToGong(page);
  await popup.getByRole('button', { name: 'Deny' }).click();
  await expect(page.getByText('You didn’t allow access', { exact: true }).first()).toBeVisible();
  expect(await host.connectorsOf('denied')).toEqual([]);

  const again = page.waitForEvent('popup');
  await signInButton(page).click();
  await allow(await again);
  await syncAllAccounts(page);
  await expectConnected(page);
});

test('creates no connector if access is allowed after the customer cancels', async ({ page, host }) => {
  // The opener is severed, so that the widget cannot close the popup.
  await host.setVendor('gong', { coop: true });
  await host.open(page, 'gave-up');
  const popup = await signInToGong(page);
  await expect(popup.getByRole('button', { name: 'Allow' })).toBeVisible();
  const cancelled = page.waitForResponse(response => response.request().method() === 'DELETE');
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect((await cancelled).status()).toBe(204);
  await expect(page.getByRole('button', { name: 'Use an access key instead' })).toBeVisible();
  await allow(popup);
  await popup.waitForURL(/\/oauth\/callback/);
  expect(await host.connectorsOf('gave-up')).toEqual([]);
});

test('shows a link if the browser blocks the popup', async ({ page, host }) => {
  // Also runs in the frame from which the widget opens the popup.
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await host.open(page, 'blocked');
  await chooseSignIn(page, 'Gong');
  const link = page.getByRole('link', { name: 'Open Gong' });
  await expect(link).toBeVisible();
  const opened = page.context().waitForEvent('page');
  await link.click();
  await allow(await opened);
  await syncAllAccounts(page);
  await expectConnected(page);
});

test('reopens a popup that was closed early', async ({ page, host }) => {
  await host.open(page, 'closed');
  const popup = await signInToGong(page);
  await expect(popup.getByRole('button', { name: 'Allow' })).toBeVisible();
  await popup.close();
  await expect(page.getByRole('heading', waitingHeading)).toBeVisible();
  const again = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Reopen Gong window' }).click();
  await allow(await again);
  await syncAllAccounts(page);
  await expectConnected(page);
  expect(await host.connectorsOf('closed')).toHaveLength(1);
});

test('focuses the open popup instead of opening a second one', async ({ page, host }) => {
  await host.open(page, 'found');
  const popup = await signInToGong(page);
  await expect(popup.getByRole('button', { name: 'Allow' })).toBeVisible();
  await page.getByRole('link', { name: 'Reopen Gong window' }).click();
  await expect(page.getByRole('heading', waitingHeading)).toBeVisible();
  await allow(popup);
  await syncAllAccounts(page);
  await expectConnected(page);
  await expect.poll(() => page.context().pages()).toEqual([page]);
});

test("shows the vendor's error if the code exchange fails", async ({ page, demo, host }) => {
  await fetch(`${demo.sandboxUrl}/_sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ vendor: 'gong', path: '/oauth2/generate-customer-token', status: 500 }),
  });
  await host.open(page, 'failed');
  await allow(await signInToGong(page));
  await expect(page.getByText('Couldn’t connect', { exact: true }).first()).toBeVisible();
  await expect(page.locator('.notice p').first()).toContainText('Gong');
  expect(await host.connectorsOf('failed')).toEqual([]);
});

test("lets the customer cancel if the vendor's page fails", async ({ page, host }) => {
  await host.setVendor('gong', { consentStatus: 503, consentDelayMs: 300 });
  await host.open(page, 'vendor-down');
  const popup = await signInToGong(page);
  await expect(popup.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Reopen Gong window' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Use an access key instead' })).toBeVisible();
  await expect.poll(() => popup.isClosed()).toBe(true);
});

test('refreshes an expired widget token and continues the same OAuth session', async ({ page, host }) => {
  await host.open(page, 'renewed');
  const popup = await signInToGong(page);
  await expect(popup.getByRole('button', { name: 'Allow' })).toBeVisible();
  const asked: string[] = [];
  page.on('request', request => {
    if (request.url().includes('/widget-token')) asked.push('token');
  });
  await page.route('**/oauth/sessions/**', async route => {
    asked.push('status');
    if (asked.filter(what => what === 'status').length > 1) return route.continue();
    return route.fulfill({
      status: 401,
      contentType: 'application/problem+json',
      headers: { 'access-control-allow-origin': host.url },
      body: JSON.stringify({ code: 'token_expired', title: 'Token expired', status: 401 }),
    });
  });
  // The first poll was sent before the route was added. The focus event causes a new poll.
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  // More polls follow if this takes longer than one of them.
  await expect.poll(() => asked.slice(0, 3)).toEqual(['status', 'token', 'status']);
  await allow(popup);
  await syncAllAccounts(page);
  await expectConnected(page);
});

test('ignores messages from other pages and windows', async ({ page, host }) => {
  await host.open(page, 'hostile');
  const polls: string[] = [];
  const released = Promise.withResolvers<void>();
  // The first poll lasts until it is released, so that only a message can cause another one.
  await page.route('**/oauth/sessions/**', async route => {
    if (route.request().method() === 'GET') {
      polls.push(route.request().url());
      await released.promise;
    }
    await route.continue();
  });
  const popup = await signInToGong(page);
  await expect(popup.getByRole('button', { name: 'Allow' })).toBeVisible();
  await expect.poll(() => polls).toHaveLength(1);
  const sessionId = polls[0]?.split('/').at(-1)?.split('?')[0];
  const message = { type: 'connector-auth:oauth', session_id: sessionId, status: 'completed' };
  // The widget receives messages in the frame that opened the pop-up.
  const origins = await page.evaluateHandle(() => {
    const received: string[] = [];
    frames[0]?.addEventListener('message', ({ origin }) => received.push(origin));
    return received;
  });
  await page.evaluate(data => {
    frames[0]?.postMessage(data, '*');
  }, message);
  await popup.evaluate(data => {
    // The message has the right source window and session, but the wrong origin: the vendor's.
    (opener as Window).postMessage(data, '*');
  }, message);
  await expect.poll(() => origins.jsonValue()).toEqual([host.url, new URL(popup.url()).origin]);
  await expect(page.getByRole('heading', waitingHeading)).toBeVisible();
  expect(polls).toHaveLength(1);
  released.resolve();
  await allow(popup);
  await syncAllAccounts(page);
  await expectConnected(page);
});

test('re-authenticates a connector in place, and asks before switching to another account', async ({
  page,
  host,
}) => {
  // This test completes three OAuth flows while the first account is syncing.
  test.slow();
  await host.open(page, 'reconnect');
  await allow(await signInToGong(page));
  await syncAllAccounts(page);
  await expectConnected(page);
  const [before] = await host.connectorsOf('reconnect');
  await page.getByRole('button', { name: 'Done' }).click();

  const reconnect = async (account: string) => {
    await page.getByRole('button', { name: /^Manage/ }).click();
    await page.getByRole('button', { name: 'Reconnect' }).click();
    const popup = page.waitForEvent('popup');
    await signInButton(page).click();
    const consent = await popup;
    await chooseAccount(consent, account);
    await allow(consent);
  };
  await reconnect('Lumen Harbour');
  await expectConnected(page);
  await page.getByRole('button', { name: 'Done' }).click();

  await reconnect('North Quay');
  await expect(
    page.getByRole('heading', { name: 'You signed in to a different Gong account' }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Switch account' }).click();
  await expectConnected(page);
  const after = await host.connectorsOf('reconnect');
  expect(after.map(({ id }) => id)).toEqual([before?.id]);
});
