/** Names the requests of the log, and writes them as code: with curl, and with the client for TypeScript. */
import type { LoggedRequest } from '../requests.ts';

export interface CallContext {
  readonly serviceUrl: string;
  readonly customer: string;
}

/** A request to the service's API, which the page's backend may have sent on behalf of the page. */
export interface ApiCall {
  /** What it does, for people. */
  readonly title: string;
  readonly curl: string;
  readonly typescript: string;
}

export type Sender = 'fieldbook' | 'backend' | 'widget';

/** A kind of request. Routes of the page's backend name the path of the service's API that they stand for. */
interface CallKind {
  readonly method: string;
  /** The path with `{id}` for an id. */
  readonly path: string;
  readonly title: (body: Body) => string;
  /** The expression that sends it with the client; `customer` is the customer's client. */
  readonly typescript: (ids: readonly string[], body: Body) => string;
}

type Body = Readonly<Record<string, unknown>>;

const api = '/api/v1';
const connectors = `${api}/integrations/connectors`;
const sources = `${api}/integrations/definitions/sources`;
const sessions = `${connectors}/oauth/sessions`;

const kinds: readonly CallKind[] = [
  {
    method: 'POST',
    path: '/mcp',
    title: body => `Call the tool ${String(toolCallOf(body)['name'])}`,
    typescript: (_ids, body) => `const result = await mcp.callTool(${literal(toolCallOf(body))});`,
  },
  {
    method: 'POST',
    path: `${api}/account/applications/widget-token`,
    title: () => 'Mint a widget token',
    typescript: (_ids, body) => `const { token } = await client.tokens.mintWidget(${literal(body)});`,
  },
  {
    method: 'GET',
    path: sources,
    title: () => 'List the sources',
    typescript: () => 'const { definitions } = await customer.definitions.list();',
  },
  {
    method: 'GET',
    path: `${sources}/{id}`,
    title: () => 'Get a source’s forms',
    typescript: ([id]) => `const source = await customer.definitions.get('${id}');`,
  },
  {
    method: 'GET',
    path: connectors,
    title: () => 'List the connections',
    typescript: () => 'const { data: connectors } = await customer.connectors.list();',
  },
  {
    method: 'POST',
    path: connectors,
    title: ({ name }) => (typeof name === 'string' ? `Connect ${name}` : 'Connect a source'),
    typescript: (_ids, body) => `const connector = await customer.connectors.create(${literal(body)});`,
  },
  {
    method: 'GET',
    path: `${connectors}/{id}`,
    title: () => 'Get a connection',
    typescript: ([id]) => `const connector = await customer.connectors.get('${id}');`,
  },
  {
    method: 'PATCH',
    path: `${connectors}/{id}`,
    title: () => 'Change a connection',
    typescript: ([id], body) => `await customer.connectors.update('${id}', ${literal(body)});`,
  },
  {
    method: 'DELETE',
    path: `${connectors}/{id}`,
    title: () => 'Disconnect',
    typescript: ([id]) => `await customer.connectors.delete('${id}');`,
  },
  {
    method: 'POST',
    path: `${connectors}/{id}/execute`,
    title: ({ action, entity }) => `${capitalized(String(action))} ${String(entity).replaceAll('_', ' ')}`,
    typescript: ([id], body) => `const { result } = await customer.execute('${id}', ${literal(body)});`,
  },
  {
    method: 'POST',
    path: `${connectors}/{id}/sync`,
    title: () => 'Sync now',
    typescript: ([id]) => `await customer.connectors.sync('${id}');`,
  },
  {
    method: 'GET',
    path: `${connectors}/{id}/activity`,
    title: () => 'List who used a connection',
    typescript: ([id]) => `const { data } = await customer.connectors.activity('${id}');`,
  },
  {
    method: 'GET',
    path: `${connectors}/{id}/accounts`,
    title: () => 'List a connection’s accounts',
    typescript: ([id]) => `const { accounts } = await customer.connectors.accounts('${id}');`,
  },
  {
    method: 'POST',
    path: `${connectors}/oauth/initiate`,
    title: () => 'Start a sign-in',
    typescript: (_ids, body) => `const { consent_url } = await customer.oauth.initiate(${literal(body)});`,
  },
  {
    method: 'GET',
    path: `${sessions}/{id}`,
    title: () => 'Wait for the sign-in',
    typescript: ([id]) => `const session = await customer.oauth.session('${id}', { wait: 25, verifier });`,
  },
  {
    method: 'DELETE',
    path: `${sessions}/{id}`,
    title: () => 'Cancel the sign-in',
    typescript: ([id]) => `await customer.oauth.cancel('${id}');`,
  },
  {
    method: 'GET',
    path: `${sessions}/{id}/accounts`,
    title: () => 'List the accounts to choose from',
    typescript: ([id]) => `const { accounts } = await customer.oauth.accounts('${id}', { verifier });`,
  },
];

/** Returns who sent a request: Fieldbook for itself, its backend for the page, or the widget. */
export function senderOf({ url }: Pick<LoggedRequest, 'url'>, serviceUrl: string): Sender {
  if (url.origin === new URL(serviceUrl).origin) return url.pathname === '/mcp' ? 'backend' : 'widget';
  if (url.pathname === '/connector-auth/widget-token') return 'widget';
  return /^\/(?:connector-auth|api)\/connectors/.test(url.pathname) ? 'backend' : 'fieldbook';
}

/** Returns the same call of the service's API; null for a request that only concerns Fieldbook. */
export function apiCallOf(
  { method, url, body }: Pick<LoggedRequest, 'method' | 'url' | 'body'>,
  context: CallContext,
): ApiCall | null {
  const path = apiPathOf(url);
  const sent = path.endsWith('/widget-token') ? mintRequest(context, url) : asBody(body);
  for (const kind of kinds) {
    const ids = kind.method === method ? matchPath(kind.path, path) : null;
    if (ids === null) continue;
    return {
      title: kind.title(sent),
      curl: curlOf({ method, url: `${context.serviceUrl}${path}${url.search}`, body: sent }),
      typescript: `${preamble(context, kind)}\n${kind.typescript(ids, sent)}`,
    };
  }
  return null;
}

/** Returns how to get the tokens that the commands use. */
export function tokenCommands({ serviceUrl, customer }: CallContext): string {
  const account = `${serviceUrl}${api}/account/applications`;
  const json = `-H 'Content-Type: application/json'`;
  return [
    `APPLICATION_TOKEN=$(curl -s ${account}/token \\`,
    `  ${json} \\`,
    `  -d "{\\"client_id\\":\\"$CLIENT_ID\\",\\"client_secret\\":\\"$CLIENT_SECRET\\"}" | jq -r .access_token)`,
    `TOKEN=$(curl -s ${account}/scoped-token \\`,
    `  -H "Authorization: Bearer $APPLICATION_TOKEN" ${json} \\`,
    `  -d '{"customer_name":"${customer}"}' | jq -r .token)`,
  ].join('\n');
}

function apiPathOf({ pathname }: URL): string {
  if (pathname === '/connector-auth/widget-token') return `${api}/account/applications/widget-token`;
  return pathname.replace(/^\/(?:connector-auth|api)\/connectors/, connectors);
}

/** The request that the server helper sends. The page's own request has no body. */
function mintRequest({ customer }: CallContext, { origin }: URL): Body {
  return { customer_name: customer, allowed_origin: origin, access: 'write' };
}

/** Returns the ids in a path, or null if it is another path. */
function matchPath(pattern: string, path: string): readonly string[] | null {
  const match = new RegExp(`^${pattern.replaceAll('{id}', '([^/]+)')}$`).exec(path);
  return match ? match.slice(1) : null;
}

function curlOf({ method, url, body }: { method: string; url: string; body: Body }): string {
  const token = url.endsWith('/widget-token') ? '$APPLICATION_TOKEN' : '$TOKEN';
  const hasBody = Object.keys(body).length > 0;
  return [
    `curl ${method === 'GET' || (method === 'POST' && hasBody) ? '' : `-X ${method} `}${shellWord(url)}`,
    `  -H "Authorization: Bearer ${token}"`,
    ...(hasBody
      ? [
          `  -H 'Content-Type: application/json'`,
          ...(url.endsWith('/mcp') ? [`  -H 'Accept: application/json, text/event-stream'`] : []),
          `  -d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`,
        ]
      : []),
  ].join(' \\\n');
}

function shellWord(url: string): string {
  return /[?&;()]/.test(url) ? `'${url}'` : url;
}

function preamble({ serviceUrl, customer }: CallContext, { path }: CallKind): string {
  if (path === '/mcp') return mcpPreamble(serviceUrl);
  return `import { createClient } from '@connector-auth/api/client';

const client = createClient({
  baseUrl: '${serviceUrl}',
  clientId: process.env.CLIENT_ID,
  clientSecret: process.env.CLIENT_SECRET,
});
${path.endsWith('/widget-token') ? '' : `const customer = client.forCustomer('${customer}');\n`}`;
}

function mcpPreamble(serviceUrl: string): string {
  return `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const mcp = new Client({ name: 'fieldbook', version: '1.0.0' });
await mcp.connect(
  new StreamableHTTPClientTransport(new URL('${serviceUrl}/mcp'), {
    requestInit: { headers: { authorization: \`Bearer \${process.env.TOKEN}\` } },
  }),
);
`;
}

/** Writes a value as TypeScript. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/^(\s*)"([a-z_$][\w$]*)":/gim, '$1$2:')
    .replaceAll(/"((?:[^"\\']|\\[^"])*)"/g, "'$1'");
}

/** The parameters of a request to the MCP server. */
function toolCallOf({ params }: Body): Body {
  return asBody(params);
}

function asBody(body: unknown): Body {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Body) : {};
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
