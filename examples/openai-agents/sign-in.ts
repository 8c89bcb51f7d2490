import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/client';

/** What the program asks for. Without it, clients ask for all that exists, such as `write`. */
const scope = 'read search';

/** Lets a person sign in with a browser, and returns what the MCP client takes its tokens from. It also renews them. */
export async function signIn(serverUrl: string): Promise<OAuthClientProvider> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const provider = createProvider(redirectUrl, randomUUID());
  try {
    if ((await auth(provider, { serverUrl, scope })) === 'REDIRECT') {
      const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
      response.end('You can close this page.');
      const { code = '', ...returned } = Object.fromEntries(
        new URL(request.url ?? '', redirectUrl).searchParams,
      );
      if (returned['state'] !== provider.state?.()) throw new Error('This answer is not for this sign-in');
      if (code === '') throw new Error(`Access was not allowed: ${returned['error']}`);
      await auth(provider, { serverUrl, authorizationCode: code, iss: returned['iss'] });
    }
  } finally {
    server.close();
  }
  return provider;
}

/** Keeps everything in memory. Store the tokens and the client where only this person can read them to sign in once. */
function createProvider(redirectUrl: string, state: string): OAuthClientProvider {
  let client: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
  let tokens: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
  let discovered: Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>;
  let verifier = '';
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'Campaign analyst',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    clientInformation: () => client,
    saveClientInformation: information => void (client = information),
    tokens: () => tokens,
    saveTokens: received => void (tokens = received),
    discoveryState: () => discovered,
    saveDiscoveryState: state => void (discovered = state),
    codeVerifier: () => verifier,
    saveCodeVerifier: created => void (verifier = created),
    redirectToAuthorization: url => console.log(`Open this page to sign in: ${url}`),
  };
}
