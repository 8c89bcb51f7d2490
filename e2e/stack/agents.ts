/** What MCP clients need to sign in: a place for what they store, and a page of this device that they are called back at. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect } from './connect-links.ts';

/** The OAuth provider of one client, for the SDKs, whose interfaces have the same members. */
export interface ClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: {
    readonly client_name: string;
    redirect_uris: string[];
    grant_types: string[];
    response_types: string[];
    token_endpoint_auth_method: string;
  };
  /** Where the client wants the person to go. */
  readonly authorizationUrl: () => string;
  /** What the browser brings back. */
  readonly callback: () => Promise<Readonly<Record<string, string>>>;
  /** Makes the access token invalid, as if it had expired. */
  readonly expireToken: () => void;
  readonly state: () => string;
  // The SDKs store what they have validated, and get the same back.
  // oxlint-disable typescript/no-explicit-any
  readonly clientInformation: () => any;
  readonly saveClientInformation: (value: any) => void;
  readonly tokens: () => any;
  readonly saveTokens: (value: any) => void;
  readonly discoveryState: () => any;
  readonly saveDiscoveryState: (value: any) => void;
  // oxlint-enable typescript/no-explicit-any
  readonly codeVerifier: () => string;
  readonly saveCodeVerifier: (value: string) => void;
  readonly redirectToAuthorization: (url: URL) => void;
  readonly close: () => void;
}

export async function startClientProvider(name: string): Promise<ClientProvider> {
  const server = createServer((_request, response) => response.end('You can close this page.'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const called = once(server, 'request') as Promise<[IncomingMessage]>;
  const state = randomUUID();
  const stored: Record<string, unknown> = {};
  const save = (member: string) => (value: unknown) => void (stored[member] = value);
  return {
    redirectUrl,
    clientMetadata: {
      client_name: name,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    authorizationUrl: () => String(stored['url']),
    callback: async () => {
      const [{ url = '' }] = await called;
      const returned = Object.fromEntries(new URL(url, redirectUrl).searchParams);
      expect(returned['state']).toBe(state);
      return returned;
    },
    expireToken: () => {
      stored['tokens'] = { ...(stored['tokens'] as object), access_token: 'expired' };
    },
    state: () => state,
    clientInformation: () => stored['client'],
    saveClientInformation: save('client'),
    tokens: () => stored['tokens'],
    saveTokens: save('tokens'),
    discoveryState: () => stored['discovery'],
    saveDiscoveryState: save('discovery'),
    codeVerifier: () => String(stored['verifier']),
    saveCodeVerifier: save('verifier'),
    redirectToAuthorization: save('url'),
    close: () => server.close(),
  };
}

/** Allows what a client asks for, as a person who is signed in to the product, and waits until the client is called back. */
export async function allowOnPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.waitForURL(/^http:\/\/(localhost|127\.0\.0\.1):\d+\/.*[?&]code=/);
}
