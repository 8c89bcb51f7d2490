import { createHash, randomBytes } from 'node:crypto';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { consentKind, platformApps } from '../../../test/consent.ts';
import { readDatabaseContents } from '../../../test/database-contents.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { targetOf, TestBrowser, type Page, type StartedConsent } from '../../../test/test-browser.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';
import { startVendorProxy, type VendorProxy } from '../../../test/vendor-proxy.ts';

/** Tests attacks on the OAuth flow and vendor failures during it. */

const publicUrl = 'http://localhost:4321';
const completion = `${publicUrl}/oauth/complete`;
const page = 'http://127.0.0.1:5555';
const connectors = '/api/v1/integrations/connectors';
const tokenPath = '/oauth2/generate-customer-token';

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

onPostgresOrEachEngineInFull('attacks on the OAuth flow and vendor failures', database => {
  let sandbox: RunningSandbox;
  let proxy: VendorProxy;
  let service: TestService;
  let token: string;
  let widget: string;
  let browser: TestBrowser;

  beforeAll(async () => {
    sandbox = await startSandbox();
    proxy = await startVendorProxy(sandbox.url);
    service = await startTestService(database(), {
      publicUrl,
      oauthApps: platformApps,
      sandbox: { ...sandbox, url: proxy.url },
    });
    token = await service.tokenOf(await service.addApplication('own', ['Acme <Analytics>']));
  });
  beforeEach(async () => {
    await database().kysely.deleteFrom('customers').execute();
    sandbox.control.reset();
    // Advances the clock to refill the rate limit on starting an OAuth flow.
    service.advance(4_000);
    widget = await service.customerToken(token, {
      customer_name: 'acme-17',
      customer_display_name: 'Acme <Sales>',
      allowed_origin: page,
    });
    browser = new TestBrowser(service, publicUrl);
    return () => browser.leave();
  });
  afterAll(async () => {
    await service.close();
    await proxy.close();
    await sandbox.close();
  });

  const initiate = (changes: Readonly<Record<string, unknown>> = {}) =>
    service.ask('POST', `${connectors}/oauth/initiate`, {
      token: widget,
      headers: { origin: page },
      body: { connector_type: consentKind.key, redirect_url: completion, challenge, ...changes },
    });
  const begin = async (changes: Readonly<Record<string, unknown>> = {}) => {
    const response = await initiate(changes);
    expect(response.status, response.text).toBe(200);
    return response.body as StartedConsent;
  };
  const sessionNow = async (id: string) =>
    (
      await service.ask('GET', `${connectors}/oauth/sessions/${id}`, {
        token: widget,
        headers: { origin: page, 'x-oauth-verifier': verifier },
      })
    ).body;
  const exchanges = () => sandbox.control.requests.count({ operation: 'exchange code' });

  /**
   * Asserts that a visit shows an error page without a redirect, a vendor request or a change in the
   * database.
   */
  const expectRejected = async (visit: () => Promise<Page>, words: string): Promise<void> => {
    const before = await readDatabaseContents(database());
    const exchangesBefore = exchanges();
    const shown = await visit();
    expect(shown.status).toBe(400);
    expect(shown.location).toBeNull();
    expect(shown.text).toContain(words);
    expect(shown.headers['content-security-policy']).toContain("default-src 'none'");
    expect(exchanges()).toBe(exchangesBefore);
    expect(await readDatabaseContents(database())).toEqual(before);
  };

  describe('the state parameter', () => {
    test.each([
      ['forged', '?code=c&state=forged'],
      ['absent', '?code=c'],
      ['empty', '?code=c&state='],
      ['repeated', '?code=c&state=a&state=b'],
      ['structured', '?code=c&state[a]=b'],
      ['badly encoded', '?code=c&state=%E0%A4%A'],
      ['forged and sent with an error', '?error=access_denied&state=forged'],
    ])('rejects a callback whose state is %s', async (_title, query) => {
      await expectRejected(
        () => browser.visit(`${publicUrl}/oauth/callback${query}`),
        'This link is invalid',
      );
      expect(service.logged()).toContain('oauth_callback_refused');
    });

    test('rejects a state that was already used, and preserves the first outcome', async () => {
      const started = await begin();
      const { session_id } = started;
      const callback = await browser.decide(await browser.reachVendor(started, `${page}/`), 'allow');
      const mark = new Map(browser.cookies);
      await browser.visit(callback);
      const first = await sessionNow(session_id);
      expect(first.status).toBe('completed');
      // Visiting the callback again fails because the cookie was deleted.
      await expectRejected(() => browser.visit(callback), 'You started in a different browser');
      for (const [name, value] of mark) browser.cookies.set(name, value);
      await expectRejected(() => browser.visit(callback), 'This link was already used');
      expect(await sessionNow(session_id)).toEqual(first);
    });

    test('accepts a state only once if the callback is repeated concurrently', async () => {
      const started = await begin();
      const { session_id } = started;
      const callback = await browser.decide(await browser.reachVendor(started, `${page}/`), 'allow');
      const shown = await Promise.all(Array.from({ length: 5 }, () => browser.visit(callback)));
      expect(shown.filter(({ location }) => location !== null)).toHaveLength(1);
      expect(exchanges()).toBe(1);
      expect((await sessionNow(session_id)).status).toBe('completed');
    });

    test('accepts a callback only in the browser that started the flow', async () => {
      const started = await begin();
      const { session_id } = started;
      const victim = new TestBrowser(service, publicUrl);
      // The victim opens the vendor's link without visiting the start page.
      const vendorUrl = await browser.reachVendor(started, `${page}/`);
      const callback = await victim.decide(vendorUrl, 'allow');
      await expectRejected(() => victim.visit(callback), 'You started in a different browser');
      expect((await sessionNow(session_id)).status).toBe('pending');
      expect((await browser.visit(callback)).location).toContain(session_id);
      await victim.leave();
    });

    test('rejects a callback with a forged cookie', async () => {
      const started = await begin();
      const callback = await browser.decide(await browser.reachVendor(started, `${page}/`), 'allow');
      for (const name of browser.cookies.keys()) browser.cookies.set(name, 'forged');
      await expectRejected(() => browser.visit(callback), 'You started in a different browser');
    });
  });

  describe('the start link', () => {
    const expectConfirmation = (shown: Page): void => {
      expect(shown.status).toBe(200);
      expect(shown.location).toBeNull();
      expect(targetOf(shown.text)).toBeNull();
      expect(browser.cookies.size).toBe(0);
      expect(shown.text).toContain('<bdi>Acme &#60;Analytics&#62;</bdi>');
      expect(shown.text).toContain('For <bdi>Acme &#60;Sales&#62;</bdi>');
      expect(shown.text).not.toContain('acme-17');
      expect(shown.text).toContain('<bdi>Gong</bdi>');
      expect(shown.text).toContain('<bdi>127.0.0.1:5555</bdi>');
      expect(shown.text).not.toContain('<Analytics>');
      expect(shown.headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(shown.headers['content-security-policy']).toContain(
        `form-action 'self' ${new URL(proxy.url).origin}`,
      );
    };
    const aForm = { origin: page, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

    test.each<[string, Record<string, string>]>([
      ['without a referrer', {}],
      ['from the page on which the widget is', { referer: `${page}/`, 'sec-fetch-site': 'cross-site' }],
      ['from another origin', { referer: 'https://evil.example/' }],
      ['from a lookalike origin', { referer: `${page}.evil.example/` }],
      ['from a page that hides its origin', { referer: 'about:blank' }],
      ['as an image', { referer: `${page}/`, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
      ['in a frame', { referer: `${page}/`, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
      ['by a prefetch', { referer: `${page}/`, 'sec-purpose': 'prefetch' }],
    ])('asks for confirmation when a widget’s consent URL is opened %s', async (_title, headers) => {
      const { consent_url } = await begin();
      expectConfirmation(await browser.visit(consent_url, { headers }));
    });

    test('continues to the vendor without a click when the widget’s form is submitted', async () => {
      const started = await begin();
      expect(started.start_proof).toMatch(/^[\w-]{43}$/);
      const shown = await browser.submitStartForm(started, aForm);
      expect(shown.status).toBe(200);
      // The host page's form-action would block a redirect of its form.
      expect(shown.location).toBeNull();
      expect(targetOf(shown.text)).toContain('/app.gong.io/oauth2/authorize?');
      expect(browser.cookies.size).toBe(1);
      expect(shown.headers['cache-control']).toBe('no-store');
      expect(shown.headers['referrer-policy']).toBe('no-referrer');
      await browser.visit(await browser.decide(String(targetOf(shown.text)), 'allow'));
      expect((await sessionNow(started.session_id)).status).toBe('completed');
    });

    test.each<[string, Record<string, string>]>([
      ['without an origin', { origin: '' }],
      ['from a page that hides its origin', { origin: 'null' }],
      ['from another origin', { origin: 'https://evil.example' }],
      ['from a lookalike origin', { origin: `${page}.evil.example` }],
      ['from the service itself', { origin: publicUrl }],
      ['in a frame', { 'sec-fetch-dest': 'iframe' }],
      ['by a script', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    ])('asks for confirmation when the widget’s form is submitted %s', async (_title, headers) => {
      expectConfirmation(await browser.submitStartForm(await begin(), { ...aForm, ...headers }));
    });

    test('asks for confirmation when a form has another session’s start proof, or none', async () => {
      const [{ session_id }, { start_proof }] = [await begin(), await begin()];
      expectConfirmation(await browser.submitStartForm({ session_id, start_proof }, aForm));
      expectConfirmation(await browser.submitStartForm({ session_id }, aForm));
      const url = `${publicUrl}/oauth/start?start_proof=${start_proof}`;
      expectConfirmation(await browser.visit(url, { method: 'POST', headers: aForm, form: { session_id } }));
    });

    test('rejects the start proof once the session is no longer pending', async () => {
      const started = await begin();
      await browser.consent(started, `${page}/`);
      const shown = await browser.submitStartForm(started, aForm);
      expect(shown.status).toBe(410);
      expect(browser.cookies.size).toBe(0);
    });

    test('rejects a start form that is unknown, too large or repeats a field', async () => {
      const { session_id, start_proof = '' } = await begin();
      const post = (body: string) =>
        fetch(`${service.url}/oauth/start`, {
          method: 'POST',
          headers: { ...aForm, 'content-type': 'application/x-www-form-urlencoded' },
          body,
        });
      for (const body of [
        '',
        `session_id=${crypto.randomUUID()}`,
        `session_id=${session_id}&session_id=${session_id}`,
        `session_id=${session_id}&start_proof=${start_proof}&x=${'x'.repeat(5000)}`,
        `__proto__[session_id]=${session_id}`,
      ]) {
        const response = await post(body);
        expect(response.status, body.slice(0, 100)).toBe(404);
        expect(response.headers.get('set-cookie')).toBeNull();
      }
    });

    test('returns a start proof to widgets only', async () => {
      const response = await service.ask('POST', `${connectors}/oauth/initiate`, {
        token,
        body: { customer_name: 'acme-17', connector_type: 'gong', redirect_url: `${page}/back` },
      });
      expect(response.status, response.text).toBe(200);
      expect(response.body).not.toHaveProperty('start_proof');
    });

    test('never starts a flow or uses up a callback by HEAD', async () => {
      const started = await begin();
      const backend = await service.ask('POST', `${connectors}/oauth/initiate`, {
        token,
        body: { customer_name: 'acme-17', connector_type: 'gong', redirect_url: `${page}/back` },
      });
      for (const { consent_url } of [started, backend.body as StartedConsent]) {
        await browser.visit(consent_url, { method: 'HEAD', referer: `${page}/` });
        expect(browser.cookies.size).toBe(0);
      }
      const callback = await browser.decide(await browser.reachVendor(started, `${page}/`), 'allow');
      expect((await browser.visit(callback, { method: 'HEAD' })).status).toBe(405);
      expect((await sessionNow(started.session_id)).status).toBe('pending');
      await browser.visit(callback);
      expect((await sessionNow(started.session_id)).status).toBe('completed');
    });

    test('redirects to the vendor after the user confirms', async () => {
      const { consent_url, session_id } = await begin();
      await browser.visit(consent_url);
      const confirmed = await browser.visit(consent_url, {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' },
      });
      expect(confirmed.status).toBe(303);
      await browser.visit(await browser.decide(String(confirmed.location), 'allow'));
      expect((await sessionNow(session_id)).status).toBe('completed');
    });

    test.each<[string, Record<string, string>]>([
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['another origin on the same site', { 'sec-fetch-site': 'same-site' }],
      ['another origin, in an old browser', { origin: 'https://evil.example' }],
      ['an unknown source', {}],
      ['a script', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    ])('rejects a confirmation from %s', async (_title, headers) => {
      const { consent_url } = await begin();
      const shown = await browser.visit(consent_url, { method: 'POST', headers });
      expect(shown.location).toBeNull();
      expect(browser.cookies.size).toBe(0);
    });

    test.each(['/oauth/start/x', `/oauth/start/${crypto.randomUUID()}`, '/oauth/complete?session_id=x'])(
      'rejects an unknown link at %s',
      async path => {
        const shown = await browser.visit(`${publicUrl}${path}`);
        expect(shown.status).toBe(404);
        expect(shown.text).toContain('This link is invalid');
      },
    );
  });

  describe('the code exchange', () => {
    const throughVendor = async () => {
      const started = await begin();
      const { session_id } = started;
      const location = await browser.consent(started, `${page}/`);
      return { session: await sessionNow(session_id), location, session_id };
    };
    const failing = async (code: string): Promise<string> => {
      const { session, location } = await throughVendor();
      expect(session).toMatchObject({ status: 'failed', secret_id: null, error: { code } });
      expect((await browser.visit(location)).text).toContain('Couldn’t connect');
      const rows = await database().kysely.selectFrom('oauth_sessions').select('credentials').execute();
      expect(rows.filter(({ credentials }) => credentials !== null)).toEqual([]);
      return session.error.message;
    };

    test.each<[string, () => void, string]>([
      [
        'rejects the code',
        () =>
          proxy.replace(tokenPath, () => ({
            status: 400,
            body: '{"error":"invalid_grant","error_description":"The code is not valid"}',
          })),
        'vendor_refused_request',
      ],
      [
        'responds with HTML',
        () => proxy.replace(tokenPath, () => ({ contentType: 'text/html', body: '<h1>Oops</h1>' })),
        'vendor_failed',
      ],
      ['responds with nothing', () => proxy.replace(tokenPath, () => ({ body: '' })), 'vendor_failed'],
      [
        'responds with an empty object',
        () => proxy.replace(tokenPath, () => ({ body: '{}' })),
        'vendor_failed',
      ],
      [
        'fails',
        () => sandbox.control.faults.add({ vendor: 'gong', path: '/oauth2/gen*', status: 500, count: 1 }),
        'vendor_failed',
      ],
      [
        'closes the connection',
        () =>
          sandbox.control.faults.add({
            vendor: 'gong',
            path: '/oauth2/gen*',
            closeConnection: true,
            count: 1,
          }),
        'vendor_failed',
      ],
      [
        'returns no refresh token',
        () =>
          proxy.replace(tokenPath, own => ({ body: JSON.stringify({ ...own, refresh_token: undefined }) })),
        'vendor_failed',
      ],
      ...[
        'https://evil.example',
        'http://company-17.api.gong.io',
        'https://api.gong.io.evil.example',
        'https://user@api.gong.io',
        7,
      ].map((url): [string, () => void, string] => [
        `returns ${url} as its API`,
        () =>
          proxy.replace(tokenPath, own => ({
            body: JSON.stringify({ ...own, api_base_url_for_customer: url }),
          })),
        'vendor_failed',
      ]),
    ])('fails without storing anything if the vendor %s', async (_title, arrange, code) => {
      arrange();
      await failing(code);
      expect(service.logged()).toContain('oauth_exchange_failed');
    });

    test('names the setting to check if the vendor rejects the OAuth app', async () => {
      proxy.replace(tokenPath, () => ({ status: 401, body: '{"error":"invalid_client"}' }));
      const message = await failing('vendor_misconfigured');
      expect(message).toContain('OAUTH_GONG_CLIENT_SECRET');
      expect(message).not.toContain('gong_sandbox_client_secret');
    });

    test('reports the vendor’s error description on one line', async () => {
      const started = await begin();
      const { session_id } = started;
      const vendorUrl = new URL(await browser.reachVendor(started, `${page}/`));
      const back = new URL(`${publicUrl}/oauth/callback`);
      back.searchParams.set('state', vendorUrl.searchParams.get('state') ?? '');
      back.searchParams.set('error', 'server_error<script>');
      back.searchParams.set('error_description', `Two\nlines \u202e<b>${'x'.repeat(1000)}`);
      const landed = await browser.visit(back.href);
      const { error } = await sessionNow(session_id);
      expect(error.code).toBe('server_error');
      expect(error.message).toMatch(/^Gong: Two lines {2}<b>x+$/);
      expect(error.message.length).toBeLessThan(320);
      const shown = await browser.visit(String(landed.location));
      expect(shown.text).not.toContain('<b>');
    });

    test('fails if the vendor’s redirect contains neither a code nor an error', async () => {
      const started = await begin();
      const { session_id } = started;
      const vendorUrl = new URL(await browser.reachVendor(started, `${page}/`));
      const state = vendorUrl.searchParams.get('state') ?? '';
      await browser.visit(`${publicUrl}/oauth/callback?state=${state}`);
      expect(await sessionNow(session_id)).toMatchObject({
        status: 'failed',
        error: { code: 'server_error' },
      });
    });
  });

  test('logs no secrets of an OAuth flow', async () => {
    const started = await begin();
    const { session_id } = started;
    const vendorUrl = await browser.reachVendor(started, `${page}/`);
    const callback = new URL(await browser.decide(vendorUrl, 'allow'));
    const marks = [...browser.cookies.values()];
    await browser.visit(callback.href);
    const { secret_id } = await sessionNow(session_id);
    const secrets = [
      secret_id,
      verifier,
      'gong_sandbox_client_secret',
      ...marks,
      ...callback.searchParams.values(),
    ];
    const logged = service.logged();
    expect(secrets.every(secret => String(secret).length > 20)).toBe(true);
    for (const secret of secrets) expect(logged).not.toContain(secret);
    expect(logged).not.toMatch(/eyJ[\w-]+\.[\w-]+/);
  });
});
