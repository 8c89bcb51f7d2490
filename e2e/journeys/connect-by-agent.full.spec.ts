import type { Client } from '@connector-auth/api/client';
import {
  Client as McpClient,
  StreamableHTTPClientTransport,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import {
  connectGranola,
  continueButton,
  customer,
  expect,
  expectHeading,
  test,
} from '../stack/connect-links.ts';
import type { Demo } from '../stack/demo.ts';

/** Starts a chat's MCP client, which opens URLs, with a token for the customer. */
async function startAgent(
  { serviceUrl }: Demo,
  { tokens }: Client,
  { revision, onUrl }: { readonly revision: '2025' | '2026'; readonly onUrl: (url: string) => Promise<void> },
): Promise<McpClient> {
  const { token } = await tokens.mintScoped({ customer_name: customer, allowed_management: ['link'] });
  const agent = new McpClient(
    { name: 'chat', version: '1' },
    {
      capabilities: { elicitation: { url: {} } },
      ...(revision === '2025' ? {} : { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    },
  );
  agent.setRequestHandler('elicitation/create', async ({ params }) => {
    if (params.mode !== 'url') throw new Error('Only URLs are expected');
    await onUrl(params.url);
    return { action: 'accept' };
  });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await agent.connect(new StreamableHTTPClientTransport(new URL('/mcp', serviceUrl), { requestInit }));
  return agent;
}

const connect = { name: 'connect', arguments: { source: 'granola' } };

async function connectionsOf(agent: McpClient): Promise<unknown> {
  const { structuredContent } = await agent.callTool({ name: 'list_sources', arguments: {} });
  return (structuredContent as { readonly connections: unknown }).connections;
}

test('an agent asks for Granola, the user connects it by the link, and the agent continues', async ({
  client,
  people,
  demo,
}) => {
  const page = await people.signedInAs(customer);
  const onUrl = async (url: string) => {
    await page.goto(url);
    await continueButton(page).click();
    await connectGranola(page);
    await expectHeading(page, 'Granola is connected');
  };
  const agent = await startAgent(demo, client, { revision: '2026', onUrl });
  expect(await connectionsOf(agent)).toEqual([]);
  const { structuredContent } = await agent.callTool(connect, { timeout: 150_000 });
  const { connector_id, ...rest } = structuredContent as { readonly connector_id: string };
  expect(rest).toMatchObject({ status: 'connected', url: null });
  expect(await connectionsOf(agent)).toEqual([expect.objectContaining({ connector_id, source: 'granola' })]);
  await agent.close();
});

test('a client of 2025 opens the link of an error, and repeats the call when the user is done', async ({
  client,
  people,
  demo,
}) => {
  const onUrl = () => Promise.reject(new Error('The link is expected in an error'));
  const agent = await startAgent(demo, client, { revision: '2025', onUrl });
  const error: unknown = await agent.callTool(connect).catch((thrown: unknown) => thrown);
  if (!(error instanceof UrlElicitationRequiredError)) throw error;
  const page = await people.signedInAs(customer);
  await page.goto(error.elicitations[0]?.url ?? '');
  await continueButton(page).click();
  await connectGranola(page);
  await expectHeading(page, 'Granola is connected');
  const { structuredContent } = await agent.callTool(connect);
  expect(structuredContent).toMatchObject({ status: 'connected' });
  expect(await connectionsOf(agent)).toHaveLength(1);
  await agent.close();
});
