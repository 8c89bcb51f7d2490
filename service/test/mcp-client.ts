import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import type { TestService } from './test-service.ts';

/** The revisions of the protocol that clients negotiate: by the handshake of 2025, or without one. */
export const revisions = ['2025', '2026'] as const;
export type Revision = (typeof revisions)[number];

/** A connected MCP client. */
export interface McpClient {
  readonly client: Client;
  /** Calls a tool and returns its structured content. Throws the problem that it describes otherwise. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each test asserts the shape that it reads
  readonly call: (name: string, args?: Readonly<Record<string, unknown>>) => Promise<any>;
  readonly callRaw: (name: string, args?: Readonly<Record<string, unknown>>) => Promise<CallToolResult>;
  /** Returns the bodies of all responses. */
  readonly received: () => Promise<string>;
}

/** Decides for the user whether to open a URL. */
export type OnUrl = (request: {
  readonly url: string;
  readonly message: string;
}) => Promise<'accept' | 'decline' | 'cancel'>;

/**
 * Connects the client of the SDK to the MCP server of a service.
 * @param onUrl what the client does with URLs; without it, the client does not declare that it opens them.
 */
export async function connectMcp(
  { url }: Pick<TestService, 'url'>,
  token: string,
  revision: Revision = '2026',
  onUrl: OnUrl | null = null,
  path = '/mcp',
): Promise<McpClient> {
  const texts: Promise<string>[] = [];
  const transport = new StreamableHTTPClientTransport(new URL(path, url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const text = response.clone().text();
      texts.push(text.catch(() => ''));
      return response;
    },
  });
  const client = new Client(
    { name: 'test', version: '1' },
    {
      ...(revision === '2025' ? {} : { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
      ...(onUrl === null ? {} : { capabilities: { elicitation: { url: {} } } }),
    },
  );
  if (onUrl !== null) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      if (params.mode !== 'url') throw new Error('Only URLs are expected');
      return { action: await onUrl(params) };
    });
  }
  await client.connect(transport);
  const callRaw: McpClient['callRaw'] = (name, args = {}) =>
    client.callTool({ name, arguments: { ...args } });
  return {
    client,
    callRaw,
    call: async (name, args) => {
      const { isError, content, structuredContent } = await callRaw(name, args);
      const [first] = content;
      const text = first?.type === 'text' ? first.text : '';
      if (isError) throw Object.assign(new Error(text), JSON.parse(text));
      return structuredContent;
    },
    received: async () => (await Promise.all(texts)).join('\n'),
  };
}
