import { UrlElicitationRequiredError } from '@modelcontextprotocol/client';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addSignedInAgent } from '../../../test/agents.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { openLink } from '../../../test/link-browser.ts';
import { connectMcp, revisions, type McpClient, type OnUrl } from '../../../test/mcp-client.ts';
import { bothKinds, firstKind, secondKind } from '../../../test/second-kind.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';
import { spendLink } from '../../shared/repositories/connect-links.ts';
import { findLink } from '../connect-links/store.ts';

const connectors = '/api/v1/integrations/connectors';
const links = '/api/v1/integrations/connect-links';

onPostgresOrEachEngineInFull('the tool connect', database => {
  let service: TestService;
  let application: string;
  let organizationId: string;
  let customers = 0;
  const open: McpClient[] = [];

  beforeAll(async () => {
    service = await startTestService(database(), { kinds: bothKinds });
    const own = await service.addApplication('own', ['Own']);
    [organizationId = ''] = own.organizationIds;
    application = await service.tokenOf(own);
    await service.ask('PATCH', '/api/v1/organization', {
      token: application,
      body: { connect_helper_url: 'https://app.example/connector-auth', agent_sign_in: true },
    });
  });
  afterAll(async () => {
    for (const { client } of open) await client.close();
    await service.close();
  });

  /** A new customer with a client whose token allows links. */
  async function start(revision: (typeof revisions)[number], onUrl: OnUrl | null = null) {
    const customer = `customer ${++customers}`;
    const token = await service.customerToken(application, {
      customer_name: customer,
      allowed_management: ['link'],
    });
    const agent = await connectMcp(service, token, revision, onUrl);
    open.push(agent);
    return { agent, customer, token };
  }

  /** Connects Granola with a link, as the person who opens it does. Returns the connector's id. */
  async function useLink(url: string, customer: string): Promise<string> {
    const id = idOf(url);
    const browser = await openLink(database(), service, url);
    const confirmed = await service.ask('POST', `${links}/${id}/confirm`, {
      token: application,
      body: { code: await browser?.code(), customer_name: customer },
    });
    expect(await browser?.goBack(confirmed.body.return_url)).toBe(true);
    return connectWith(id, customer);
  }

  /** Connects Granola with a link that is confirmed. Returns the connector's id. */
  async function connectWith(id: string, customer: string): Promise<string> {
    const { body } = await service.ask('POST', connectors, {
      token: application,
      body: {
        customer_name: customer,
        connector_type: firstKind.key,
        name: 'Mine',
        credentials: { api_key: goodKey },
      },
    });
    const link = await findLink({ db: database().kysely, signingKeys: service.signingKeys }, id);
    expect(link && (await spendLink(database().kysely, link, body.id))).toBe(true);
    return body.id;
  }

  /** Reports a decision about any link as a client of 2026 does. */
  const decide = (token: string, url: string, action: 'accept' | 'decline', path = '/mcp') =>
    service.ask('POST', path, {
      token,
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'connect',
      },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'connect',
          arguments: {},
          requestState: idOf(url),
          inputResponses: { url: { action } },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'forger', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
          },
        },
      },
    });

  const statusOf = async (url: string) =>
    (await findLink({ db: database().kysely, signingKeys: service.signingKeys }, idOf(url)))?.status;

  describe.each(revisions)('for clients of %s that do not open URLs', revision => {
    test('returns the link with what to tell the user, and list_sources shows the connection', async () => {
      const { agent, customer } = await start(revision);
      const made = await agent.call('connect', { source: firstKind.key });
      expect(made).toMatchObject({ status: 'link', connector_id: null });
      expect(made.next).toMatch(/link, unchanged.*signed in.*list_sources/);
      const connectorId = await useLink(made.url, customer);
      expect((await agent.call('list_sources')).connections).toEqual([
        expect.objectContaining({ connector_id: connectorId, source: firstKind.key }),
      ]);
    });

    test('makes a link for the source, to reconnect a connector, or to let the user choose', async () => {
      const { agent, customer } = await start(revision);
      const byChoice = await agent.call('connect');
      expect(
        await findLink({ db: database().kysely, signingKeys: service.signingKeys }, idOf(byChoice.url)),
      ).toMatchObject({
        kind: null,
        targetId: null,
      });
      const bySource = await agent.call('connect', { source: firstKind.key });
      expect(
        await findLink({ db: database().kysely, signingKeys: service.signingKeys }, idOf(bySource.url)),
      ).toMatchObject({ kind: firstKind.key });
      const connectorId = await useLink(bySource.url, customer);
      const again = await agent.call('connect', { connector_id: connectorId });
      expect(
        await findLink({ db: database().kysely, signingKeys: service.signingKeys }, idOf(again.url)),
      ).toMatchObject({
        kind: firstKind.key,
        targetId: connectorId,
      });
    });
  });

  describe('for clients of 2026 that open URLs', () => {
    test('asks the client to open the link, and returns the connection once it is used', async () => {
      let connectorId = '';
      const asked: string[] = [];
      const { agent, customer } = await start('2026', async ({ url, message }) => {
        asked.push(message);
        connectorId = await useLink(url, customer);
        return 'accept';
      });
      const result = await agent.call('connect', { source: firstKind.key });
      expect(asked).toEqual([expect.stringContaining(`Connect ${firstKind.name}`)]);
      expect(result).toMatchObject({ status: 'connected', url: null, connector_id: connectorId });
      expect(result.next).toContain('list_sources');
    });

    test.each(['decline', 'cancel'] as const)('revokes the link if the user chooses %s', async action => {
      let link = '';
      const { agent } = await start('2026', ({ url }) => {
        link = url;
        return Promise.resolve(action);
      });
      expect(await agent.call('connect', { source: firstKind.key })).toMatchObject({ status: 'declined' });
      expect(await statusOf(link)).toBe('revoked');
    });

    test('waits until the link is over', async () => {
      const asked = Promise.withResolvers<string>();
      const { agent, token } = await start('2026', ({ url }) => {
        asked.resolve(url);
        return Promise.resolve('accept');
      });
      const result = agent.call('connect');
      await service.ask('DELETE', `${links}/${idOf(await asked.promise)}`, { token });
      expect(await result).toMatchObject({ status: 'revoked', connector_id: null });
    });

    test('does not report the link of another customer', async () => {
      const other = await start('2026');
      const { url } = await other.agent.call('connect');
      await useLink(url, other.customer);
      const { token } = await start('2026');
      const forged = await decide(token, url, 'accept');
      expect(forged.text).toContain('link_not_found');
    });
  });

  describe('for clients of 2025 that open URLs', () => {
    const ignore = () => Promise.resolve('accept' as const);

    test('returns the error with the link, and the connection when the call is repeated', async () => {
      const { agent, customer } = await start('2025', ignore);
      const given = { source: firstKind.key };
      const error = await agent.callRaw('connect', given).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UrlElicitationRequiredError);
      const [asked] = (error as UrlElicitationRequiredError).elicitations;
      expect(asked).toMatchObject({ mode: 'url', message: expect.stringContaining(firstKind.name) });
      const url = asked?.url ?? '';
      expect(asked?.elicitationId).toBe(idOf(url));
      const connectorId = await useLink(url, customer);
      expect(await agent.call('connect', given)).toMatchObject({
        status: 'connected',
        connector_id: connectorId,
      });
    });

    test('asks for another source than the one that was just connected', async () => {
      const { agent, customer } = await start('2025', ignore);
      const urlFor = (source: string) =>
        agent.callRaw('connect', { source }).then(
          () => '',
          (error: unknown) => (error as UrlElicitationRequiredError).elicitations[0]?.url ?? '',
        );
      await useLink(await urlFor(firstKind.key), customer);
      expect(await statusOf(await urlFor(secondKind.key))).toBe('open');
    });
  });

  describe('for the agent of a person', () => {
    const ana = 'user-ana';
    const path = () => `/mcp/${organizationId}`;

    async function startAgent(
      userId: string,
      revision: (typeof revisions)[number],
      { onUrl = null, customer }: { onUrl?: OnUrl | null; customer?: string } = {},
    ) {
      const name = customer ?? `customer ${++customers}`;
      if (customer === undefined) await service.customerToken(application, { customer_name: name });
      const { token } = await addSignedInAgent(database(), {
        organizationId,
        customer: name,
        resource: `https://service.example${path()}`,
        scopes: ['read', 'connect'],
        userId,
      });
      const agent = await connectMcp(service, token, revision, onUrl, path());
      open.push(agent);
      return { agent, customer: name, token };
    }
    /** Connects with the link as its person does, after the helper has confirmed who that is. */
    async function useOwnLink(url: string, customer: string): Promise<string> {
      await sql`update connect_links set confirmed_at = now() where id = ${idOf(url)}`.execute(
        database().kysely,
      );
      return connectWith(idOf(url), customer);
    }
    const personOf = async (url: string) =>
      (await findLink({ db: database().kysely, signingKeys: service.signingKeys }, idOf(url)))?.userId;

    test.each(revisions)(
      'in a client of %s, the link is the person’s and its use is reported',
      async revision => {
        let link = '';
        let connectorId = '';
        const { agent, customer } = await startAgent(ana, revision, {
          onUrl: async ({ url }) => {
            link = url;
            connectorId = await useOwnLink(url, customer);
            return 'accept';
          },
        });
        const given = { source: firstKind.key };
        const result = await agent.call('connect', given).catch(async (error: unknown) => {
          // Clients of 2025 open the URL of the error, and repeat the call.
          expect(error).toBeInstanceOf(UrlElicitationRequiredError);
          link = (error as UrlElicitationRequiredError).elicitations[0]?.url ?? '';
          connectorId = await useOwnLink(link, customer);
          return agent.call('connect', given);
        });
        expect(result).toMatchObject({ status: 'connected', connector_id: connectorId });
        expect(await personOf(link)).toBe(ana);
      },
    );

    test.each(revisions)('a client of %s that does not open URLs shows the link', async revision => {
      const { agent } = await startAgent(ana, revision);
      const { status, url } = await agent.call('connect');
      expect([status, await personOf(url)]).toEqual(['link', ana]);
    });

    test('another person of the customer can neither watch the link nor revoke it', async () => {
      const { agent, customer, token } = await startAgent(ana, '2026');
      const { url } = await agent.call('connect');
      const other = await startAgent('user-ben', '2026', { customer });
      for (const action of ['accept', 'decline'] as const) {
        expect((await decide(other.token, url, action, path())).text).toContain('link_not_found');
      }
      expect(await statusOf(url)).toBe('open');
      expect((await decide(token, url, 'decline', path())).text).toContain('declined');
      expect(await statusOf(url)).toBe('revoked');
    });
  });

  describe('the secret of a link', () => {
    test.each(revisions)('is in no other message to a client of %s, and in no log', async revision => {
      const urls: string[] = [];
      const { agent, customer } = await start(revision, async ({ url }) => {
        urls.push(url);
        await useLink(url, customer);
        return 'accept';
      });
      await agent.call('connect').catch((error: unknown) => {
        urls.push((error as UrlElicitationRequiredError).elicitations[0]?.url ?? '');
      });
      await agent.call('list_sources');
      const [url = ''] = urls;
      const secret = new URL(url).hash.slice(1);
      expect(secret.length).toBeGreaterThan(40);
      expect((await agent.received()).split(secret)).toHaveLength(2);
      expect(service.logged()).not.toContain(secret);
    });
  });

  describe('errors', () => {
    test.each([
      [{ source: 'nowhere' }, 'unknown_connector_type', 'list_sources'],
      [{ connector_id: 'nowhere' }, 'connector_not_found', 'list_sources'],
      [{ surprise: 1 }, 'malformed_request', 'arguments'],
    ])('%j: returns a code and the next step', async (given, code, step) => {
      const { agent } = await start('2026');
      await expect(agent.call('connect', given)).rejects.toMatchObject({
        code,
        next: expect.stringContaining(step),
      });
    });

    test('say what to do instead if the organization has not registered its helper', async () => {
      const without = await startTestService(database(), { kinds: bothKinds });
      const token = await without.tokenOf(await without.addApplication('without', ['Without']));
      const scoped = await without.customerToken(token, {
        customer_name: 'acme',
        allowed_management: ['link'],
      });
      const agent = await connectMcp(without, scoped);
      await expect(agent.call('connect')).rejects.toMatchObject({
        code: 'helper_url_missing',
        next: expect.stringContaining('in the app instead'),
      });
      await agent.client.close();
      await without.close();
    });
  });
});

function idOf(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? '';
}
