import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContext, Page } from '@playwright/test';
import { expect, test, type Demo } from '../stack/host-page.ts';

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
    body: { customer_name: 'pages', allowed_origin: origin },
  });
  const redirect_url = `${demo.serviceUrl}/oauth/complete`;
  const { consent_url = '', session_id = '' } = await callService(
    demo,
    '/integrations/connectors/oauth/initiate',
    {
      token,
      origin,
      body: { connector_type: 'gong', redirect_url, challenge },
    },
  );
  return {
    consentUrl: consent_url,
    sessionId: session_id,
    longPoll: () =>
      callService(demo, `/integrations/connectors/oauth/sessions/${session_id}?wait=25`, {
        token,
        origin,
        headers: { 'x-oauth-verifier': verifier },
      }),
  };
}

async function openPopup(context: BrowserContext, page: Page, url: string): Promise<Page> {
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    page.evaluate(address => void window.open(address, 'consent', 'popup,width=500,height=700'), url),
  ]);
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
  test(`closes a consent window ${title} and reports the outcome at once`, async ({
    page,
    context,
    demo,
  }) => {
    const { consentUrl, sessionId, longPoll } = await begin(demo, host);
    await page.goto(`${host.origin}${path}`);
    const popup = await openPopup(context, page, consentUrl);
    // There is no confirmation to click, because the request comes from the page that started the OAuth flow.
    await popup.waitForURL(/app\.gong\.io/);
    const outcome = longPoll();
    const closed = popup.waitForEvent('close');
    const startedAt = performance.now();
    await popup.getByRole('button', { name: 'Allow' }).click({ noWaitAfter: true });
    expect(await outcome).toMatchObject({ status: 'completed', secret_id: expect.any(String) });
    expect(performance.now() - startedAt).toBeLessThan(4_500);
    await closed;
    const heard = await page.evaluate(() => (window as unknown as { heard: unknown[] }).heard);
    const message = {
      origin: new URL(demo.serviceUrl).origin,
      data: { type: 'connector-auth:oauth', session_id: sessionId, status: 'completed' },
    };
    expect(heard).toEqual(severed ? [] : [message]);
  });
}

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
          const { violations } = await new AxeBuilder({ page }).analyze();
          expect(violations).toEqual([]);
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
