import { beforeAll, beforeEach, expect } from 'vitest';
import { mintLinkToken } from '../src/features/connect-links/mint-token.ts';
import type { Database } from '../src/platform/database/database.ts';
import { createTokenSigner } from '../src/shared/auth/token-signer.ts';
import { readInstallationId } from '../src/shared/repositories/installation.ts';
import { connectors, publicUrl, useConsentHarness, type ConsentHarness } from './consent-harness.ts';
import { goodKey } from './example-requests.ts';
import { openLink, type LinkBrowser } from './link-browser.ts';
import type { RequestOptions, TestResponse } from './test-service.ts';

export const links = '/api/v1/integrations/connect-links';

/** A link as its creator knows it. */
export interface CreatedLink {
  readonly id: string;
  readonly url: string;
}

/** A service whose organization has registered its helper and allows links for guests. */
export interface LinkHarness {
  readonly consent: ConsentHarness;
  /** Calls an endpoint for links, by default with the application token. */
  ask(method: string, path?: string, body?: unknown, token?: string): Promise<TestResponse>;
  /** Creates a link for customer acme, by default to connect Granola. */
  create(changes?: Readonly<Record<string, unknown>>, token?: string): Promise<CreatedLink>;
  /** Opens a link in a new browser. */
  open(link: CreatedLink): Promise<LinkBrowser>;
  /** Opens a link in a new browser where customer acme is signed in, and lets the helper confirm it. */
  openConfirmed(link: CreatedLink): Promise<LinkBrowser>;
  /** Returns the token and headers of the widget on the link's page. */
  asPage(browser: LinkBrowser): Promise<{ token: string; headers: { origin: string } }>;
  /** Connects Granola from the link's page. */
  connect(page: RequestOptions, changes?: Readonly<Record<string, unknown>>): Promise<TestResponse>;
  statusOf(link: CreatedLink): Promise<string>;
  /** Counts the customer's connectors. */
  countConnectors(): Promise<number>;
}

export function useLinkHarness(database: () => Database): LinkHarness {
  const consent = useConsentHarness(database);
  let settle: (body: object) => Promise<TestResponse>;
  beforeAll(() => {
    settle = body => consent.service.ask('PATCH', '/api/v1/organization', { token: consent.token, body });
  });
  beforeEach(async () => {
    // Lets the limit of new links refill.
    consent.service.advance(4_000);
    await settle({ connect_helper_url: 'https://app.example/connector-auth', guest_connect_links: true });
  });
  const harness: LinkHarness = {
    consent,
    ask: (method, path = '', body, token = consent.token) =>
      consent.service.ask(method, `${links}${path}`, { token, body }),
    create: async (changes = {}, token = consent.token) => {
      const body = { customer_name: 'acme', connector_type: 'granola', ...changes };
      const response = await harness.ask('POST', '', body, token);
      expect(response.status, response.text).toBe(201);
      return response.body;
    },
    open: async link => {
      const browser = await openLink(database(), consent.service, link.url);
      if (browser === null) throw new Error('The link cannot be opened');
      return browser;
    },
    openConfirmed: async link => {
      const browser = await harness.open(link);
      const body = { code: await browser.code(), customer_name: 'acme' };
      const response = await harness.ask('POST', `/${link.id}/confirm`, body);
      expect(response.status, response.text).toBe(200);
      expect(await browser.goBack(response.body.return_url)).toBe(true);
      return browser;
    },
    asPage: async browser => {
      const { kysely } = database();
      const signer = createTokenSigner(
        consent.service.signingKeys,
        { now: () => Date.now() },
        await readInstallationId(kysely),
      );
      const { token } = await mintLinkToken({ signer, publicUrl }, await browser.visit());
      return { token, headers: { origin: publicUrl } };
    },
    connect: (page, changes = {}) =>
      consent.service.ask('POST', connectors, {
        ...page,
        body: { connector_type: 'granola', name: 'Notes', credentials: { api_key: goodKey }, ...changes },
      }),
    statusOf: async ({ id }) => (await harness.ask('GET', `/${id}`)).body.status,
    countConnectors: async () => {
      const { body } = await consent.service.ask('GET', connectors, { token: consent.token });
      return body.data.length;
    },
  };
  return harness;
}
