import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { completion, connectors, publicUrl, verifier } from '../../../test/consent-harness.ts';
import { readDatabaseContents } from '../../../test/database-contents.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { openLink } from '../../../test/link-browser.ts';
import { links, useLinkHarness, type CreatedLink } from '../../../test/link-harness.ts';
import { connectMcp } from '../../../test/mcp-client.ts';
import { adminToken, keyRing, type TestResponse } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { hashOf } from '../../platform/crypto/random-secret.ts';
import { linkSecret } from './secrets.ts';
import { deleteOldLinks } from './store.ts';

onPostgresOrEachEngineInFull('connect links', database => {
  const harness = useLinkHarness(database);
  const { consent } = harness;
  const outcome = ({ status, body }: { status: number; body?: { code?: string } }) =>
    `${status} ${body?.code ?? ''}`.trim();
  const confirm = async ({ id }: CreatedLink, code: string, customer_name: string | null = 'acme') =>
    harness.ask('POST', `/${id}/confirm`, { code, customer_name });
  const expire = (link: CreatedLink, days = 0) =>
    database()
      .kysely.updateTable('connect_links')
      .where('id', '=', link.id)
      .set({ expires_at: sql<Date>`now() - make_interval(days => ${days}, secs => 1)` })
      .execute();
  /** Moves the times of all visits into the past. */
  const age = (column: 'code_expires_at' | 'return_expires_at' | 'confirmed_at', interval: string) =>
    database()
      .kysely.updateTable('connect_link_visits')
      .set({ [column]: sql<Date>`${sql.ref(column)} - ${interval}::interval` })
      .execute();
  const patch = (body: object) =>
    consent.service.ask('PATCH', '/api/v1/organization', { token: consent.token, body });

  describe('connecting', () => {
    test('a link connects one source, then its page sees only that one', async () => {
      const link = await harness.create();
      expect(link.url).toMatch(new RegExp(`^${publicUrl}/connect/${link.id}#[\\w-]{43}$`));
      await harness.connect({ token: consent.token }, { customer_name: 'acme', name: 'Present' });
      expect(await harness.statusOf(link)).toBe('open');
      const browser = await harness.openConfirmed(link);
      expect(await harness.statusOf(link)).toBe('confirmed');
      const page = await harness.asPage(browser);
      const list = async () =>
        (await consent.service.ask('GET', connectors, page)).body.data.map(
          ({ name }: { name: string }) => name,
        );
      expect(await list()).toEqual([]);
      const created = await harness.connect(page);
      expect(created.status, created.text).toBe(201);
      expect((await harness.ask('GET', `/${link.id}`)).body).toMatchObject({
        status: 'used',
        connector_id: created.body.id,
        connector_type: 'granola',
      });
      expect(await list()).toEqual(['Notes']);
      expect(outcome(await harness.connect(page))).toBe('409 link_used');
      expect(await harness.countConnectors()).toBe(2);
      await expect(harness.asPage(browser)).rejects.toMatchObject({ code: 'link_used' });
      expect(await openLink(database(), consent.service, link.url)).toBeNull();
    });

    test('an operator creates a link that reconnects, once the helper has confirmed the customer', async () => {
      const { body: connector } = await harness.connect({ token: consent.token }, { customer_name: 'acme' });
      const path = `/api/v1/admin/connectors/${connector.id}/reconnect-link`;
      const create = () => consent.service.ask('POST', path, { token: adminToken });
      const { status, body: link, text } = await create();
      expect(status, text).toBe(201);
      const browser = await harness.open(link);
      await expect(harness.asPage(browser)).rejects.toMatchObject({ code: 'not_signed_in' });
      const page = await harness.asPage(await harness.openConfirmed(link));
      const reconnected = await consent.service.ask('PATCH', `${connectors}/${connector.id}`, {
        ...page,
        body: { credentials: { api_key: goodKey } },
      });
      expect(reconnected.status, reconnected.text).toBe(200);
      expect(await harness.statusOf(link)).toBe('used');
      await patch({ connect_helper_url: null });
      expect(outcome(await create())).toBe('409 helper_url_missing');
      await database().kysely.updateTable('applications').set({ disabled_at: new Date() }).execute();
      expect(outcome(await create())).toBe('404 application_not_found');
      await database().kysely.updateTable('applications').set({ disabled_at: null }).execute();
      await patch({ connect_helper_url: 'https://app.example/connector-auth' });
      await consent.service.ask('POST', `/api/v1/admin/connectors/${connector.id}/disable`, {
        token: adminToken,
      });
      expect(outcome(await create())).toBe('403 connector_disabled');
    });

    test('two confirmed browsers that connect at the same time create one connector', async () => {
      const link = await harness.create();
      const browsers = [await harness.openConfirmed(link), await harness.openConfirmed(link)];
      const pages = await Promise.all(browsers.map(browser => harness.asPage(browser)));
      const responses = await Promise.all(pages.map(page => harness.connect(page)));
      expect(responses.map(outcome).sort()).toEqual(['201', '409 link_used']);
      expect(await harness.countConnectors()).toBe(1);
    });

    test('opening a link alone connects nothing and gives no token', async () => {
      const link = await harness.create();
      const browser = await harness.open(link);
      await expect(harness.asPage(browser)).rejects.toMatchObject({ code: 'not_signed_in' });
      // Another browser that is confirmed does not confirm this one.
      await harness.openConfirmed(link);
      await expect(harness.asPage(browser)).rejects.toMatchObject({ code: 'not_signed_in' });
      expect(await openLink(database(), consent.service, `${link.url}x`)).toBeNull();
    });

    test('the token of a link cannot do anything else', async () => {
      const { body: present } = await harness.connect({ token: consent.token }, { customer_name: 'acme' });
      const page = await harness.asPage(await harness.openConfirmed(await harness.create()));
      const at = (id: string) => ({
        view: ['GET', `${connectors}/${id}`],
        rename: ['PATCH', `${connectors}/${id}`, { name: 'New' }],
        reconnect: ['PATCH', `${connectors}/${id}`, { credentials: { api_key: goodKey } }],
        settings: ['PATCH', `${connectors}/${id}`, { replication_config: {} }],
        remove: ['DELETE', `${connectors}/${id}`],
        check: ['POST', `${connectors}/${id}/check`],
        sync: ['POST', `${connectors}/${id}/sync`],
        execute: ['POST', `${connectors}/${id}/execute`, { entity: 'notes', action: 'list' }],
        accounts: ['GET', `${connectors}/${id}/accounts`],
        activity: ['GET', `${connectors}/${id}/activity`],
        link: ['POST', links, { connector_type: 'granola' }],
        links: ['GET', links],
        otherSource: [
          'POST',
          connectors,
          { connector_type: 'gong', name: 'Calls', credentials: { access_key: 'a', access_key_secret: 'b' } },
        ],
      });
      const attempt = async (id: string) => {
        const attempts = Object.entries(at(id)).map(async ([name, [method = '', path = '', body]]) => {
          // The tuples above contain the method, the path and a body.
          const response = await consent.service.ask(method as string, path as string, { ...page, body });
          return [name, outcome(response)] as const;
        });
        return Object.fromEntries(await Promise.all(attempts));
      };
      const forbidden = {
        rename: '403 management_not_allowed',
        reconnect: '403 management_not_allowed',
        settings: '403 management_not_allowed',
        remove: '403 management_not_allowed',
        check: '403 action_not_allowed',
        sync: '403 action_not_allowed',
        execute: '403 action_not_allowed',
        accounts: '403 management_not_allowed',
        activity: '403 action_not_allowed',
        link: '403 management_not_allowed',
        links: '403 management_not_allowed',
        otherSource: '403 source_not_allowed',
      };
      expect(await attempt(present.id)).toEqual({ ...forbidden, view: '404 connector_not_found' });
      const { body: created } = await harness.connect(page);
      expect(await attempt(created.id)).toEqual({ ...forbidden, view: '200' });
    });

    test('a link reconnects its connector once, and no other', async () => {
      const application = { token: consent.token };
      const { body: own } = await harness.connect(application, { customer_name: 'acme' });
      const { body: other } = await harness.connect(application, { customer_name: 'acme', name: 'Other' });
      const link = await harness.create({ connector_type: undefined, connector_id: own.id });
      const page = await harness.asPage(await harness.openConfirmed(link));
      const reconnect = (id: string, options = {}) =>
        consent.service.ask('PATCH', `${connectors}/${id}`, {
          ...page,
          body: { credentials: { api_key: goodKey }, ...options },
        });
      expect(outcome(await reconnect(other.id))).toBe('404 connector_not_found');
      expect(outcome(await harness.connect(page))).toBe('403 management_not_allowed');
      const rightsOf = async (asking: object) =>
        (await consent.service.ask('GET', '/api/v1/integrations/definitions/sources', asking)).body.rights;
      expect(await rightsOf(page)).toMatchObject({ management: ['reconnect'], replace_account: false });
      expect(await rightsOf(consent.asWidget)).not.toHaveProperty('replace_account');
      expect(outcome(await reconnect(own.id, { replace_account: true }))).toBe('403 management_not_allowed');
      expect(outcome(await reconnect(own.id))).toBe('200');
      expect((await harness.ask('GET', `/${link.id}`)).body).toMatchObject({
        status: 'used',
        connector_id: own.id,
      });
      expect(outcome(await reconnect(own.id))).toBe('409 link_used');
    });

    test('a link does not replace a known account by credentials that do not say theirs', async () => {
      const { body: own } = await consent.create(await consent.secretOf());
      const link = await harness.create({ connector_type: undefined, connector_id: own.id });
      const page = await harness.asPage(await harness.openConfirmed(link));
      const reconnect = (asking: object) =>
        consent.service.ask('PATCH', `${connectors}/${own.id}`, {
          ...asking,
          body: {
            credentials: { access_key: 'gong_sandbox_demo', access_key_secret: 'gong_sandbox_demo_secret' },
          },
        });
      consent.service.sandbox.control.faults.add({ vendor: 'gong', path: '/v2/workspaces', status: 403 });
      const response = await reconnect(page);
      expect(outcome(response)).toBe('409 different_account');
      expect(response.body).not.toHaveProperty('accounts');
      expect(await harness.statusOf(link)).toBe('confirmed');
      expect(outcome(await reconnect(consent.asWidget))).toBe('200');
    });

    test.each(['HTTP', 'MCP', 'MCP with an application token'])(
      'a link that is created by %s keeps a connector read-only',
      async creator => {
        const mint = (options: object) =>
          consent.service.customerToken(consent.token, { customer_name: 'acme', ...options });
        const { body: own } = await harness.connect({ token: await mint({ access: 'read' }) });
        expect(own.access).toBe('read');
        const token = await mint({ allowed_management: ['link'] });
        const viaMcp = async (given: string, customer: object) => {
          const agent = await connectMcp(consent.service, given);
          const { url } = await agent.call('connect', { connector_id: own.id, ...customer });
          await agent.client.close();
          return { id: new URL(url).pathname.split('/').at(-1) ?? '', url };
        };
        const link =
          creator === 'HTTP'
            ? await harness.create({ connector_type: undefined, connector_id: own.id }, token)
            : creator === 'MCP'
              ? await viaMcp(token, {})
              : await viaMcp(consent.token, { customer_name: 'acme' });
        const page = await harness.asPage(await harness.openConfirmed(link));
        const body = { credentials: { api_key: goodKey } };
        const reconnected = await consent.service.ask('PATCH', `${connectors}/${own.id}`, { ...page, body });
        expect(reconnected.body, reconnected.text).toMatchObject({ access: 'read' });
      },
    );

    test('a page whose token is older does not raise the access of a connector that has become read-only', async () => {
      const mint = (access: string) =>
        consent.service.customerToken(consent.token, { customer_name: 'acme', access });
      const { body: own } = await harness.connect({ token: await mint('write') });
      const link = await harness.create({ connector_type: undefined, connector_id: own.id });
      const page = await harness.asPage(await harness.openConfirmed(link));
      const reconnect = (asking: object) =>
        consent.service.ask('PATCH', `${connectors}/${own.id}`, {
          ...asking,
          body: { credentials: { api_key: goodKey } },
        });
      expect((await reconnect({ token: await mint('read') })).body).toMatchObject({ access: 'read' });
      expect((await reconnect(page)).body).toMatchObject({ access: 'read' });
    });

    test('a repeated request with the token of a link does not get a connector that another token created', async () => {
      const headers = { 'idempotency-key': 'known' };
      const token = await consent.service.customerToken(consent.token, { customer_name: 'acme' });
      expect(outcome(await harness.connect({ token, headers }))).toBe('201');
      expect(outcome(await harness.connect({ token, headers }))).toBe('201');
      const page = await harness.asPage(await harness.openConfirmed(await harness.create()));
      const repeated = await harness.connect({ ...page, headers: { ...page.headers, ...headers } });
      expect(outcome(repeated)).toBe('422 idempotency_key_reused');
    });

    test("the limits of the creator's token apply to what its link connects", async () => {
      const token = await consent.service.customerToken(consent.token, {
        customer_name: 'acme',
        allowed_sources: ['granola'],
        allowed_management: ['link'],
        access: 'read',
      });
      const link = await harness.create({ connector_type: undefined }, token);
      const page = await harness.asPage(await harness.openConfirmed(link));
      const gong = { connector_type: 'gong', credentials: { access_key: 'a', access_key_secret: 'b' } };
      expect(outcome(await harness.connect(page, gong))).toBe('403 source_not_allowed');
      expect((await harness.connect(page)).body).toMatchObject({ access: 'read' });
      expect(outcome(await harness.ask('POST', '', { connector_type: 'gong' }, token))).toBe(
        '403 source_not_allowed',
      );
    });
  });

  describe('OAuth', () => {
    test('a session belongs to the link whose page started it', async () => {
      const open = async () => {
        const link = await harness.create({ connector_type: 'gong' });
        return { link, page: await harness.asPage(await harness.openConfirmed(link)) };
      };
      const own = await open();
      const other = await open();
      const onOwnPage = `${publicUrl}/connect/${own.link.id}`;
      const started = await consent.initiate({ redirect_url: onOwnPage }, own.page);
      expect(started.status, started.text).toBe(200);
      const { session_id: id } = started.body;
      await consent.browser.consent(started.body, `${publicUrl}/`);
      const statusFor = async ({ token, headers }: { token: string; headers: object }) =>
        consent.service.ask('GET', `${connectors}/oauth/sessions/${id}`, {
          token,
          headers: { ...headers, 'x-oauth-verifier': verifier },
        });
      const { body: session } = await statusFor(own.page);
      expect(session.status).toBe('completed');
      for (const page of [other.page, consent.asWidget, { token: consent.token, headers: {} }]) {
        expect(outcome(await statusFor(page))).toBe('404 oauth_session_not_found');
        expect(outcome(await consent.create(session.secret_id, { customer_name: 'acme' }, page))).toBe(
          '422 secret_id_invalid',
        );
      }
      expect(outcome(await consent.create(session.secret_id, {}, own.page))).toBe('201');
      // A repeated request gets the same connector, as without a link.
      expect(outcome(await consent.create(session.secret_id, {}, own.page))).toBe('201');
      expect(await harness.countConnectors()).toBe(1);
      const again = await consent.initiate({ redirect_url: completion }, own.page);
      expect(outcome(again)).toBe('409 link_used');
      expect(await harness.statusOf(other.link)).toBe('confirmed');
    });
  });

  describe('confirmation', () => {
    test('a code works once, for its own link', async () => {
      const link = await harness.create();
      const other = await harness.create();
      const code = await (await harness.open(link)).code();
      expect(outcome(await confirm(other, code))).toBe('422 link_code_invalid');
      expect(outcome(await confirm(link, code))).toBe('200');
      expect(outcome(await confirm(link, code))).toBe('422 link_code_invalid');
      expect(outcome(await confirm(link, 'another'))).toBe('422 link_code_invalid');
    });

    test('an expired code confirms nothing', async () => {
      const link = await harness.create();
      const browser = await harness.open(link);
      const old = await browser.code();
      await age('code_expires_at', '5 minutes');
      expect(outcome(await confirm(link, old))).toBe('422 link_code_invalid');
      const { body } = await confirm(link, await browser.code());
      await age('return_expires_at', '5 minutes');
      expect(await browser.goBack(body.return_url)).toBe(false);
    });

    test('a link of one person is confirmed by no one else of the customer', async () => {
      const link = await harness.create();
      await database()
        .kysely.updateTable('connect_links')
        .where('id', '=', link.id)
        .set({ user_id: 'user-ana' })
        .execute();
      const browser = await harness.open(link);
      const confirmAs = async (user_id?: string) => {
        const body = { code: await browser.code(), customer_name: 'acme', user_id };
        return outcome(await harness.ask('POST', `/${link.id}/confirm`, body));
      };
      expect(await confirmAs('user-ben')).toBe('403 customer_not_allowed');
      expect(await confirmAs()).toBe('403 customer_not_allowed');
      expect(await confirmAs('user-ana')).toBe('200');
    });

    test.each(['beta', null])(
      'the signed-in customer %s confirms nothing, and uses the code up',
      async name => {
        const link = await harness.create();
        const browser = await harness.open(link);
        const code = await browser.code();
        expect(outcome(await confirm(link, code, name))).toBe('403 customer_not_allowed');
        expect((await browser.visit()).isConfirmed).toBe(false);
        expect(outcome(await confirm(link, code))).toBe('422 link_code_invalid');
        expect(await harness.statusOf(link)).toBe('open');
      },
    );

    test("a person who is lured to another browser's code confirms neither browser", async () => {
      const link = await harness.create();
      const attacker = await harness.open(link);
      const victim = await harness.open(link);
      const { body } = await confirm(link, await attacker.code());
      expect(await victim.goBack(body.return_url)).toBe(false);
      expect((await victim.visit()).isConfirmed).toBe(false);
      expect((await attacker.visit()).isConfirmed).toBe(false);
      expect(await attacker.goBack(`${publicUrl}/connect/${link.id}#return=guess`)).toBe(false);
    });

    test('a return code works once', async () => {
      const link = await harness.create();
      const browser = await harness.open(link);
      const { body } = await confirm(link, await browser.code());
      expect(await browser.goBack(body.return_url)).toBe(true);
      expect(await browser.goBack(body.return_url)).toBe(false);
    });

    test("another organization's application finds no link", async () => {
      const other = await consent.service.tokenOf(await consent.service.addApplication('other', ['Other']));
      const link = await harness.create();
      const code = await (await harness.open(link)).code();
      const body = { code, customer_name: 'acme' };
      expect(outcome(await harness.ask('POST', `/${link.id}/confirm`, body, other))).toBe(
        '404 link_not_found',
      );
      expect(outcome(await harness.ask('GET', `/${link.id}`, undefined, other))).toBe('404 link_not_found');
      expect(outcome(await harness.ask('DELETE', `/${link.id}`, undefined, other))).toBe(
        '404 link_not_found',
      );
      expect(outcome(await confirm(link, code))).toBe('200');
    });

    test('strangers who open a leaked link, and continue with it, end no visit of others', async () => {
      const link = await harness.create();
      const intrude = async () => {
        for (let opened = 0; opened < 25; opened++) await (await harness.open(link)).code();
      };
      const person = await harness.open(link);
      await intrude();
      const code = await person.code();
      await intrude();
      const { body } = await confirm(link, code);
      await intrude();
      expect(await person.goBack(body.return_url)).toBe(true);
      await intrude();
      expect(outcome(await harness.connect(await harness.asPage(person)))).toBe('201');
    });

    test('opening a link stores nothing, and continuing only until its code has expired', async () => {
      const count = async () =>
        (await database().kysely.selectFrom('connect_link_visits').select('link_id').execute()).length;
      const link = await harness.create();
      const [waiting, late] = [await harness.open(link), await harness.open(link)];
      await harness.openConfirmed(link);
      expect(await count()).toBe(1);
      await late.code();
      await age('code_expires_at', '6 minutes');
      await waiting.code();
      await deleteOldLinks(database().kysely);
      expect(await count()).toBe(2);
      const { body } = await confirm(link, await late.code());
      expect(await late.goBack(body.return_url)).toBe(true);
    });

    test('a confirmation lasts half an hour, then the helper must confirm again', async () => {
      const link = await harness.create();
      const browser = await harness.openConfirmed(link);
      await age('confirmed_at', '29 minutes');
      await harness.asPage(browser);
      await age('confirmed_at', '1 minute');
      await expect(harness.asPage(browser)).rejects.toMatchObject({ code: 'not_signed_in' });
      const { body } = await confirm(link, await browser.code());
      expect(await browser.goBack(body.return_url)).toBe(true);
      expect(outcome(await harness.connect(await harness.asPage(browser)))).toBe('201');
    });
  });

  describe('guests', () => {
    const guest = { audience: 'guest', inviter: 'Ana Silva' };

    test('the first browser that accepts a link may use it, and no other', async () => {
      const link = await harness.create(guest);
      const first = await harness.open(link);
      const second = await harness.open(link);
      expect(outcome(await confirm(link, await second.code()))).toBe('403 customer_not_allowed');
      const late = await harness.open(link);
      expect(await first.accept()).toBe(true);
      expect(await late.accept()).toBe(false);
      await expect(harness.asPage(late)).rejects.toMatchObject({ code: 'not_signed_in' });
      expect(outcome(await harness.connect(await harness.asPage(first)))).toBe('201');
    });

    test('two browsers that accept at the same time bind the link to one of them', async () => {
      const link = await harness.create(guest);
      const browsers = [await harness.open(link), await harness.open(link)];
      const accepted = await Promise.all(browsers.map(browser => browser.accept()));
      expect(accepted.toSorted((one, other) => Number(one) - Number(other))).toEqual([false, true]);
    });

    test.each(['create', 'reconnect'])(
      'a token that may not %s cannot create a link with which a guest may',
      async right => {
        const { body: own } = await consent.create(await consent.secretOf());
        const target = { connector_type: undefined, connector_id: own.id };
        const body = { ...(right === 'create' ? { connector_type: 'granola' } : target), ...guest };
        const create = async (rights: readonly string[]) => {
          const allowed_management = ['link', ...rights];
          const options = { customer_name: 'acme', allowed_management };
          const token = await consent.service.customerToken(consent.token, options);
          return outcome(await harness.ask('POST', '', body, token));
        };
        const other = right === 'create' ? 'reconnect' : 'create';
        expect(await create([])).toBe('403 management_not_allowed');
        expect(await create([other])).toBe('403 management_not_allowed');
        expect(await create([right])).toBe('201');
      },
    );

    test('links for guests need a setting, which also ends those that exist', async () => {
      const page = await harness.asPage(
        await (async () => {
          const browser = await harness.open(await harness.create(guest));
          await browser.accept();
          return browser;
        })(),
      );
      await patch({ guest_connect_links: false });
      const body = { customer_name: 'acme', ...guest };
      expect(outcome(await harness.ask('POST', '', body))).toBe('403 guest_links_not_allowed');
      expect(outcome(await harness.connect(page))).toBe('409 link_revoked');
    });

    test('a link is valid for more than a day only while the organization allows it', async () => {
      const create = (expires_in: number) =>
        harness.ask('POST', '', { customer_name: 'acme', connector_type: 'granola', expires_in });
      const [day, week] = [86_400, 7 * 86_400];
      const rightsOf = async (): Promise<unknown> => {
        const token = await consent.service.customerToken(consent.token, {
          customer_name: 'acme',
          allowed_management: ['link'],
        });
        const path = '/api/v1/integrations/definitions/sources';
        return (await consent.service.ask('GET', path, { token })).body.rights.max_link_seconds;
      };
      expect((await create(day)).status).toBe(201);
      expect((await create(week)).body.errors).toMatchObject([{ path: 'expires_in' }]);
      expect(await rightsOf()).toBe(day);
      await patch({ long_connect_links: true });
      expect(await rightsOf()).toBe(week);
      const { body: long } = await create(week);
      expect(await harness.statusOf(long)).toBe('open');
      expect((await create(week + 1)).status).toBe(400);
      await patch({ long_connect_links: false });
      expect(await harness.statusOf(long)).toBe('revoked');
    });

    test('a guest cannot reconnect with another key if the vendor does not report the account', async () => {
      const { body: own } = await harness.connect({ token: consent.token }, { customer_name: 'acme' });
      const body = { customer_name: 'acme', connector_id: own.id, ...guest };
      const response = await harness.ask('POST', '', body);
      expect(outcome(response)).toBe('403 guest_links_not_allowed');
      expect(response.body.detail).toContain('does not report the account');
      expect(
        outcome(await harness.ask('POST', '', { ...body, audience: 'customer', inviter: undefined })),
      ).toBe('201');
    });

    test('a guest sees no settings and sync errors of a connector, and nothing once the setting is off', async () => {
      const { body: own } = await consent.create(await consent.secretOf(), {
        replication_config: { workspace_ids: ['8374019265527013'] },
      });
      await database()
        .kysely.updateTable('synced_entities')
        .set({
          resume_at: sql<Date>`now() + interval '1 hour'`,
          last_error: 'Secret detail',
          last_error_code: 'vendor_failed',
        })
        .execute();
      const browser = await harness.open(
        await harness.create({ connector_type: undefined, connector_id: own.id, ...guest }),
      );
      await browser.accept();
      const page = await harness.asPage(browser);
      const read = (options: object) => consent.service.ask('GET', `${connectors}/${own.id}`, options);
      const all = await read({ token: consent.token });
      expect(all.text).toContain('Secret detail');
      expect(all.body.replication_config).toMatchObject({ workspace_ids: [expect.any(String)] });
      for (const response of [await read(page), await consent.service.ask('GET', connectors, page)]) {
        expect(response.status).toBe(200);
        expect(response.text).not.toMatch(/Secret detail|vendor_failed|workspace_ids/);
      }
      await patch({ guest_connect_links: false });
      expect(outcome(await read(page))).toBe('409 link_revoked');
    });

    test('a link for customers cannot be accepted by a guest', async () => {
      const browser = await harness.open(await harness.create());
      expect(await browser.accept()).toBe(false);
    });

    test('a widget token creates links only for its customer', async () => {
      const token = await consent.service.customerToken(consent.token, {
        customer_name: 'acme',
        allowed_origin: publicUrl,
        allowed_management: ['link'],
      });
      const ask = (body: object) =>
        consent.service.ask('POST', links, { token, headers: { origin: publicUrl }, body });
      expect(outcome(await ask(guest))).toBe('403 guest_links_not_allowed');
      expect(outcome(await ask({}))).toBe('201');
    });
  });

  test("the page of a link has limits of its own, and does not use up the customer's", async () => {
    consent.service.stopClock();
    const link = await harness.create({ connector_type: undefined });
    const page = await harness.asPage(await harness.openConfirmed(link));
    const application = { token: consent.token };
    const own = { customer_name: 'acme' };
    const left = ({ headers }: TestResponse) => Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
    const rejected = { credentials: { api_key: 'grn_guess' } };
    const first = left(await harness.connect(application, { ...own, ...rejected }));
    for (let guess = 0; guess < 3; guess++) {
      expect(outcome(await harness.connect(page, rejected))).toBe('422 credentials_refused');
    }
    expect(left(await harness.connect(application, { ...own, ...rejected }))).toBe(first - 1);
    const initiations = left(await consent.initiate());
    expect(left(await consent.initiate({ redirect_url: `${publicUrl}/connect/${link.id}` }, page))).toBe(
      initiations,
    );
    expect(left(await consent.initiate())).toBe(initiations - 1);
  });

  test('the waiting requests of a link’s page are limited, apart from those of its customer and of other links', async () => {
    const open = async () => {
      const link = await harness.create({ connector_type: 'gong' });
      const page = await harness.asPage(await harness.openConfirmed(link));
      const started = await consent.initiate({ redirect_url: `${publicUrl}/connect/${link.id}` }, page);
      return (query: string, signal?: AbortSignal) =>
        consent.service.ask('GET', `${connectors}/oauth/sessions/${started.body.session_id}${query}`, {
          token: page.token,
          headers: { ...page.headers, 'x-oauth-verifier': verifier },
          ...(signal ? { signal } : {}),
        });
    };
    const [own, other] = [await open(), await open()];
    const { session_id: id } = await consent.begin();
    const leave = new AbortController();
    const held = Array.from({ length: 10 + 1 }, () => own('?wait=25', leave.signal).catch(() => null));
    const rejected = await Promise.race(held);
    expect(rejected && outcome(rejected)).toBe('429 rate_limited');
    const waited = await Promise.all([other('?wait=1'), consent.status(id, { query: '?wait=1' })]);
    expect(waited.map(outcome)).toEqual(['200', '200']);
    expect(outcome(await own(''))).toBe('200');
    leave.abort();
    await Promise.all(held);
  });

  describe('the end of a link', () => {
    test('an expired link cannot be opened, confirmed or used', async () => {
      const link = await harness.create();
      const browser = await harness.openConfirmed(link);
      const page = await harness.asPage(browser);
      const code = await browser.code();
      await expire(link);
      expect(await harness.statusOf(link)).toBe('expired');
      expect(await openLink(database(), consent.service, link.url)).toBeNull();
      expect(outcome(await confirm(link, code))).toBe('409 link_expired');
      expect(outcome(await harness.connect(page))).toBe('409 link_expired');
      await expect(harness.asPage(browser)).rejects.toMatchObject({ code: 'link_expired' });
      expect(await harness.countConnectors()).toBe(0);
    });

    test('a revoked link stops its page, and wakes who waits for it', async () => {
      const link = await harness.create();
      const page = await harness.asPage(await harness.openConfirmed(link));
      const waiting = harness.ask('GET', `/${link.id}?wait_seconds=25`);
      expect((await harness.ask('DELETE', `/${link.id}`)).status).toBe(204);
      expect((await waiting).body.status).toBe('revoked');
      expect(outcome(await harness.connect(page))).toBe('409 link_revoked');
      expect(outcome(await consent.initiate({}, page))).toBe('403 source_not_allowed');
      expect((await harness.ask('DELETE', `/${link.id}`)).status).toBe(204);
    });

    test('a link that is revoked while the vendor verifies the credentials stores nothing', async () => {
      const link = await harness.create();
      const page = await harness.asPage(await harness.openConfirmed(link));
      const held = consent.service.holdVendorRequest();
      const connecting = harness.connect(page);
      const release = await held;
      await harness.ask('DELETE', `/${link.id}`);
      release();
      expect(outcome(await connecting)).toBe('409 link_revoked');
      expect(await harness.countConnectors()).toBe(0);
    });

    test('a used link stays used when it is revoked', async () => {
      const link = await harness.create();
      await harness.connect(await harness.asPage(await harness.openConfirmed(link)));
      expect((await harness.ask('DELETE', `/${link.id}`)).status).toBe(204);
      expect(await harness.statusOf(link)).toBe('used');
    });

    test("revoking a customer's tokens ends the customer's links", async () => {
      const link = await harness.create();
      const { body: present } = await consent.service.ask('GET', '/api/v1/customers', {
        token: consent.token,
      });
      const path = `/api/v1/admin/customers/${present.data[0].id}/revoke-tokens`;
      await consent.service.ask('POST', path, { token: adminToken });
      expect(await harness.statusOf(link)).toBe('revoked');
    });

    test('a link does not outlive a revocation while it is being created', async () => {
      const { kysely } = database();
      // Revokes the customer's tokens after their check and before the transaction that creates the link ends.
      await sql`create function revoke_meanwhile() returns trigger language plpgsql as $$ begin
        insert into token_revocations (customer_id, not_before) values (new.customer_id, clock_timestamp());
        return null;
      end $$`.execute(kysely);
      await sql`create trigger revoke_meanwhile after insert on connect_links
        for each row execute function revoke_meanwhile()`.execute(kysely);
      const token = await consent.service.customerToken(consent.token, {
        customer_name: 'acme',
        allowed_management: ['link'],
      });
      try {
        expect(outcome(await harness.ask('POST', '', {}, token))).toBe('401 token_invalid');
      } finally {
        await sql`drop function revoke_meanwhile cascade`.execute(kysely);
      }
      const { id } = await kysely.selectFrom('connect_links').select('id').executeTakeFirstOrThrow();
      expect((await harness.ask('GET', `/${id}`)).body.status).toBe('revoked');
    });

    test('disabling an application ends its links and their tokens', async () => {
      const application = await consent.service.addApplication('short-lived', ['Acme Analytics']);
      const link = await harness.create({}, await consent.service.tokenOf(application));
      const browser = await harness.openConfirmed(link);
      const page = await harness.asPage(browser);
      const { body } = await consent.service.ask('GET', '/api/v1/admin/applications?search=short-lived', {
        token: adminToken,
      });
      const path = `/api/v1/admin/applications/${body.data[0].id}/disable`;
      expect((await consent.service.ask('POST', path, { token: adminToken })).status).toBe(200);
      expect(await harness.statusOf(link)).toBe('revoked');
      expect(outcome(await harness.connect(page))).toBe('401 token_invalid');
      await expect(harness.asPage(browser)).rejects.toMatchObject({ code: 'link_revoked' });
    });

    test('a link ends while its source or its connector is disabled', async () => {
      const asOperator = (method: string, path: string, body?: object) =>
        consent.service.ask(method, `/api/v1/admin${path}`, { token: adminToken, body });
      const enableKinds = async (enabled_kinds: readonly string[] | null) => {
        const { body } = await asOperator('GET', '/organizations?search=Acme');
        const [{ id, version }] = body.data;
        return asOperator('PATCH', `/organizations/${id}`, { version, enabled_kinds });
      };
      const { body: own } = await harness.connect({ token: consent.token }, { customer_name: 'acme' });
      const changeConnector = (to: string) => asOperator('POST', `/connectors/${own.id}/${to}`);
      for (const [body, disable, enable] of [
        [{}, () => enableKinds(['gong']), () => enableKinds(null)],
        [
          { connector_type: undefined, connector_id: own.id },
          () => changeConnector('disable'),
          () => changeConnector('enable'),
        ],
      ] as const) {
        const link = await harness.create(body);
        const browser = await harness.openConfirmed(link);
        expect((await disable()).status).toBe(200);
        await expect(harness.asPage(browser)).rejects.toMatchObject({ code: 'link_revoked' });
        expect(await harness.statusOf(link)).toBe('revoked');
        expect((await enable()).status).toBe(200);
        await harness.asPage(browser);
      }
    });

    test('links are deleted with their customer, a day after they expired, or after 30 days if used', async () => {
      const used = await harness.create();
      await harness.connect(await harness.asPage(await harness.openConfirmed(used)));
      const [unused, revoked, recent] = [
        await harness.create(),
        await harness.create(),
        await harness.create(),
      ];
      await harness.ask('DELETE', `/${revoked.id}`);
      await expire(used, 29);
      await expire(unused, 1);
      await expire(revoked, 1);
      await expire(recent);
      await deleteOldLinks(database().kysely);
      for (const { id } of [unused, revoked]) {
        expect(outcome(await harness.ask('GET', `/${id}`))).toBe('404 link_not_found');
      }
      expect(await harness.statusOf(recent)).toBe('expired');
      expect(await harness.statusOf(used)).toBe('used');
      await expire(used, 30);
      await deleteOldLinks(database().kysely);
      expect(outcome(await harness.ask('GET', `/${used.id}`))).toBe('404 link_not_found');
      await consent.service.ask('DELETE', '/api/v1/customers/acme', { token: consent.token });
      expect(outcome(await harness.ask('GET', `/${recent.id}`))).toBe('404 link_not_found');
    });
  });

  describe('creating', () => {
    test("a customer's link needs the helper's URL", async () => {
      await patch({ connect_helper_url: null });
      const response = await harness.ask('POST', '', { customer_name: 'acme' });
      expect(outcome(response)).toBe('409 helper_url_missing');
      expect(response.body.detail).toContain('connect_helper_url');
    });

    test('a customer has at most 100 links that can still be used', async () => {
      const link = await harness.create();
      const copy = async (secretOf: (id: string) => string) => {
        for (let count = 0; count < 99; count++) {
          const id = randomUUID();
          await sql`insert into connect_links
            (organization_id, id, customer_id, application_id, secret_hash, audience, expires_at)
            select organization_id, ${id}, customer_id, application_id, ${hashOf(secretOf(id))}, audience, expires_at
            from connect_links where id = ${link.id}`.execute(database().kysely);
        }
      };
      const [otherKey] = keyRing('signing', 7);
      await copy(id => linkSecret(otherKey, id));
      await harness.ask('DELETE', `/${(await harness.create()).id}`);
      await copy(id => linkSecret(consent.service.signingKeys[0], id));
      expect(outcome(await harness.ask('POST', '', { customer_name: 'acme' }))).toBe('409 too_many_links');
      await harness.ask('DELETE', `/${link.id}`);
      await harness.create();
    });

    test('lists the open links of the caller without their secrets, newest first', async () => {
      await consent.service.ask('DELETE', '/api/v1/customers/acme', { token: consent.token });
      const { body: connector } = await harness.connect({ token: consent.token }, { customer_name: 'acme' });
      const guest = await harness.create({ audience: 'guest', inviter: 'Ana Silva' });
      const reconnect = await harness.create({ connector_id: connector.id });
      const [gong, any] = [{ connector_type: 'gong' }, { connector_type: undefined }];
      const [ofGong, ofAny] = [await harness.create(gong), await harness.create(any)];
      const other = await harness.create({ customer_name: 'beta' });
      const expired = await harness.create();
      await expire(expired);
      const used = await harness.create();
      await harness.connect(await harness.asPage(await harness.openConfirmed(used)));
      const revoked = await harness.create();
      await harness.ask('DELETE', `/${revoked.id}`);
      const ofOldKey = await harness.create();
      await database()
        .kysely.updateTable('connect_links')
        .where('id', '=', ofOldKey.id)
        .set({ secret_hash: hashOf('a secret of another key') })
        .execute();
      await harness.openConfirmed(reconnect);
      const list = async (query = '', token?: string) => {
        const { status, body, text } = await harness.ask('GET', query, undefined, token);
        expect(status, text).toBe(200);
        return body.data.map(({ id }: CreatedLink) => id);
      };
      const mint = (options: object) =>
        consent.service.customerToken(consent.token, {
          customer_name: 'acme',
          allowed_management: ['link'],
          ...options,
        });
      const mine = [ofAny, ofGong, reconnect, guest].map(({ id }) => id);
      expect(await list()).toEqual([other.id, ...mine]);
      expect(await list('?customer_name=acme')).toEqual(mine);
      expect(await list('', await mint({}))).toEqual(mine);
      expect(await list('?connector_type=granola', await mint({}))).toEqual([reconnect.id, guest.id]);
      const onlyGong = await mint({ allowed_sources: ['gong'] });
      expect(await list('', onlyGong)).toEqual([ofAny.id, ofGong.id]);
      expect(outcome(await harness.ask('GET', '?connector_type=granola', undefined, onlyGong))).toBe(
        '403 source_not_allowed',
      );
      const { body: first } = await harness.ask('GET', '?customer_name=acme&limit=3');
      // A link whose key was removed does not shorten the page.
      expect(first.data).toHaveLength(3);
      const next = `?customer_name=acme&limit=3&cursor=${first.meta.cursor}`;
      const { body: last, text } = await harness.ask('GET', next);
      expect(last).toEqual({
        data: [
          {
            id: guest.id,
            status: 'open',
            connector_type: 'granola',
            connector_id: null,
            audience: 'guest',
            inviter: 'Ana Silva',
            expires_at: expect.any(String),
            created_at: expect.any(String),
          },
        ],
        meta: { cursor: null, has_more: false },
      });
      expect(text).not.toMatch(/secret|url/);
      expect(first.data[2]).toMatchObject({ status: 'confirmed', connector_id: connector.id, inviter: null });
      await patch({ guest_connect_links: false });
      expect(await list('?customer_name=acme')).not.toContain(guest.id);
    });

    test('a repeated request gets the same URL', async () => {
      const ask = (body: object) =>
        consent.service.ask('POST', links, {
          token: consent.token,
          headers: { 'idempotency-key': 'again' },
          body: { customer_name: 'acme', ...body },
        });
      const first = await ask({});
      expect(first.status, first.text).toBe(201);
      expect((await ask({})).body).toEqual(first.body);
      expect(outcome(await ask({ expires_in: 60 }))).toBe('422 idempotency_key_reused');
      expect(await openLink(database(), consent.service, first.body.url)).not.toBeNull();
    });

    test('a repeated request with a token that has other limits does not get the link', async () => {
      const ask = async (options: object) => {
        const token = await consent.service.customerToken(consent.token, {
          customer_name: 'acme',
          allowed_management: ['link'],
          ...options,
        });
        return consent.service.ask('POST', links, {
          token,
          headers: { 'idempotency-key': 'shared' },
          body: {},
        });
      };
      const { body: first } = await ask({});
      expect((await ask({})).body).toEqual(first);
      expect(outcome(await ask({ access: 'read' }))).toBe('422 idempotency_key_reused');
      expect(outcome(await ask({ allowed_sources: ['granola'] }))).toBe('422 idempotency_key_reused');
    });

    test("a connector must be the customer's, and of the named source", async () => {
      const { body } = await harness.connect({ token: consent.token }, { customer_name: 'acme' });
      const ask = async (changes: object) =>
        outcome(await harness.ask('POST', '', { connector_id: body.id, ...changes }));
      expect(await ask({ customer_name: 'beta' })).toBe('404 connector_not_found');
      expect(await ask({ customer_name: 'acme', connector_type: 'gong' })).toBe('400 malformed_request');
    });

    test('creating many links in a short time is limited', async () => {
      const minute = 60_000;
      consent.service.advance(minute);
      consent.service.stopClock();
      const responses = await Promise.all(
        Array.from({ length: 31 }, () => harness.ask('POST', '', { customer_name: 'acme' })),
      );
      expect(responses.filter(({ status }) => status === 429)).toHaveLength(1);
      consent.service.advance(minute);
    });
  });

  test('secrets and codes are in no log, audit entry, stored value or other response', async () => {
    const link = await harness.create();
    const browser = await harness.open(link);
    const code = await browser.code();
    const { body } = await confirm(link, code);
    await browser.goBack(body.return_url);
    await harness.connect(await harness.asPage(browser));
    const secrets = [link.url, body.return_url].map(url => url.split(/#(?:return=)?/)[1] ?? '');
    const audit = () => consent.service.ask('GET', '/api/v1/admin/audit?limit=1000', { token: adminToken });
    const entries = await until(async () => {
      const { body } = await audit();
      const own = body.data.filter(({ target_id: id }: { target_id: string }) => id === link.id);
      expect(own).toHaveLength(3);
      return own;
    });
    expect(entries.map(({ action }: { action: string }) => action).toReversed()).toEqual([
      'connect_link.created',
      'connect_link.confirmed',
      'connector.created',
    ]);
    const places = [
      consent.service.logged(),
      (await audit()).text,
      (await harness.ask('GET', `/${link.id}`)).text,
      ...(await readDatabaseContents(database())),
    ].join('');
    for (const secret of [...secrets, code]) {
      expect(secret).toHaveLength(43);
      expect(places).not.toContain(secret);
      expect(places).not.toContain(Buffer.from(secret).toString('base64'));
    }
  });
});
