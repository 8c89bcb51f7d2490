import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readDatabaseContents } from '../../../../test/database-contents.ts';
import { onPostgresOrEachEngineInFull } from '../../../../test/engines.ts';
import { goodKey } from '../../../../test/example-requests.ts';
import { LinkPageBrowser } from '../../../../test/link-page-browser.ts';
import { bothKinds, firstKind, secondKind } from '../../../../test/second-kind.ts';
import { targetOf, type Page } from '../../../../test/test-browser.ts';
import {
  adminToken,
  keyRing,
  startTestService,
  type RequestOptions,
  type TestService,
} from '../../../../test/test-service.ts';
import { until } from '../../../../test/until.ts';
import type { KeyRing } from '../../../platform/crypto/key-ring.ts';

const publicUrl = 'https://connect.example/base';
const origin = 'https://connect.example';
const helperUrl = 'https://app.example/connector-auth';
const links = '/api/v1/integrations/connect-links';

interface Link {
  readonly id: string;
  readonly url: string;
}

onPostgresOrEachEngineInFull('the page of a connect link', database => {
  let sandbox: RunningSandbox;
  let service: TestService;
  let application: Awaited<ReturnType<TestService['addApplication']>>;
  let token: string;
  let browser: LinkPageBrowser;
  const browsers: LinkPageBrowser[] = [];

  const newBrowser = (): LinkPageBrowser => {
    const browser = new LinkPageBrowser(service, publicUrl);
    browsers.push(browser);
    return browser;
  };
  const changeOrganization = (body: unknown) => service.ask('PATCH', '/api/v1/organization', { token, body });
  const create = async (body: Readonly<Record<string, unknown>> = {}): Promise<Link> => {
    const created = await service.ask('POST', links, {
      token,
      body: { customer_name: 'northwind', connector_type: firstKind.key, ...body },
    });
    expect(created.status, created.text).toBe(201);
    return created.body as Link;
  };
  const invite = () => create({ audience: 'guest', inviter: 'Ana <Silva>' });
  /** Confirms a code as the helper does. */
  const confirm = ({ id }: Link, code: string, customer_name = 'northwind') =>
    service.ask('POST', `${links}/${id}/confirm`, { token, body: { code, customer_name } });
  /** Opens a link and confirms the customer. */
  const openConfirmed = async (link: Link, visitor = browser): Promise<Page> => {
    await visitor.open(link.url);
    const { body } = await confirm(link, await visitor.codeFor(link.url));
    return visitor.goBack(body.return_url);
  };
  const tokenOf = async ({ url }: Link, visitor = browser): Promise<string> =>
    JSON.parse((await visitor.send(url, 'token')).text).token;
  const connect = (widgetToken: string) =>
    service.ask('POST', '/api/v1/integrations/connectors', {
      token: widgetToken,
      headers: { origin },
      body: { connector_type: firstKind.key, name: 'Notes', credentials: { api_key: goodKey } },
    });
  const expire = ({ id }: Link) =>
    database()
      .kysely.updateTable('connect_links')
      .where('id', '=', id)
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute();

  beforeAll(async () => {
    sandbox = await startSandbox();
    service = await startTestService(database(), { publicUrl, kinds: bothKinds, sandbox });
    application = await service.addApplication('own', ['Acme <Analytics>']);
  });
  beforeEach(async () => {
    await database().kysely.deleteFrom('customers').execute();
    // Refills the limits, and lets tokens expire.
    service.advance(30_000);
    token = await service.tokenOf(application);
    await changeOrganization({ connect_helper_url: helperUrl, guest_connect_links: true });
    browser = newBrowser();
    return async () => {
      for (const each of browsers.splice(0)) await each.leave();
    };
  });
  afterAll(async () => {
    await service.close();
    await sandbox.close();
  });

  describe('before the browser has opened the link', () => {
    test('is the same for every id, and sets no cookie', async () => {
      const [known, expired, used] = [await create(), await create(), await create()];
      await expire(expired);
      await openConfirmed(used, newBrowser());
      await connect(await tokenOf(used, browsers.at(-1)));
      const unknown = '00000000-0000-4000-8000-000000000000';
      const shown = await Promise.all(
        [known.id, expired.id, used.id, unknown].map(async id => {
          const { status, text, headers } = await browser.load(`${publicUrl}/connect/${id}`);
          expect(headers['set-cookie']).toBeUndefined();
          return { status, text: text.replaceAll(id, 'id'), policy: headers['content-security-policy'] };
        }),
      );
      for (const page of shown) expect(page).toEqual(shown[0]);
      expect(shown[0]?.status).toBe(200);
    });

    test('asks for JavaScript, and reports an address without a secret', async () => {
      const { text } = await browser.load((await create()).url);
      expect(text).toMatch(/<noscript>.*This page needs JavaScript/s);
      expect(text).toContain('This link is incomplete');
      expect(text).not.toContain('northwind');
      expect(text).not.toContain('Acme');
    });

    test.each(['not-an-id', '%E0%A4%A', 'a'.repeat(5000)])('rejects the id %.20s', async id => {
      const { status, text } = await browser.visit(`${publicUrl}/connect/${id}`);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(JSON.parse(text).code).toMatch(/^(route_not_found|malformed_request)$/);
    });

    test('rejects a wrong secret like an unknown link', async () => {
      const { url } = await create();
      const wrong = await browser.send(url, 'open', { secret: 'a'.repeat(43) });
      const unknown = await browser.send(`${publicUrl}/connect/${crypto.randomUUID()}`, 'open', {
        secret: 'x',
      });
      for (const { status, text } of [wrong, unknown]) {
        expect(status).toBe(404);
        expect(JSON.parse(text).code).toBe('link_not_found');
      }
      expect(browser.cookies.size).toBe(0);
    });

    test.each([
      [null],
      ['text'],
      [{}],
      [{ secret: 1 }],
      [{ secret: 'x'.repeat(300) }],
      [{ secret: 'x', more: 1 }],
    ])('rejects the body %j without repeating it', async body => {
      const { status, text } = await browser.send((await create()).url, 'open', body);
      expect(status).toBe(400);
      expect(JSON.parse(text).code).toBe('malformed_request');
      expect(text).not.toContain('xxx');
    });

    test('reports why a link with the right secret cannot be opened', async () => {
      const [expired, revoked, used] = [await create(), await create(), await create()];
      await expire(expired);
      await service.ask('DELETE', `${links}/${revoked.id}`, { token });
      await openConfirmed(used, newBrowser());
      await connect(await tokenOf(used, browsers.at(-1)));
      for (const [{ url }, code] of [
        [expired, 'link_expired'],
        [revoked, 'link_revoked'],
        [used, 'link_used'],
      ] as const) {
        const { status, text } = await browser.send(url, 'open', { secret: url.split('#')[1] });
        expect(status, code).toBe(409);
        expect(JSON.parse(text).code).toBe(code);
      }
      expect(browser.cookies.size).toBe(0);
    });
  });

  describe('after the signing keys were changed', () => {
    /** Restarts the service with other keys, and returns the browser's and the application's requests to it. */
    const restart = async (signingKeys: KeyRing) => {
      const restarted = await startTestService(database(), {
        publicUrl,
        kinds: bothKinds,
        sandbox,
        signingKeys,
      });
      const visitor = new LinkPageBrowser(restarted, publicUrl);
      for (const [name, value] of browser.cookies) visitor.cookies.set(name, value);
      onTestFinished(async () => {
        await visitor.leave();
        await restarted.close();
      });
      const token = await restarted.tokenOf(application);
      const ask = (method: string, path: string, options: RequestOptions = {}) =>
        restarted.ask(method, path, { token, ...options });
      const statusOf = async ({ id }: Link) => (await ask('GET', `${links}/${id}`)).body.status;
      return { visitor, ask, statusOf };
    };
    const codeOf = ({ text }: Page) => JSON.parse(text).code;

    test.each([
      ['another id', keyRing('replaced', 7)],
      ['the id of the replaced one', keyRing('signing', 7)],
    ])(
      'a link ends with its key, even where it was accepted, if the new key has %s',
      async (_title, keys) => {
        const [unopened, confirmed, guest] = [await create(), await create(), await invite()];
        await openConfirmed(confirmed);
        await browser.open(guest.url);
        await browser.submit(guest.url);
        await tokenOf(guest);
        const { visitor, statusOf } = await restart(keys);
        const secret = unopened.url.split('#')[1];
        expect(codeOf(await visitor.send(unopened.url, 'open', { secret }))).toBe('link_revoked');
        for (const link of [confirmed, guest]) {
          expect(codeOf(await visitor.send(link.url, 'token'))).toBe('link_revoked');
          expect((await visitor.load(link.url)).text).toContain('<h1>This link was cancelled</h1>');
          expect(await statusOf(link)).toBe('revoked');
        }
      },
    );

    test('a repeated request gets the same URL, which works, or an error if the link is gone', async () => {
      const request = {
        headers: { 'idempotency-key': 'again' },
        body: { customer_name: 'northwind', connector_type: firstKind.key },
      };
      const { body: first } = await service.ask('POST', links, { token, ...request });
      const [newKey] = keyRing('newer', 7);
      const rotated = await restart([newKey, ...service.signingKeys]);
      expect((await rotated.ask('POST', links, request)).body).toEqual(first);
      expect((await rotated.visitor.open(first.url)).text).toContain('asks you to connect');
      await database().kysely.deleteFrom('connect_links').where('id', '=', first.id).execute();
      expect((await rotated.ask('POST', links, request)).body.code).toBe('link_revoked');
    });

    test('a link works as long as its key is configured', async () => {
      const [unopened, opened, confirmed] = [await create(), await create(), await create()];
      await browser.open(opened.url);
      await openConfirmed(confirmed);
      const [newKey] = keyRing('newer', 7);
      const { visitor, statusOf } = await restart([newKey, ...service.signingKeys]);
      expect((await visitor.open(unopened.url)).text).toContain('asks you to connect');
      expect((await visitor.load(opened.url)).text).toContain('asks you to connect');
      await tokenOf(confirmed, visitor);
      expect(await statusOf(confirmed)).toBe('confirmed');
    });
  });

  test('changes nothing when it is loaded, by prefetching, scanners and HEAD too', async () => {
    const link = await create();
    const guest = await invite();
    await browser.open(link.url);
    await browser.open(guest.url);
    const before = await readDatabaseContents(database());
    for (const { url } of [link, guest]) {
      for (let count = 0; count < 20; count++) {
        expect((await browser.load(url)).status).toBe(200);
        await browser.visit(url.replace(/#.*/, ''), {
          method: count % 2 === 0 ? 'HEAD' : 'GET',
          headers: { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-mode': 'navigate' },
        });
      }
      for (const action of ['open', 'return', 'confirm', 'token']) {
        for (const method of ['GET', 'HEAD'] as const)
          expect((await browser.visit(`${url.replace(/#.*/, '')}/${action}`, { method })).status).toBe(404);
      }
    }
    expect(await readDatabaseContents(database())).toEqual(before);
  });

  test('cannot be framed or cached, and runs only the scripts of the service with Trusted Types', async () => {
    const link = await create();
    const pages = [
      await browser.load(link.url),
      await browser.open(link.url),
      await browser.submit(link.url),
      await openConfirmed(link),
    ];
    await service.ask('DELETE', `${links}/${link.id}`, { token });
    pages.push(await browser.load(link.url));
    for (const { headers } of pages) {
      const policy = headers['content-security-policy'];
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'; trusted-types lit-html");
      expect(policy).not.toContain('unsafe');
      expect(policy).toMatch(/form-action '(self|none)'/);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['referrer-policy']).toMatch(/^(no-referrer|same-origin)$/);
      expect(headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups');
      expect(headers['x-frame-options']).toBeDefined();
    }
  });

  describe('for a customer', () => {
    test('names integrator and source, but not the customer, and asks to continue', async () => {
      const shown = await browser.open((await create()).url);
      expect(shown.status).toBe(200);
      expect(shown.text).toContain('<bdi>Acme &#60;Analytics&#62;</bdi> asks you to connect');
      expect(shown.text).toContain(`<bdi>${firstKind.name}</bdi>`);
      expect(shown.text).toContain('<bdi>app.example</bdi>');
      expect(shown.text).toMatch(/data-expires="20[\d-]+T[\d:.]+Z"/);
      expect(shown.text).not.toContain('northwind');
      expect(shown.text).not.toContain('<Analytics>');
    });

    test('keeps the browser key in a cookie that neither scripts nor other hosts can set or read', async () => {
      const { id, url } = await create();
      const { headers } = await browser.send(url, 'open', { secret: url.split('#')[1] });
      expect(headers['set-cookie']).toMatch(
        new RegExp(
          `^__Host-connector-auth-link-${id}=[\\w-]{43}\\.[\\w-]{43}; Max-Age=(\\d+); Path=/; HttpOnly; SameSite=Lax; Secure$`,
        ),
      );
      expect(Number(/Max-Age=(\d+)/.exec(String(headers['set-cookie']))?.[1])).toBeLessThanOrEqual(7200);
    });

    test('continues to the helper without a redirect, which a form’s policy would stop on its way', async () => {
      const { id, url } = await create();
      await browser.open(url);
      const shown = await browser.submit(url);
      expect(shown.status).toBe(200);
      expect(shown.location).toBeNull();
      expect(shown.headers['referrer-policy']).toBe('no-referrer');
      const target = new URL(targetOf(shown.text) ?? '');
      expect(target.origin + target.pathname).toBe(`${helperUrl}/connect-link`);
      expect(target.searchParams.get('link')).toBe(id);
      expect(target.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
    });

    test('shows the widget once the helper has confirmed the customer, and connects one source', async () => {
      const link = await create();
      const shown = await openConfirmed(link);
      expect(shown.text).toContain(`token-url="/base/connect/${link.id}/token"`);
      expect(shown.text).toContain(`source="${firstKind.key}"`);
      expect(shown.text).not.toContain('northwind');
      const { text, headers } = await browser.send(link.url, 'token');
      const body = JSON.parse(text);
      expect(body).toEqual({
        token: expect.any(String),
        expires_in: expect.any(Number),
        service_url: publicUrl,
      });
      expect(headers['cache-control']).toBe('no-store');
      expect((await connect(body.token)).status).toBe(201);
      const done = await browser.load(link.url);
      expect(done.status).toBe(200);
      expect(done.text).toContain(`<bdi>${firstKind.name}</bdi> is connected`);
      expect(done.text).not.toContain('<connector-auth');
      expect(JSON.parse((await browser.send(link.url, 'token')).text).code).toBe('link_used');
    });

    test('lets the person choose a source, or reconnects one connector', async () => {
      const any = await openConfirmed(await create({ connector_type: undefined }));
      expect(any.text).toMatch(/<connector-auth\s+token-url="[^"]*"\s*>/);
      const created = await service.ask('POST', '/api/v1/integrations/connectors', {
        token,
        body: {
          customer_name: 'northwind',
          connector_type: firstKind.key,
          name: 'Notes',
          credentials: { api_key: goodKey },
        },
      });
      const link = await create({ connector_type: undefined, connector_id: created.body.id });
      expect((await browser.open(link.url)).text).toContain(`Reconnect <bdi>${firstKind.name}</bdi>`);
      expect((await openConfirmed(link)).text).toContain(`reconnect="${created.body.id}"`);
    });

    test('names the source that the person chose once it is connected', async () => {
      const link = await create({ connector_type: undefined });
      await openConfirmed(link);
      expect((await connect(await tokenOf(link))).status).toBe(201);
      const done = await browser.load(link.url);
      expect(done.text).toContain(`<bdi>${firstKind.name}</bdi> is connected`);
      expect(done.text).toContain(`/icons/${firstKind.key}.svg`);
    });

    test('leaves an entry in the audit log for the browser that comes back from the helper', async () => {
      const link = await create();
      await openConfirmed(link);
      await until(async () => {
        const { body } = await service.ask('GET', '/api/v1/admin/audit?limit=1000', { token: adminToken });
        const entries = body.data.filter((entry: { target_id: string }) => entry.target_id === link.id);
        expect(entries.map(({ action }: { action: string }) => action).toSorted()).toEqual([
          'connect_link.confirmed',
          'connect_link.created',
          'connect_link.returned',
        ]);
        expect(entries).toContainEqual(
          expect.objectContaining({
            action: 'connect_link.returned',
            actor: expect.objectContaining({ type: 'customer_token', id: decodeJwt(token).sub }),
            customer_name: 'northwind',
            outcome: 'ok',
            address: expect.stringContaining('127.0.0.1'),
          }),
        );
      });
    });

    test('gives no token before the customer is confirmed', async () => {
      const { url } = await create();
      await browser.open(url);
      for (const visitor of [browser, newBrowser()]) {
        const { status, text } = await visitor.send(url, 'token');
        expect(status).toBeGreaterThanOrEqual(400);
        expect(text).not.toContain('eyJ');
      }
    });

    test('asks to continue again after another customer was signed in, and half an hour after a confirmation', async () => {
      const link = await create();
      await browser.open(link.url);
      expect((await confirm(link, await browser.codeFor(link.url), 'other')).status).toBe(403);
      expect((await browser.load(link.url)).text).toContain('asks you to connect');
      await openConfirmed(link);
      await database()
        .kysely.updateTable('connect_link_visits')
        .set({ confirmed_at: sql<Date>`now() - interval '30 minutes'` })
        .execute();
      expect((await browser.load(link.url)).text).toContain('asks you to connect');
      const rejected = await browser.send(link.url, 'token');
      expect([rejected.status, JSON.parse(rejected.text).code]).toEqual([401, 'not_signed_in']);
      const { body } = await confirm(link, await browser.codeFor(link.url));
      expect((await browser.goBack(body.return_url)).text).toContain('<connector-auth');
    });

    test('accepts a return code only in the browser that opened the link, and only once', async () => {
      const link = await create();
      const [other, without] = [newBrowser(), newBrowser()];
      await browser.open(link.url);
      await other.open(link.url);
      const { body } = await confirm(link, await browser.codeFor(link.url));
      const code = body.return_url.split('#return=')[1];
      for (const visitor of [other, without]) {
        const { status, text } = await visitor.send(link.url, 'return', { code });
        expect(status).toBe(422);
        expect(JSON.parse(text).code).toBe('link_code_invalid');
        expect((await visitor.load(link.url)).text).not.toContain('<connector-auth');
      }
      expect((await browser.goBack(body.return_url)).text).toContain('<connector-auth');
      expect((await browser.send(link.url, 'return', { code })).status).toBe(422);
    });

    test('can be opened in two browsers, of which the first to connect uses it up', async () => {
      const link = await create();
      const other = newBrowser();
      await openConfirmed(link);
      await openConfirmed(link, other);
      const tokens = [await tokenOf(link), await tokenOf(link, other)];
      expect((await connect(tokens[0] ?? '')).status).toBe(201);
      const second = await connect(tokens[1] ?? '');
      expect(second.body.code).toBe('link_used');
      const late = newBrowser();
      expect((await late.send(link.url, 'open', { secret: link.url.split('#')[1] })).status).toBe(409);
    });

    test('says so if the link ends while it is open, or the helper is gone', async () => {
      const [expired, revoked, unavailable] = [await create(), await create(), await create()];
      for (const { url } of [expired, revoked, unavailable]) await browser.open(url);
      await expire(expired);
      await service.ask('DELETE', `${links}/${revoked.id}`, { token });
      // Refills the limits, and lets tokens expire.
      service.advance(30_000);
      token = await service.tokenOf(application);
      await changeOrganization({ connect_helper_url: null });
      for (const [{ url }, status, title] of [
        [expired, 410, 'This link has expired'],
        [revoked, 410, 'This link was cancelled'],
        [unavailable, 409, 'This link can’t be used right now'],
      ] as const) {
        const shown = await browser.load(url);
        expect(shown.status).toBe(status);
        expect(shown.text).toContain(`<title>${title}</title>`);
        expect(shown.text).not.toContain('<form');
        expect((await browser.submit(url)).location).toBe(
          `/base/connect/${url.split('/').at(-1)?.slice(0, 36)}`,
        );
      }
    });
  });

  describe('for a guest', () => {
    test('names inviter, customer and integrator, and binds to the first browser that continues', async () => {
      const { url } = await invite();
      const unnamed = await browser.open(url);
      expect(unnamed.text).toContain('so that <bdi>their team</bdi> can use its data');
      await service.customerToken(token, {
        customer_name: 'northwind',
        customer_display_name: 'North & Wind',
        allowed_origin: 'https://app.example.com',
      });
      const other = newBrowser();
      const asked = await browser.open(url);
      await other.open(url);
      expect(asked.text).toContain('<bdi>Ana &#60;Silva&#62;</bdi> invites you');
      expect(asked.text).toContain('so that <bdi>North &#38; Wind</bdi> can use its data');
      expect(unnamed.text + asked.text).not.toContain('northwind');
      expect(asked.text).toContain('Continue only if you expected this');
      const things = new Intl.ListFormat('en').format(firstKind.access?.reads ?? []);
      expect(asked.text).toContain(`reads your <bdi>${things}</bdi>`);
      expect(asked.text).toContain('never changes your data');
      expect((await browser.submit(url)).status).toBe(303);
      const connecting = await browser.load(url);
      expect(connecting.text).toContain('<connector-auth');
      expect(connecting.text).toContain('For <bdi>North &#38; Wind</bdi>');
      await other.submit(url);
      const shown = await other.load(url);
      expect(shown.status).toBe(409);
      expect(shown.text).toContain('<title>This link is open in another browser</title>');
      expect((await other.send(url, 'token')).status).toBe(401);
      // A guest has no account whose access could end.
      await database()
        .kysely.updateTable('connect_link_visits')
        .set({ confirmed_at: sql<Date>`now() - interval '1 day'` })
        .execute();
      expect((await browser.load(url)).text).toContain('<connector-auth');
    });

    test('says that the connection can change data, unless its access is read-only', async () => {
      const invitation = { connector_type: secondKind.key, audience: 'guest', inviter: 'Ana' };
      expect((await browser.open((await create(invitation)).url)).text).toContain(
        'can change your <bdi>data</bdi>',
      );
      const customerToken = await service.customerToken(token, {
        customer_name: 'northwind',
        allowed_management: ['link', 'create'],
        access: 'read',
      });
      const { body } = await service.ask('POST', links, { token: customerToken, body: invitation });
      expect((await newBrowser().open(body.url)).text).toContain('never changes your data');
    });

    test('has the integrator’s colour, and leads to its site once the guest is done', async () => {
      await changeOrganization({ brand_color: '#FFD500' });
      const link = await invite();
      expect((await browser.open(link.url)).text).toContain('--accent: light-dark(#FFD500,');
      await browser.submit(link.url);
      expect((await browser.load(link.url)).text).toContain('--connector-auth-accent: var(--accent)');
      expect((await connect(await tokenOf(link))).status).toBe(201);
      const done = await browser.load(link.url);
      expect(done.text).toContain(`href="${new URL(helperUrl).origin}"`);
      await changeOrganization({ brand_color: null });
    });

    test('leaves an entry in the audit log with the address of the browser that continues', async () => {
      const link = await invite();
      const other = newBrowser();
      await browser.open(link.url);
      await other.open(link.url);
      await browser.submit(link.url);
      await other.submit(link.url);
      await until(async () => {
        const { body } = await service.ask('GET', '/api/v1/admin/audit?limit=1000', { token: adminToken });
        const entries = body.data.filter(
          (entry: { action: string; target_id: string }) =>
            entry.action === 'connect_link.confirmed' && entry.target_id === link.id,
        );
        expect(entries).toEqual([
          expect.objectContaining({
            actor: expect.objectContaining({
              type: 'customer_token',
              id: decodeJwt(token).sub,
              token_id: null,
            }),
            organization_id: application.organizationIds[0],
            customer_name: 'northwind',
            connector_type: firstKind.key,
            outcome: 'ok',
            address: expect.stringContaining('127.0.0.1'),
            request_id: expect.any(String),
          }),
        ]);
      });
    });

    test('binds one browser if several continue at once', async () => {
      const { url } = await invite();
      const visitors = Array.from({ length: 5 }, newBrowser);
      for (const visitor of visitors) await visitor.open(url);
      await Promise.all(visitors.map(visitor => visitor.submit(url)));
      const shown = await Promise.all(visitors.map(visitor => visitor.load(url)));
      expect(shown.filter(({ text }) => text.includes('<connector-auth'))).toHaveLength(1);
    });
  });

  describe('a request from elsewhere', () => {
    test.each<[string, Record<string, string>]>([
      ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
      ['a page on the same site', { origin: 'https://other.example', 'sec-fetch-site': 'same-site' }],
      ['a page that hides its origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
      ['a frame', { 'sec-fetch-dest': 'iframe' }],
      ['a prefetch', { 'sec-purpose': 'prefetch' }],
    ])('confirms nothing if %s submits the form', async (_title, headers) => {
      const [link, guest] = [await create(), await invite()];
      for (const { url } of [link, guest]) await browser.open(url);
      const before = await readDatabaseContents(database());
      for (const { url } of [link, guest]) {
        const shown = await browser.submit(url, headers);
        expect(shown.status).toBe(303);
        expect(targetOf(shown.text)).toBeNull();
      }
      expect(await readDatabaseContents(database())).toEqual(before);
    });

    test.each<[string, Record<string, string>]>([
      ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
      ['an older browser on another site', { origin: 'https://evil.example', 'sec-fetch-site': '' }],
      ['a page without an origin', { origin: '' }],
      ['a form', { 'sec-fetch-mode': 'navigate' }],
    ])('changes nothing and returns no token if %s sends it', async (_title, headers) => {
      const link = await create();
      await openConfirmed(link);
      const before = await readDatabaseContents(database());
      const secret = link.url.split('#')[1];
      for (const [action, body] of [
        ['open', { secret }],
        ['return', { code: 'x' }],
        ['token', {}],
      ] as const) {
        const { status, text } = await browser.send(link.url, action, body, headers);
        expect(status, action).toBe(403);
        expect(JSON.parse(text).code).toBe('origin_not_allowed');
      }
      expect(await readDatabaseContents(database())).toEqual(before);
    });
  });

  test('limits the requests of an address, and says so in words where a person reads it', async () => {
    const { url } = await create();
    await browser.open(url);
    service.stopClock();
    let last = await browser.send(url, 'open', { secret: 'x' });
    for (let count = 0; count < 100 && last.status !== 429; count++) {
      last = await browser.send(url, 'open', { secret: 'x' });
    }
    expect(JSON.parse(last.text).code).toBe('rate_limited');
    const shown = await browser.submit(url);
    expect(shown.status).toBe(429);
    expect(Number(shown.headers['retry-after'])).toBeGreaterThan(0);
    expect(shown.text).toContain('<title>Too many requests</title>');
    expect((await browser.load(url)).status).toBe(200);
  });

  test('keeps its secrets out of logs, pages and headers other than the cookie', async () => {
    const link = await create();
    const opened = await browser.open(link.url);
    const [key = ''] = browser.cookies.values();
    const code = await browser.codeFor(link.url);
    const { body } = await confirm(link, code);
    const confirmed = await browser.goBack(body.return_url);
    const widgetToken = await tokenOf(link);
    await connect(widgetToken);
    const done = await browser.load(link.url);
    const secrets = [link.url.split('#')[1], key, code, body.return_url.split('#return=')[1], widgetToken];
    for (const secret of secrets) {
      expect(secret?.length).toBeGreaterThan(40);
      expect(service.logged()).not.toContain(secret);
      for (const { text, headers } of [opened, confirmed, done]) {
        expect(text).not.toContain(secret);
        expect(JSON.stringify(headers)).not.toContain(secret);
      }
    }
  });

  test('logs each token of the page with its link, and from where it was confirmed', async () => {
    const link = await create();
    await openConfirmed(link);
    const { jti } = decodeJwt(await tokenOf(link));
    const events = service
      .logged()
      .split('\n')
      .filter(line => line.includes(link.id))
      .map(line => JSON.parse(line));
    const organization_id = application.organizationIds[0];
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'link_confirmed', organization_id, address: expect.any(String) }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({
        event: 'token_minted',
        request_id: expect.any(String),
        kind: 'widget',
        token_id: jti,
        application_id: decodeJwt(token).sub,
        organization_id,
        customer_id: expect.any(String),
        link_id: link.id,
      }),
    );
  });

  test('logs rejected openings, codes and limits with the caller and the address', async () => {
    const link = await create();
    const secret = 'wrong'.padEnd(43, 'x');
    await browser.send(link.url, 'open', { secret });
    await browser.send(
      link.url,
      'open',
      { secret },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    );
    await browser.submit(link.url, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
    await browser.send(link.url, 'return', { code: secret });
    await browser.send(link.url, 'token');
    await confirm(link, secret);
    await browser.submit(link.url);
    const [guest, revoked] = [await invite(), await create()];
    const late = newBrowser();
    for (const visitor of [browser, late]) await visitor.open(guest.url);
    await Promise.all([browser, late].map(visitor => visitor.submit(guest.url)));
    await browser.open(revoked.url);
    await service.ask('DELETE', `${links}/${revoked.id}`, { token });
    await browser.submit(revoked.url);
    service.stopClock();
    for (let count = 0; count < 61; count++) await browser.send(link.url, 'open', { secret });
    await browser.submit(link.url);
    for (let count = 0; count < 31; count++)
      await service.ask('POST', links, { token, body: { customer_name: 'northwind' } });
    const events = service
      .logged()
      .split('\n')
      .filter(line => /"event":"(link_rejected|limit_exceeded)"/.test(line))
      .map(line => JSON.parse(line));
    const from = {
      request_id: expect.any(String),
      address: expect.stringContaining('127.0.0.1'),
      level: 'warn',
    };
    const asApplication = {
      organization_id: application.organizationIds[0],
      application_id: decodeJwt(token).sub,
    };
    const rejected = { ...from, event: 'link_rejected', link_id: link.id };
    for (const expected of [
      { ...rejected, step: 'open', reason: 'link_not_found' },
      { ...rejected, step: 'open', reason: 'origin_not_allowed' },
      { ...rejected, step: 'continue', reason: 'origin_not_allowed' },
      { ...rejected, step: 'continue', reason: 'link_not_found' },
      { ...rejected, link_id: guest.id, step: 'continue', reason: 'link_taken' },
      { ...rejected, link_id: revoked.id, step: 'continue', reason: 'link_revoked' },
      { ...rejected, step: 'return', reason: 'link_code_invalid' },
      { ...rejected, step: 'token', reason: 'link_not_found' },
      { ...rejected, ...asApplication, step: 'confirm', reason: 'link_code_invalid' },
      { ...from, event: 'limit_exceeded', limit: 'connect-link-visits', route: '/connect/{id}/open' },
      { ...from, event: 'limit_exceeded', limit: 'connect-link-visits', route: '/connect/{id}/confirm' },
      { ...from, ...asApplication, event: 'limit_exceeded', limit: 'connect-links', route: links },
    ])
      expect(events).toContainEqual(expect.objectContaining(expected));
    expect(service.logged()).not.toContain(secret);
    service.advance(60_000);
  });

  test('speaks the language of the browser', async () => {
    const { url } = await create();
    await browser.open(url);
    const shown = await browser.visit(url.replace(/#.*/, ''), { headers: { 'accept-language': 'ar' } });
    expect(shown.text).toContain('<html lang="ar" dir="rtl">');
    expect(shown.headers['content-language']).toBe('ar');
    const headers = { 'accept-language': 'zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7' };
    const traditional = await browser.visit(url.replace(/#.*/, ''), { headers });
    expect(traditional.headers['content-language']).toBe('en');
  });
});
