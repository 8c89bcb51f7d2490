import { createClient } from '@connector-auth/api/client';
import {
  Client,
  StreamableHTTPClientTransport,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import type { Page } from '@playwright/test';
import { expect, test, type Demo } from '../stack/host-page.ts';

/** Connects a chat client that opens URLs, with a token for one customer. */
async function startAgent(
  { serviceUrl, clientId, clientSecret }: Demo,
  customer: string,
  { revision, onUrl }: { readonly revision: '2025' | '2026'; readonly onUrl: (url: string) => Promise<void> },
): Promise<Client> {
  const { tokens } = createClient({ baseUrl: serviceUrl, clientId, clientSecret });
  const { token } = await tokens.mintScoped({ customer_name: customer, allowed_management: ['link'] });
  const agent = new Client(
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

/** Connects Granola on the page of a link, in a browser that is signed in to the demo. */
async function connectGranola(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('API key', { exact: true }).fill('grn_sandbox_demo');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('Granola is connected')).toBeVisible();
}

async function signIn(page: Page, { url }: Demo, company: string): Promise<void> {
  await page.goto(`${url}/#connections`);
  await page.getByRole('combobox', { name: 'Signed in as' }).selectOption({ label: company });
  await expect(page.getByRole('heading', { name: 'Connect a source' })).toBeVisible();
}

async function connectionsOf(agent: Client): Promise<unknown> {
  const { structuredContent } = await agent.callTool({ name: 'list_sources', arguments: {} });
  return (structuredContent as { readonly connections: unknown }).connections;
}

const timeout = 120_000;

test('an agent asks for Granola, the user connects it by the link, and the agent continues', async ({
  page,
  demo,
}) => {
  await signIn(page, demo, 'Juniper Bakery');
  const onUrl = (url: string) => connectGranola(page, url);
  const agent = await startAgent(demo, 'juniper-bakery', { revision: '2026', onUrl });
  const call = { name: 'connect', arguments: { source: 'granola' } };
  const { structuredContent } = await agent.callTool(call, { timeout });
  const { connector_id, ...rest } = structuredContent as { readonly connector_id: string };
  expect(rest).toMatchObject({ status: 'connected', url: null });
  expect(await connectionsOf(agent)).toEqual([
    expect.objectContaining({ connector_id, source: 'granola', status: 'active' }),
  ]);
  await agent.close();
});

test('a client of 2025 opens the link, repeats the call, and learns that Granola is connected', async ({
  page,
  demo,
}) => {
  await signIn(page, demo, 'Northquay Logistics');
  const onUrl = () => Promise.reject(new Error('The link is in an error'));
  const agent = await startAgent(demo, 'northquay-logistics', { revision: '2025', onUrl });
  const call = { name: 'connect', arguments: { source: 'granola' } };
  const error: unknown = await agent.callTool(call).catch((thrown: unknown) => thrown);
  if (!(error instanceof UrlElicitationRequiredError)) throw error;
  await connectGranola(page, error.elicitations[0]?.url ?? '');
  const { structuredContent } = await agent.callTool(call);
  expect(structuredContent).toMatchObject({ status: 'connected' });
  expect(await connectionsOf(agent)).toHaveLength(1);
  await agent.close();
});
