import { createHash, randomBytes } from 'node:crypto';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../../test/engines.ts';
import { goodKey } from '../../../../test/example-requests.ts';
import { bothKinds, firstKind, secondKind } from '../../../../test/second-kind.ts';
import { targetOf, TestBrowser, type Page } from '../../../../test/test-browser.ts';
import {
  adminToken,
  startTestService,
  type TestApplication,
  type TestService,
} from '../../../../test/test-service.ts';
import { until } from '../../../../test/until.ts';
import { findApplication, setDisabled } from '../../../shared/repositories/applications.ts';
import { insertRevocation, revokeAgentOf } from '../../../shared/repositories/revocations.ts';
import { findAnyAgent } from '../store.ts';

const publicUrl = 'https://connect.example';
const helperUrl = 'https://app.example/connector-auth';
const redirectUri = 'https://chat.example/callback';
const verifier = randomBytes(32).toString('base64url');
const ana = { id: 'user-ana', name: 'Ana <Silva>' };
const ben = { id: 'user-ben', name: 'Ben Okafor' };

/** A browser that a client has sent to sign in. */
class Visitor extends TestBrowser {
  /** The page of the sign-in. */
  url = '';

  get id(): string {
    return this.url.split('/').at(-1) ?? '';
  }

  /** Opens the page, which hands over to the helper, and returns the code that the helper gets. */
  async code(): Promise<string> {
    const { location, text } = await this.visit(this.url);
    const target = new URL(location ?? text);
    expect(`${target.origin}${target.pathname}`).toBe(`${helperUrl}/agent-sign-in`);
    expect(target.searchParams.get('sign_in')).toBe(this.id);
    return target.searchParams.get('code') ?? '';
  }

  /** Submits the form of a page, as it is shown or with other fields. */
  async answer(
    page: Page,
    answer: 'allow' | 'deny',
    changes: Readonly<Record<string, string | readonly string[]>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Page> {
    const fields = new URLSearchParams({ answer });
    for (const [, tag = ''] of page.text.matchAll(/<input\s([^>]*)>/g)) {
      const [, name = ''] = /name="([^"]*)"/.exec(tag) ?? [];
      const [, value = ''] = /value="([^"]*)"/.exec(tag) ?? [];
      if (tag.includes('hidden') || /\schecked\b/.test(tag)) fields.append(name, value);
    }
    for (const [name, values] of Object.entries(changes)) {
      fields.delete(name);
      for (const value of [values].flat()) fields.append(name, value);
    }
    return this.visit(this.url, {
      method: 'POST',
      form: fields,
      headers: {
        origin: publicUrl,
        'sec-fetch-site': 'same-origin',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
        ...headers,
      },
    });
  }
}

onPostgresOrEachEngineInFull('signing in to allow an agent', database => {
  let sandbox: RunningSandbox;
  let service: TestService;
  let own: TestApplication;
  let other: TestApplication;
  let token: string;
  const visitors: Visitor[] = [];

  const ask = (path: string, body: unknown, as = token, method = 'POST') =>
    service.ask(method, path, { token: as, body });
  /** Starts to sign in from a client, in a new browser unless one is given. */
  const start = async ({
    client = {},
    scope = 'read search write connect',
    browser = new Visitor(service, publicUrl),
  }: {
    readonly client?: Readonly<Record<string, unknown>>;
    readonly scope?: string;
    readonly browser?: Visitor;
  } = {}): Promise<Visitor> => {
    const registered = await service.ask('POST', '/agents/register', {
      body: { client_name: 'Claude', redirect_uris: [redirectUri], ...client },
    });
    expect(registered.status, registered.text).toBe(201);
    return startAgain(registered.body, scope, browser);
  };
  const startAgain = async (
    client: { readonly client_id: string; readonly redirect_uris: readonly string[] },
    scope: string,
    browser = new Visitor(service, publicUrl),
  ): Promise<Visitor> => {
    const query = new URLSearchParams({
      client_id: client.client_id,
      response_type: 'code',
      redirect_uri: client.redirect_uris[0] ?? '',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: `${publicUrl}/mcp/${own.organizationIds[0]}`,
      state: 'state-of-the-client',
      scope,
    });
    const { location, text } = await browser.visit(`${publicUrl}/agents/authorize?${query.toString()}`);
    expect(location, text).toContain(`${publicUrl}/agents/sign-in/`);
    browser.url = location ?? '';
    visitors.push(browser);
    return browser;
  };
  /** Confirms a code as the helper does. */
  const confirm = (
    { id }: Pick<Visitor, 'id'>,
    code: string,
    changes: Readonly<Record<string, unknown>> = {},
    as = token,
  ) =>
    ask(
      `/api/v1/agents/sign-ins/${id}/confirm`,
      { code, customer_name: 'acme', customer_display_name: 'Acme & Sons', user: ana, ...changes },
      as,
    );
  /** Returns the URL with which the helper sends a person back. */
  const returnUrlOf = async (visitor: Visitor, changes = {}): Promise<string> => {
    const { status, body, text } = await confirm(visitor, await visitor.code(), changes);
    expect(status, text).toBe(200);
    return body.return_url;
  };
  /** Lets the helper confirm a browser, and returns the page that asks the person. */
  const open = async (visitor: Visitor, changes = {}): Promise<Page> => {
    const { location } = await visitor.visit(await returnUrlOf(visitor, changes));
    expect(location).toBe(new URL(visitor.url).pathname);
    return visitor.visit(visitor.url);
  };
  /** Makes codes and confirmations expire. */
  const endConfirmation = () =>
    database()
      .kysely.updateTable('agent_sign_ins')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute();
  const agents = () => database().kysely.selectFrom('agents').selectAll().execute();
  const revokeAna = () => ask(`/api/v1/customers/acme/users/${ana.id}/revoke`, undefined);
  const setApplication = (change: 'disable' | 'enable') =>
    service.ask('POST', `/api/v1/admin/applications/${decodeJwt(token).sub}/${change}`, {
      token: adminToken,
    });
  /** Follows the browser to the client, and returns what the client receives. */
  const clientReceives = async (visitor: Visitor, { text }: Page): Promise<URLSearchParams> => {
    const target = targetOf(text);
    expect(target, text).not.toBeNull();
    const { location } = await visitor.visit(target ?? '');
    expect(location).toContain(redirectUri);
    return new URL(location ?? '').searchParams;
  };
  const connect = async (connectorType: string) => {
    const created = await ask('/api/v1/integrations/connectors', {
      customer_name: 'acme',
      connector_type: connectorType,
      name: 'Data',
      credentials: { api_key: goodKey },
    });
    expect(created.status, created.text).toBe(201);
  };

  beforeAll(async () => {
    sandbox = await startSandbox();
    service = await startTestService(database(), { publicUrl, kinds: bothKinds, sandbox });
    own = await service.addApplication('own', ['Northwind']);
    other = await service.addApplication('other', ['Beta']);
  });
  beforeEach(async () => {
    for (const table of ['customers', 'agent_sign_ins'] as const)
      await database().kysely.deleteFrom(table).execute();
    // Refills the limits.
    service.advance(300_000);
    token = await service.tokenOf(own);
    const settings = { agent_sign_in: true, connect_helper_url: helperUrl };
    for (const as of [token, await service.tokenOf(other)])
      expect((await ask('/api/v1/organization', settings, as, 'PATCH')).status).toBe(200);
    return async () => {
      for (const each of visitors.splice(0)) await each.leave();
    };
  });
  afterAll(async () => {
    await service.close();
    await sandbox.close();
  });

  test('lets a person whom the helper confirms allow a client, which gets a code', async () => {
    await connect(firstKind.key);
    const visitor = await start();
    const page = await open(visitor);
    expect(page.status).toBe(200);
    for (const text of ['chat.example', 'Claude', 'Ana &#60;Silva&#62;', 'Acme &#38; Sons', firstKind.name])
      expect(page.text).toContain(text);
    // The source has nothing that can be changed.
    expect(page.text).not.toContain('value="write"');
    expect(page.text).toContain('no connected source allows that');
    // Neither the client nor the helper is trusted with markup, and no logo of a client is loaded.
    expect(page.text).not.toMatch(/<Silva>|<script|https:\/\/chat/);
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    const received = await clientReceives(visitor, await visitor.answer(page, 'allow'));
    expect(received.get('code')).toBeTruthy();
    const [agent, ...more] = await agents();
    expect(more).toEqual([]);
    expect(agent).toMatchObject({
      organization_id: own.organizationIds[0],
      user_id: ana.id,
      user_name: ana.name,
      client_name: 'Claude',
      client_host: 'chat.example',
      resource: `${publicUrl}/mcp/${own.organizationIds[0]}`,
      scopes: ['read', 'search', 'connect'],
      allowed_scopes: ['read', 'search', 'write', 'connect'],
      allowed_sources: null,
      allowed_data: [],
      revoked_at: null,
    });
    const days = ((agent?.expires_at.getTime() ?? 0) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    await until(async () =>
      (await database().kysely.selectFrom('audit_entries').select(['action', 'actor_name']).execute()).some(
        ({ action, actor_name }) =>
          action === 'agent.authorized' && actor_name === 'chat.example for Ana <Silva>',
      ),
    );
  });

  test('stores what the person selects, and never more than the helper and the client allow', async () => {
    await connect(firstKind.key);
    await connect(secondKind.key);
    const limits = { allowed_scopes: ['read', 'write'], allowed_sources: [secondKind.key] };
    const visitor = await start({ scope: 'read search write' });
    const page = await open(visitor, limits);
    expect(page.text).not.toContain(`value="${firstKind.key}"`);
    expect(page.text).not.toContain('value="search"');
    const forged = {
      scope: ['read', 'write', 'search', 'connect'],
      source: [firstKind.key, secondKind.key],
      days: '1',
    };
    await visitor.answer(page, 'allow', forged);
    expect(await agents()).toMatchObject([
      { scopes: ['read', 'write'], allowed_scopes: ['read', 'write'], allowed_sources: [secondKind.key] },
    ]);
  });

  test('can leave out a source, with or without those that are connected later', async () => {
    await connect(firstKind.key);
    await connect(secondKind.key);
    const page = await open(await start());
    const [visitor] = visitors;
    await visitor?.answer(page, 'allow', { source: [firstKind.key], later: [] });
    expect(await agents()).toMatchObject([{ allowed_sources: [firstKind.key] }]);
    await visitor?.answer(page, 'allow', { source: [], later: 'on' });
    const [agent] = await agents();
    expect(agent?.allowed_sources).not.toContain(firstKind.key);
    expect(agent?.allowed_sources).not.toContain(secondKind.key);
  });

  test.each([
    ['no right', { scope: [] }],
    ['no source', { source: [], later: [] }],
    ['another period', { days: '3650' }],
  ])('asks again if a person allows %s', async (_what, changes) => {
    await connect(firstKind.key);
    const visitor = await start();
    const { status, text } = await visitor.answer(await open(visitor), 'allow', changes);
    expect([status, text.includes('Select at least one')]).toEqual([422, true]);
    expect(await agents()).toEqual([]);
  });

  test('a person who does not allow it is sent back to the client, without access', async () => {
    const visitor = await start();
    const received = await clientReceives(visitor, await visitor.answer(await open(visitor), 'deny'));
    expect([received.get('error'), received.get('code')]).toEqual(['access_denied', null]);
    expect(await agents()).toEqual([]);
    expect((await visitor.visit(visitor.url)).text).toContain('This request has ended');
  });

  test('a person without access reads where to go, and can go back to the client', async () => {
    const visitor = await start();
    await visitor.code();
    const page = await visitor.visit(`${visitor.url}?no_access`);
    expect([page.status, page.text.includes('You can’t connect this app')]).toEqual([403, true]);
    const received = await clientReceives(visitor, await visitor.answer(page, 'deny'));
    expect(received.get('error')).toBe('access_denied');
    const nothing = await start({ scope: 'write' });
    expect((await open(nothing, { allowed_scopes: ['read'] })).status).toBe(403);
  });

  test('an app on the device is not named by the host of its claim', async () => {
    const visitor = await start({ client: { redirect_uris: ['http://127.0.0.1:7777/callback'] } });
    const { text } = await open(visitor);
    expect(text).toContain('Allow an app on this device to use');
    await visitor.answer(await visitor.visit(visitor.url), 'allow');
    expect(await agents()).toMatchObject([{ client_name: 'Claude', client_host: null }]);
  });

  test('a name that a client claims cannot change the text around it', async () => {
    const client_name = `\u202Elive\u202C${'x'.repeat(200)}<b>`;
    const visitor = await start({ client: { client_name } });
    await visitor.answer(await open(visitor), 'allow');
    const [agent] = await agents();
    expect(agent?.client_name).toBe(`live${'x'.repeat(76)}`);
    const unseen = await start({ client: { client_name: ' \u3164\u2800\u115F' } });
    expect((await open(unseen)).text).not.toContain('It calls itself');
  });

  describe('what a live agent and a repeated consent do', () => {
    test('a second consent of the same person and client changes the agent, also a double click', async () => {
      await connect(firstKind.key);
      await connect(secondKind.key);
      const client = await service.ask('POST', '/agents/register', {
        body: { client_name: 'Claude', redirect_uris: [redirectUri] },
      });
      const first = await startAgain(client.body, 'read search');
      const page = await open(first);
      expect(page.text).not.toContain('You allowed this before');
      const chosen = { scope: 'read', source: secondKind.key, later: [], days: '1' };
      await first.answer(page, 'allow', chosen);
      const [before] = await agents();
      const again = await first.answer(page, 'allow', chosen);
      expect((await clientReceives(first, again)).get('code')).toBeTruthy();
      const second = await startAgain(client.body, 'read search write');
      const asked = await open(second);
      expect(asked.text).toContain('You allowed this before');
      expect(asked.text.match(/[\w ]+ <b>New<\/b>/g)).toEqual([
        'Search <b>New</b>',
        'Create and change <b>New</b>',
      ]);
      // What was chosen before is selected, and writing never is.
      await second.answer(asked, 'allow');
      const [agent] = await agents();
      expect(agent).toMatchObject({ id: before?.id, scopes: ['read'], allowed_sources: [secondKind.key] });
      expect(Number(agent?.expires_at) - Number(agent?.authorized_at)).toBe(86_400_000);
      const ofBen = await startAgain(client.body, 'read');
      await ofBen.answer(await open(ofBen, { user: ben }), 'allow');
      expect(await agents()).toHaveLength(2);
    });

    test('sources connected later are not selected because one of those that the person selected is gone', async () => {
      await connect(firstKind.key);
      await connect(secondKind.key);
      const { body: client } = await service.ask('POST', '/agents/register', {
        body: { client_name: 'Claude', redirect_uris: [redirectUri] },
      });
      const allow = async (selection = {}) => {
        const visitor = await startAgain(client, 'read');
        await visitor.answer(await open(visitor), 'allow', selection);
        const [agent] = await agents();
        return agent?.allowed_sources;
      };
      const withoutLater = [firstKind.key, secondKind.key].toSorted();
      expect(await allow({ later: [] })).toEqual(withoutLater);
      const { kysely } = database();
      await kysely.deleteFrom('connectors').where('kind', '=', secondKind.key).execute();
      expect(await allow()).toEqual([firstKind.key]);
    });

    test('tokens never get more from a later consent: they end if it allows more sources, data or time', async () => {
      await connect(firstKind.key);
      await connect(secondKind.key);
      const { body: client } = await service.ask('POST', '/agents/register', {
        body: { client_name: 'Claude', redirect_uris: [redirectUri] },
      });
      const { client_id } = client;
      const send = (fields: Readonly<Record<string, string>>) =>
        service.ask('POST', '/agents/token', {
          rawBody: new URLSearchParams({ client_id, ...fields }).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        });
      /** Allows the client on another device, which gets tokens. Returns a function that renews them. */
      const allow = async (selection: Parameters<Visitor['answer']>[2], confirmed = {}) => {
        const device = await startAgain(client, 'read search');
        const answer = await device.answer(await open(device, confirmed), 'allow', selection);
        const code = (await clientReceives(device, answer)).get('code') ?? '';
        const resource = `${publicUrl}/mcp/${own.organizationIds[0]}`;
        const request = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
        let { body } = await send({ ...request, code_verifier: verifier, resource });
        return async () => {
          ({ body } = await send({ grant_type: 'refresh_token', refresh_token: body.refresh_token ?? '' }));
          return body.error ?? 'renewed';
        };
      };
      const narrow = { source: [firstKind.key], later: [] };
      let renew = await allow(narrow);
      for (const [selection, confirmed, outcome] of [
        [narrow, {}, 'renewed'],
        [{ ...narrow, scope: ['search'], days: '1' }, {}, 'renewed'],
        [{ ...narrow, days: '30' }, {}, 'invalid_grant'],
        [narrow, { allowed_data: ['private_fields'] }, 'invalid_grant'],
        [narrow, {}, 'renewed'],
        [{ source: [firstKind.key, secondKind.key], later: ['on'] }, {}, 'invalid_grant'],
        [{ days: '180' }, {}, 'invalid_grant'],
      ] as const) {
        const renewNext = await allow(selection, confirmed);
        expect(await renew(), JSON.stringify([selection, confirmed])).toBe(outcome);
        expect(await agents()).toHaveLength(1);
        expect(await renewNext()).toBe('renewed');
        renew = renewNext;
      }
    });

    test('a consent after the agent has ended makes a new one', async () => {
      const client = await service.ask('POST', '/agents/register', {
        body: { client_name: 'Claude', redirect_uris: [redirectUri] },
      });
      const first = await startAgain(client.body, 'read');
      await first.answer(await open(first), 'allow');
      const [ended] = await agents();
      await database().kysely.updateTable('agents').set({ revoked_at: new Date() }).execute();
      const second = await startAgain(client.body, 'read');
      await second.answer(await open(second), 'allow');
      const [agent, ...more] = await agents();
      expect([agent?.id === ended?.id, agent?.revoked_at, more]).toEqual([false, null, []]);
    });
  });

  describe('attacks', () => {
    test('a link to authorize, and the pages that follow, allow nothing without a form of the same browser', async () => {
      const visitor = await start();
      await visitor.visit(visitor.url);
      await visitor.visit(visitor.url);
      expect(await agents()).toEqual([]);
      // The browser of someone else gets the same address, and even the return address.
      const stranger = new Visitor(service, publicUrl);
      visitors.push(stranger);
      stranger.url = visitor.url;
      const returnUrl = await returnUrlOf(visitor);
      for (const url of [visitor.url, returnUrl]) {
        const page = await stranger.visit(url);
        expect([page.status, page.text.includes('This request has ended')]).toEqual([410, true]);
        expect(page.text).not.toMatch(/Ana|Acme|Claude|chat\.example/);
      }
      // It came to another browser, so it works in none.
      expect((await visitor.visit(returnUrl)).status).toBe(409);
      const page = await open(visitor);
      expect((await stranger.answer(page, 'allow')).status).toBe(410);
      expect(await agents()).toEqual([]);
    });

    test('a person who is lured to the helper with the code of another browser confirms neither browser', async () => {
      const attacker = await start();
      const luredTo = await returnUrlOf(attacker, { user: ben, customer_name: 'victim' });
      const victim = new Visitor(service, publicUrl);
      visitors.push(victim);
      expect((await victim.visit(luredTo)).status).toBe(410);
      // Not even if the victim hands over the address that the browser shows.
      expect((await attacker.visit(luredTo)).status).toBe(409);
      const page = await attacker.visit(attacker.url);
      // The attacker's browser is handed over to the helper once more, which does not know Ben there.
      expect(page.location).toContain(helperUrl);
      expect((await attacker.answer(page, 'allow')).text).toContain('Confirm that it’s you');
      expect(await agents()).toEqual([]);
    });

    test('a browser that was confirmed as one person does not become another one with a new code', async () => {
      const attacker = await start();
      const page = await open(attacker);
      await endConfirmation();
      const code = await attacker.code();
      expect((await confirm(attacker, code, { user: ben, customer_name: 'victim' })).status).toBe(200);
      expect((await attacker.answer(page, 'allow')).status).toBe(409);
      expect((await attacker.visit(attacker.url)).location).toContain(helperUrl);
      expect(await agents()).toEqual([]);
    });

    test('a page that names one person does not allow in the name of another who has signed in since', async () => {
      const visitor = await start();
      const ofAna = await open(visitor);
      await endConfirmation();
      const ofBen = await open(visitor, { user: ben });
      expect((await visitor.answer(ofAna, 'allow')).status).toBe(409);
      expect(await agents()).toEqual([]);
      await visitor.answer(ofBen, 'allow');
      expect(await agents()).toMatchObject([{ user_id: ben.id }]);
    });

    test('codes work once, for five minutes, and for their own sign-in only', async () => {
      const [visitor, elsewhere] = [await start(), await start()];
      const replaced = await visitor.code();
      const code = await visitor.code();
      const rejected = [422, 'sign_in_invalid'];
      const outcome = async (...args: Parameters<typeof confirm>) => {
        const { status, body } = await confirm(...args);
        return [status, body.code];
      };
      await elsewhere.code();
      expect(await outcome(elsewhere, code)).toEqual(rejected);
      expect(await outcome(visitor, replaced)).toEqual(rejected);
      expect(await outcome({ id: 'unknown-sign-in-0' }, code)).toEqual(rejected);
      const { body } = await confirm(visitor, code);
      expect(await outcome(visitor, code)).toEqual(rejected);
      const returnCode = new URL(body.return_url).searchParams.get('return') ?? '';
      expect(await outcome(visitor, returnCode)).toEqual(rejected);
      expect((await elsewhere.visit(`${elsewhere.url}?return=${returnCode}`)).status).toBe(409);
      await endConfirmation();
      const late = await visitor.visit(body.return_url);
      expect([late.status, late.text.includes('Confirm that it’s you')]).toEqual([409, true]);
      const old = await visitor.code();
      await endConfirmation();
      expect(await outcome(visitor, old)).toEqual(rejected);
      // A rejected confirmation creates no customer.
      const customers = await database().kysely.selectFrom('customers').select('name').execute();
      expect(customers).toEqual([{ name: 'acme' }]);
    });

    test('the return address can be reloaded, and works again from the history, in the same browser only', async () => {
      const visitor = await start();
      const returnUrl = await returnUrlOf(visitor);
      for (let visit = 0; visit < 3; visit += 1)
        expect((await visitor.visit(returnUrl)).location).toBe(new URL(visitor.url).pathname);
    });

    test.each([
      ['the deletion of the customer', () => service.ask('DELETE', '/api/v1/customers/acme', { token }), 204],
      ['an application that is disabled', () => setApplication('disable'), 200],
      ['the end of the person', () => revokeAna(), 204],
    ])(
      '%s neither fails nor leaves an agent, whatever people allow and helpers confirm at the same time',
      async (_title, end, status) => {
        const people = await Promise.all(Array.from({ length: 6 }, () => start()));
        const pages: Page[] = [];
        for (const each of people) pages.push(await open(each));
        const { body: client } = await service.ask('POST', '/agents/register', {
          body: { redirect_uris: [redirectUri] },
        });
        const others = await Promise.all(Array.from({ length: 12 }, () => startAgain(client, 'read')));
        const codes = await Promise.all(others.map(each => each.code()));
        const answers = people.map((each, index) => each.answer(pages[index] ?? pages[0]!, 'allow'));
        const ending = end();
        const confirms = others.map((each, index) => confirm(each, codes[index] ?? ''));
        const ended = await ending;
        expect(ended.status, ended.text).toBe(status);
        for (const { status, text } of await Promise.all([...answers, ...confirms]))
          expect(status, text).toBeLessThan(500);
        expect((await agents()).filter(({ revoked_at: at }) => at === null)).toEqual([]);
        await setApplication('enable');
      },
    );

    test('the helper of another organization confirms nothing', async () => {
      const visitor = await start();
      const foreign = await service.tokenOf(other);
      const { status, body } = await confirm(visitor, await visitor.code(), {}, foreign);
      expect([status, body.code]).toEqual([422, 'sign_in_invalid']);
      expect((await visitor.visit(visitor.url)).location).toContain(helperUrl);
    });

    test.each<[string, Readonly<Record<string, string>>]>([
      ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
      ['another host of the site', { origin: 'https://evil.connect.example', 'sec-fetch-site': 'same-site' }],
      ['a frame', { 'sec-fetch-dest': 'iframe' }],
      ['a script', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    ])('a form of %s allows nothing', async (_where, headers) => {
      const visitor = await start();
      const page = await open(visitor);
      const { location } = await visitor.answer(page, 'allow', {}, headers);
      expect(location).toBe(new URL(visitor.url).pathname);
      expect(await agents()).toEqual([]);
    });

    test('a person who is revoked during a sign-in does not allow it', async () => {
      const [visitor, other] = [await start(), await start()];
      await returnUrlOf(other);
      const code = await visitor.code();
      expect((await revokeAna()).status).toBe(204);
      // The helper may have asked for the person before that.
      expect((await confirm(visitor, code)).body.code).toBe('sign_in_invalid');
      const returnUrl = await returnUrlOf(visitor);
      await revokeAna();
      expect((await visitor.visit(returnUrl)).status).toBe(409);
      const page = await open(visitor);
      await revokeAna();
      expect((await visitor.answer(page, 'allow')).status).toBe(409);
      expect(await agents()).toEqual([]);
    });

    test('a person whose agent is ended during another sign-in does not allow that one', async () => {
      const [first, second, other] = [await start(), await start(), await start()];
      await first.answer(await open(first), 'allow');
      const [agent] = await agents();
      const [page, ofBen] = [await open(second), await open(other, { user: ben })];
      expect((await ask(`/api/v1/agents/${agent?.id}`, undefined, token, 'DELETE')).status).toBe(204);
      expect((await second.answer(page, 'allow')).status).toBe(409);
      expect((await other.answer(ofBen, 'allow')).status).toBe(200);
      const live = (await agents()).filter(({ revoked_at: at }) => at === null);
      expect(live).toMatchObject([{ user_id: ben.id }]);
      // Ending it again does not end the codes of everyone in the organization.
      const beta = await start();
      const code = await beta.code();
      expect((await ask(`/api/v1/agents/${agent?.id}`, undefined, token, 'DELETE')).status).toBe(204);
      expect((await confirm(beta, code, { customer_name: 'beta', user: ben })).status).toBe(200);
    });

    test('ending an agent also ends the one with which a consent for more has replaced it meanwhile', async () => {
      const { body: client } = await service.ask('POST', '/agents/register', {
        body: { client_name: 'Claude', redirect_uris: [redirectUri] },
      });
      const allow = async (days: string): Promise<string> => {
        const visitor = await startAgain(client, 'read');
        await visitor.answer(await open(visitor), 'allow', { days });
        const [agent, ...more] = await agents();
        expect(more).toEqual([]);
        return agent?.id ?? '';
      };
      const found = await findAnyAgent(database().kysely, await allow('1'));
      await allow('30');
      await revokeAgentOf(database().kysely, found!);
      expect(await agents()).toMatchObject([{ revoked_at: expect.any(Date) }]);
    });

    test('a confirmation ends with the application, its tokens, the customer and the setting of the organization', async () => {
      const visitor = await start();
      const page = await open(visitor);
      const { id = '' } = (await findApplication(database().kysely, { clientId: own.clientId })) ?? {};
      await setDisabled(database().kysely, id, true);
      expect((await visitor.answer(page, 'allow')).status).toBe(409);
      await setDisabled(database().kysely, id, false);
      await insertRevocation(database().kysely, { applicationId: id });
      expect((await visitor.answer(page, 'allow')).status).toBe(409);
      token = await service.tokenOf(own);
      const again = await open(visitor);
      expect((await ask('/api/v1/customers/acme', undefined, token, 'DELETE')).status).toBe(204);
      expect((await visitor.answer(again, 'allow')).status).toBe(409);
      const third = await open(visitor);
      await ask('/api/v1/organization', { agent_sign_in: false }, token, 'PATCH');
      expect((await visitor.answer(third, 'allow')).status).not.toBe(200);
      expect(await agents()).toEqual([]);
    });
  });
});
