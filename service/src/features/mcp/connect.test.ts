import { UrlElicitationRequiredError } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
  let customers = 0;
  const open: McpClient[] = [];

  beforeAll(async () => {
    service = await startTestService(database(), { kinds: bothKinds });
    application = await service.tokenOf(await service.addApplication('own', ['Own']));
    await service.ask('PATCH', '/api/v1/organization', {
      token: application,
      body: { connect_helper_url: 'https://app.example/connector-auth' },
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
      const forged = await service.ask('POST', '/mcp', {
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
            inputResponses: { url: { action: 'accept' } },
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientInfo': { name: 'forger', version: '1' },
              'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
            },
          },
        },
      });
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
