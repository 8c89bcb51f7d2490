/**
 * What MCP clients send to an authorization server. `docs/agents.md` has the sources, and says which clients were also run
 * here.
 */
export interface AgentClient {
  readonly name: string;
  /** Its metadata document, without its URL; or the body of its registration. */
  readonly document?: Readonly<Record<string, unknown>>;
  readonly registration?: Readonly<Record<string, unknown>>;
  /** The parameters of its authorization request, besides those that all clients send. */
  readonly request: {
    readonly redirect_uri: string;
    readonly scope?: string;
    readonly prompt?: string;
  };
}

const codes = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] };
const publicClient = { ...codes, token_endpoint_auth_method: 'none' };

const claude = 'https://claude.ai/api/mcp/auth_callback';
const chatGpt = 'https://chatgpt.com/connector_platform_oauth_redirect';

export const agentClients: readonly AgentClient[] = [
  {
    name: 'Claude with a document',
    document: {
      ...publicClient,
      client_name: 'Claude',
      client_uri: 'https://claude.ai',
      redirect_uris: [claude],
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
    },
    request: { redirect_uri: claude, scope: ' offline_access', prompt: 'consent' },
  },
  {
    name: 'Claude with a registration',
    registration: {
      ...codes,
      client_name: 'Claude',
      redirect_uris: [claude],
      token_endpoint_auth_method: 'client_secret_post',
    },
    request: { redirect_uri: claude, scope: 'read search' },
  },
  {
    name: 'Claude Code with a document',
    document: {
      ...publicClient,
      client_name: 'Claude Code',
      client_uri: 'https://claude.ai',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    },
    request: { redirect_uri: 'http://localhost:55611/callback', scope: 'read search write connect' },
  },
  {
    name: 'Claude Code with a registration',
    registration: {
      ...publicClient,
      client_name: 'Claude Code (data)',
      redirect_uris: ['http://localhost:63475/callback'],
      application_type: 'native',
      scope: 'read search write connect',
    },
    request: { redirect_uri: 'http://localhost:63475/callback', scope: 'read search write connect' },
  },
  {
    name: 'ChatGPT with a document',
    document: {
      ...codes,
      client_name: 'ChatGPT',
      client_uri: 'https://chatgpt.com/',
      logo_uri: 'https://persistent.oaistatic.com/sonic/misc/openai-logo.png',
      redirect_uris: [chatGpt],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      token_endpoint_auth_signing_alg: 'RS256',
    },
    request: { redirect_uri: chatGpt, scope: 'read search write connect offline_access' },
  },
  {
    name: 'ChatGPT with a registration',
    registration: {
      ...publicClient,
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector/oauth/OUbdUMlL15Ct'],
    },
    request: { redirect_uri: 'https://chatgpt.com/connector/oauth/OUbdUMlL15Ct', scope: 'read search' },
  },
  {
    name: 'Codex with a document',
    document: {
      ...publicClient,
      client_name: 'Codex',
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
    },
    request: { redirect_uri: 'http://127.0.0.1:37683/callback', scope: 'read search' },
  },
  {
    name: 'Codex with a registration',
    registration: {
      ...publicClient,
      client_name: 'Codex',
      redirect_uris: ['http://127.0.0.1:39225/callback'],
      application_type: 'native',
      scope: 'read search',
    },
    request: { redirect_uri: 'http://127.0.0.1:39225/callback', scope: 'read search' },
  },
  {
    name: 'Visual Studio Code with a document',
    document: {
      ...publicClient,
      client_name: 'Visual Studio Code',
      client_uri: 'https://vscode.dev/product',
      logo_uri: 'https://code.visualstudio.com/assets/branding/code-stable.png',
      redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      application_type: 'native',
    },
    request: { redirect_uri: 'http://127.0.0.1:33418/', scope: 'read search' },
  },
  {
    name: 'Visual Studio Code with a registration',
    registration: {
      ...publicClient,
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      application_type: 'native',
      scope: 'read search',
    },
    request: { redirect_uri: 'http://127.0.0.1:33418/', scope: 'read search' },
  },
  {
    name: 'Cursor with a registration',
    registration: {
      ...publicClient,
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
    },
    request: { redirect_uri: 'http://localhost:8787/callback' },
  },
  {
    name: 'Cursor with its own scheme',
    registration: {
      ...publicClient,
      client_name: 'Cursor',
      redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'],
    },
    request: { redirect_uri: 'cursor://anysphere.cursor-mcp/oauth/callback' },
  },
  {
    name: 'mcp-remote with a registration',
    registration: {
      ...publicClient,
      client_name: 'MCP CLI Client',
      client_uri: 'https://github.com/modelcontextprotocol/mcp-cli',
      software_id: '2e6dc280-f3c3-4e01-99a7-8181dbd1d23d',
      software_version: '0.15.1',
      redirect_uris: ['http://localhost:41929/oauth/callback'],
      application_type: 'native',
      scope: 'read search',
    },
    request: { redirect_uri: 'http://localhost:41929/oauth/callback', scope: 'read search' },
  },
  {
    name: 'OpenCode with a registration',
    registration: {
      ...publicClient,
      client_name: 'OpenCode',
      client_uri: 'https://opencode.ai',
      redirect_uris: ['http://127.0.0.1:19876/mcp/oauth/callback'],
      scope: 'read search',
    },
    request: { redirect_uri: 'http://127.0.0.1:19876/mcp/oauth/callback', scope: 'read search' },
  },
];
