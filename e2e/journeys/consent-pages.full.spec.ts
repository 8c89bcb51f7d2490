import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from '@playwright/test';
import { expect, test, type Demo } from '../stack/host-page.ts';
import { violationsOf } from '../stack/violations.ts';

// Tests the text, layout, accessibility and closing of the service's own pages, which it shows before and
// after the vendor's consent page.

interface Host {
  readonly origin: string;
  close(): Promise<void>;
}

/** An integrator's page that records the messages it receives. */
async function startHost(): Promise<Host> {
  const server = createServer((request, response) => {
    if (request.url?.includes('severed')) response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('content-type', 'text/html');
    response.end(
      '<!doctype html><title>Host</title><script>window.heard = []; addEventListener("message", ({ origin, data }) => heard.push({ origin, data }))</script>',
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => {});
    },
  };
}

/** Calls the service as a page on this origin would. */
async function callService(
  { serviceUrl }: Demo,
  path: string,
  { token, origin, body, headers }: CallOptions,
): Promise<Record<string, string>> {
  const response = await fetch(`${serviceUrl}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(origin === undefined ? {} : { origin }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(response.ok, path).toBe(true);
  // The tests read only string members from these responses.
  return (await response.json()) as Record<string, string>;
}

interface CallOptions {
  readonly token?: string | undefined;
  readonly origin?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function begin(demo: Demo, { origin }: Host) {
  const { clientId: client_id, clientSecret: client_secret } = demo;
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const application = await callService(demo, '/account/applications/token', {
    body: { client_id, client_secret },
  });
  const { token } = await callService(demo, '/account/applications/widget-token', {
    token: application['access_token'],
    body: { customer_name: 'pages', customer_display_name: 'Pages Ltd', allowed_origin: origin },
  });
  const redirect_url = `${demo.serviceUrl}/oauth/complete`;
  const {
    consent_url = '',
    session_id = '',
    start_proof = '',
  } = await callService(demo, '/integrations/connectors/oauth/initiate', {
    token,
    origin,
    body: { connector_type: 'gong', redirect_url, challenge },
  });
  return {
    consentUrl: consent_url,
    sessionId: session_id,
    /** The form with which a widget starts the session. */
    form: { url: `${demo.serviceUrl}/oauth/start`, fields: { session_id, start_proof } },
    longPoll: () =>
      callService(demo, `/integrations/connectors/oauth/sessions/${session_id}?wait=25`, {
        token,
        origin,
        headers: { 'x-oauth-verifier': verifier },
      }),
  };
}

interface StartForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Submits a form of the page to a new window, or to a frame in the page. */
async function submit(page: Page, form: StartForm, target = 'consent'): Promise<void> {
  await page.evaluate(
    ({ url, fields, target }) => {
      if (target === 'frame') {
        const frame = document.createElement('iframe');
        frame.name = target;
        document.body.append(frame);
      } else open('', target, 'popup,width=500,height=700');
      const form = document.createElement('form');
      form.method = 'post';
      form.action = url;
      form.target = target;
      for (const [name, value] of Object.entries(fields)) {
        const input = document.createElement('input');
        Object.assign(input, { type: 'hidden', name, value });
        form.append(input);
      }
      document.body.append(form);
      form.submit();
    },
    { ...form, target },
  );
}

async function openPopup(context: BrowserContext, page: Page, form: StartForm): Promise<Page> {
  const [popup] = await Promise.all([context.waitForEvent('page'), submit(page, form)]);
  return popup;
}

let host: Host;
test.beforeAll(async () => {
  host = await startHost();
});
test.afterAll(() => host.close());

for (const { title, path, severed } of [
  { title: 'with an opener', path: '/', severed: false },
  { title: 'severed from its opener', path: '/?severed', severed: true },
]) {
  test(`closes a consent window ${title} and reports the outcome`, async ({ page, context, demo }) => {
    const { form, sessionId, longPoll } = await begin(demo, host);
    await page.goto(`${host.origin}${path}`);
    const popup = await openPopup(context, page, form);
    // There is no confirmation to click, because the form comes from the page that started the OAuth flow.
    await popup.waitForURL(/app\.gong\.io/);
    const outcome = longPoll();
    const closed = popup.waitForEvent('close');
    await popup.getByRole('button', { name: 'Allow' }).click({ noWaitAfter: true });
    expect(await outcome).toMatchObject({ status: 'completed', secret_id: expect.any(String) });
    await closed;
    const message = {
      origin: new URL(demo.serviceUrl).origin,
      data: { type: 'connector-auth:oauth', session_id: sessionId, status: 'completed' },
    };
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { heard: unknown[] }).heard))
      .toEqual(severed ? [] : [message]);
  });
}

/** Asserts that a page asks for confirmation and that the browser has no cookie for the session. */
async function expectConfirmation(context: BrowserContext, asking: Page, { origin }: Host): Promise<void> {
  await expect(asking.getByRole('heading')).toHaveText('Connect Gong?');
  await expect(asking.getByText(`(${new URL(origin).host}) wants to access`)).toBeVisible();
  await expect(asking.getByText('For Pages Ltd', { exact: true })).toBeVisible();
  expect(await context.cookies()).toEqual([]);
}

test('asks for confirmation if the consent URL is a link on the integrator’s own page', async ({
  page,
  context,
  demo,
}) => {
  const { consentUrl } = await begin(demo, host);
  for (const rel of ['noopener', 'opener']) {
    await page.goto(host.origin);
    const opened = context.waitForEvent('page');
    await page.evaluate(
      ({ url, rel }) => {
        const link = document.createElement('a');
        Object.assign(link, { href: url, rel, target: '_blank', textContent: 'Open' });
        document.body.append(link);
        link.click();
      },
      { url: consentUrl, rel },
    );
    const asking = await opened;
    await expectConfirmation(context, asking, host);
    await asking.close();
  }
});

test('asks for confirmation if another site submits the widget’s form, and continues after it', async ({
  page,
  context,
  demo,
}) => {
  const foreign = await startHost();
  const { form, longPoll } = await begin(demo, host);
  await page.goto(foreign.origin);
  const popup = await openPopup(context, page, form);
  await expectConfirmation(context, popup, host);
  await popup.getByRole('button', { name: 'Continue to Gong' }).click();
  await popup.getByRole('button', { name: 'Allow' }).click({ noWaitAfter: true });
  expect(await longPoll()).toMatchObject({ status: 'completed' });
  await foreign.close();
});

test('shows nothing and sets no cookie in a frame of the integrator’s page', async ({
  page,
  context,
  demo,
}) => {
  const { form } = await begin(demo, host);
  await page.goto(host.origin);
  const blocked = page.waitForEvent('console', message => /frame-ancestors/.test(message.text()));
  await submit(page, form, 'frame');
  await blocked;
  expect(await context.cookies()).toEqual([]);
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [locale, direction, title] of [
    ['en-GB', 'ltr', 'Connect Gong?'],
    ['ar', 'rtl', 'هل تريد ربط Gong؟'],
  ] as const) {
    test.describe(`consent pages in ${locale}, ${colorScheme}`, () => {
      test.use({ colorScheme, locale, viewport: { width: 360, height: 720 } });

      test('consent pages are accessible, fit a phone, and comply with their Content-Security-Policy', async ({
        page,
        demo,
      }) => {
        const problems: string[] = [];
        page.on('console', message => {
          if (/Content.Security.Policy|Refused/i.test(message.text())) problems.push(message.text());
        });
        page.on('pageerror', error => problems.push(String(error)));
        const look = async (): Promise<void> => {
          expect(await violationsOf(page)).toEqual([]);
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          expect(overflow).toBeLessThanOrEqual(0);
        };

        const { consentUrl } = await begin(demo, host);
        await page.goto(consentUrl);
        await expect(page.locator('html')).toHaveAttribute('dir', direction);
        await expect(page.getByRole('heading')).toHaveText(title);
        await look();
        await page.getByRole('button').click();
        await page.waitForURL(/app\.gong\.io/);
        await page.getByRole('button', { name: 'Deny' }).click();
        await page.waitForURL(`${demo.serviceUrl}/oauth/complete`);
        await look();
        await expect(page.getByRole('link')).toHaveAttribute('href', `${host.origin}/`);

        await page.goto(consentUrl);
        await look();
        await page.goto(`${demo.serviceUrl}/oauth/callback?code=c&state=forged`);
        await look();
        expect(problems).toEqual([]);
      });
    });
  }
}
