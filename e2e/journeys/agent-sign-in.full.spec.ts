import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { auth as authOfAiSdk, createMCPClient } from '@ai-sdk/mcp';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { UnauthorizedError as UnauthorizedErrorOf1 } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as ClientOf1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportOf1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { freePort } from '../../service/test/postgres.ts';
import { allowOnPage, startClientProvider, type ClientProvider } from '../stack/agents.ts';
import { customer, expect, test } from '../stack/connect-links.ts';
import { runCommand } from '../stack/processes.ts';

/** A client that has signed in. */
interface SignedIn {
  /** Calls `list_sources`, and returns the names of the sources that can be connected. */
  readonly listSources: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

const listSources = { name: 'list_sources', arguments: {} };

function namesOf(result: unknown): readonly string[] {
  const { structuredContent } = result as {
    readonly structuredContent: { readonly sources: readonly { readonly source: string }[] };
  };
  return structuredContent.sources.map(({ source }) => source);
}

/** Signs a client in: it is rejected, knows where the person has to go, and gets what the browser brings back. */
type SignIn = (url: URL, provider: ClientProvider, decide: () => Promise<void>) => Promise<SignedIn>;

const withSdk2: SignIn = async (url, authProvider, decide) => {
  const options = { versionNegotiation: { mode: 'auto' } } as const;
  const first = new StreamableHTTPClientTransport(url, { authProvider });
  const client = new Client({ name: 'sdk-2', version: '1' }, options);
  await expect(client.connect(first)).rejects.toThrow(UnauthorizedError);
  await decide();
  await first.finishAuth(new URLSearchParams(await authProvider.callback()));
  const signedIn = new Client({ name: 'sdk-2', version: '1' }, options);
  await signedIn.connect(new StreamableHTTPClientTransport(url, { authProvider }));
  return {
    listSources: async () => namesOf(await signedIn.callTool(listSources)),
    close: () => signedIn.close(),
  };
};

const withSdk1: SignIn = async (url, authProvider, decide) => {
  const first = new TransportOf1(url, { authProvider });
  await expect(new ClientOf1({ name: 'sdk-1', version: '1' }).connect(first)).rejects.toThrow(
    UnauthorizedErrorOf1,
  );
  await decide();
  const { code = '' } = await authProvider.callback();
  await first.finishAuth(code);
  const signedIn = new ClientOf1({ name: 'sdk-1', version: '1' });
  await signedIn.connect(new TransportOf1(url, { authProvider }));
  return {
    listSources: async () => namesOf(await signedIn.callTool(listSources)),
    close: () => signedIn.close(),
  };
};

const withAiSdk: SignIn = async (url, authProvider, decide) => {
  expect(await authOfAiSdk(authProvider, { serverUrl: url })).toBe('REDIRECT');
  await decide();
  const { code = '', state: callbackState = '', iss: callbackIssuer = '' } = await authProvider.callback();
  const returned = { authorizationCode: code, callbackState, callbackIssuer };
  expect(await authOfAiSdk(authProvider, { serverUrl: url, ...returned })).toBe('AUTHORIZED');
  const signedIn = await createMCPClient({ transport: { type: 'http', url: url.href, authProvider } });
  const tools = await signedIn.tools();
  return {
    listSources: async () =>
      namesOf(await tools['list_sources']?.execute({}, { toolCallId: '1', messages: [], context: {} })),
    close: () => signedIn.close(),
  };
};

for (const [name, signIn] of [
  ['the SDK 2', withSdk2],
  ['the SDK 1', withSdk1],
  ['the AI SDK', withAiSdk],
] as const) {
  test(`${name} signs in, calls a tool, renews its token, and ends when the person is revoked`, async ({
    client,
    demo,
    people,
  }) => {
    const page = await people.signedInAs(customer);
    const provider = await startClientProvider(name);
    const agent = await signIn(new URL('/mcp', demo.serviceUrl), provider, () =>
      allowOnPage(page, provider.authorizationUrl()),
    );
    expect(await agent.listSources()).toContain('granola');
    provider.expireToken();
    expect(await agent.listSources()).toContain('granola');
    await client.customers.revokeUser(customer, 'chidi');
    await expect(agent.listSources()).rejects.toThrow();
    await agent.close();
    provider.close();
  });
}

test('mcp-remote signs in, and brings the tools to a client that only has stdio', async ({
  demo,
  people,
}) => {
  const page = await people.signedInAs(customer);
  const folder = mkdtempSync(join(tmpdir(), 'connector-auth-mcp-remote-'));
  const proxy = join(
    dirname(createRequire(import.meta.url).resolve('mcp-remote/package.json')),
    'dist/proxy.js',
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [proxy, `${demo.serviceUrl}/mcp`, '--auth-timeout', '120'],
    env: { PATH: '', MCP_REMOTE_CONFIG_DIR: folder },
    stderr: 'pipe',
  });
  const agent = new Client({ name: 'desktop', version: '1' });
  try {
    const connected = agent.connect(transport, { timeout: 120_000 });
    let printed = '';
    const url = await new Promise<string>(resolve => {
      transport.stderr?.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        const [, found] = /visiting:\s+(http\S+)\s/.exec(printed) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    await allowOnPage(page, url);
    await connected;
    expect(namesOf(await agent.callTool(listSources))).toContain('granola');
  } finally {
    await agent.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the authorization server passes the authorization scenarios of the conformance suite', async ({
  demo,
  people,
}) => {
  const page = await people.signedInAs(customer);
  const port = await freePort();
  const response = await fetch(`${demo.serviceUrl}/agents/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Conformance',
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
      token_endpoint_auth_method: 'none',
    }),
  });
  const { client_id: id } = (await response.json()) as { readonly client_id: string };
  const suite = createRequire(new URL('../../service/package.json', import.meta.url)).resolve(
    '@modelcontextprotocol/conformance/package.json',
  );
  const run = runCommand(
    process.execPath,
    [
      join(dirname(suite), 'dist/index.js'),
      'authorization',
      ...Object.entries({
        url: demo.serviceUrl,
        resource: `${demo.serviceUrl}/mcp`,
        'client-id': id,
        port: String(port),
        'spec-version': '2026-07-28',
      }).flatMap(([option, value]) => [`--${option}`, value]),
    ],
    {},
  );
  const [url = ''] = await run.waitForOutput(/http\S+\/agents\/authorize\?\S+/);
  await allowOnPage(page, url);
  await run.waitForOutput(/Test Results|Total/i);
  await run.stop();
  expect(run.output()).toContain('authorization-code-grant');
  expect(run.output()).not.toMatch(/FAILURE|SKIPPED|[1-9]\d* failed/);
});
