import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type OAuthClientProvider,
  type Tool,
} from '@modelcontextprotocol/client';
import type { ChatEvent } from '../page/chat-events.ts';
import { AnswerError, SignInRequiredError } from './answer-error.ts';

/** The tools of the service for one customer, over MCP. */
export interface Toolbox {
  readonly tools: readonly Tool[];
  /**
   * Calls a tool. Errors are results as well, because models correct their calls.
   * @throws SignInRequiredError
   */
  call(name: string, args: Members): Promise<ToolResult>;
}

export interface ToolResult {
  readonly isError: boolean;
  readonly content: Members;
}

export type Members = Readonly<Record<string, unknown>>;

export interface ToolboxOptions {
  /** The URL of the MCP server. */
  readonly url: URL;
  readonly authProvider: OAuthClientProvider;
  readonly emit: (event: ChatEvent) => void;
  readonly signal: AbortSignal;
}

/** Stops a model that repeats itself. */
const maxCalls = 30;

const tooManyCalls: ToolResult = {
  isError: true,
  content: { message: `The limit of ${maxCalls} calls for one question is reached.` },
};

/**
 * Connects to the service's MCP server, and runs a function with its tools that read.
 * @throws SignInRequiredError
 */
export async function withToolbox<Value>(
  options: ToolboxOptions,
  run: (toolbox: Toolbox) => Promise<Value>,
): Promise<Value> {
  const { url, authProvider, signal } = options;
  const mcp = new Client({ name: 'fieldbook', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const transport = new StreamableHTTPClientTransport(url, { authProvider });
  await mcp.connect(transport, { signal }).catch((cause: unknown) => {
    signal.throwIfAborted();
    if (cause instanceof SignInRequiredError) throw cause;
    throw new AnswerError(`Can’t reach the tools at ${url}. Check that the service runs.`, { cause });
  });
  try {
    const { tools } = await mcp.listTools({}, { signal });
    return await run({
      tools: tools.filter(({ annotations }) => annotations?.readOnlyHint),
      call: reportCalls(options, (name, args) =>
        mcp.callTool({ name, arguments: { ...args } }, { signal }).then(toResult),
      ),
    });
  } finally {
    await mcp.close();
  }
}

/** Reports each call before it is sent, and its result. */
function reportCalls({ emit, signal }: ToolboxOptions, send: Toolbox['call']): Toolbox['call'] {
  const sources = new Map<string, string>();
  let calls = 0;
  return async (tool, args) => {
    if (calls === maxCalls) return tooManyCalls;
    const id = ++calls;
    emit({ type: 'call', id, tool, source: sourceOf(args, sources), arguments: args });
    const started = performance.now();
    const result = await send(tool, args).catch((error: unknown): ToolResult => {
      signal.throwIfAborted();
      if (error instanceof SignInRequiredError) throw error;
      return { isError: true, content: { message: error instanceof Error ? error.message : String(error) } };
    });
    rememberSources(result, sources);
    const { isError, content } = result;
    const ms = Math.round(performance.now() - started);
    emit({ type: 'result', id, isError, ms, summary: summaryOf(result), result: content });
    return result;
  };
}

/** Returns a result's object. Errors contain theirs as text. */
function toResult({ isError = false, structuredContent, content: [first] }: CallToolResult): ToolResult {
  const text = first?.type === 'text' ? first.text : '';
  const content = structuredContent ?? parse(text);
  // JSON objects have these members.
  const isObject = typeof content === 'object' && content !== null;
  return { isError, content: isObject ? (content as Members) : { message: text } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function sourceOf(args: Members, sources: ReadonlyMap<string, string>): string | null {
  const key = args['connector_id'] ?? args['source'];
  return typeof key === 'string' ? (sources.get(key) ?? null) : null;
}

/** Later calls name a source by its key, or by the id of a connection. */
function rememberSources({ content }: ToolResult, names: Map<string, string>): void {
  for (const { source, name } of listOf(content, 'sources')) names.set(String(source), String(name));
  for (const { connector_id: id, source } of listOf(content, 'connections')) {
    names.set(String(id), names.get(String(source)) ?? String(source));
  }
}

/** Returns what a failed result says. */
export function messageOf({ message }: Members): string {
  return typeof message === 'string' ? message : 'The call failed';
}

/** Returns a member that is a list of objects. */
export function listOf(content: Members, member: string): readonly Members[] {
  const list = content[member];
  // The tools declare lists of objects.
  return Array.isArray(list) ? (list as Members[]) : [];
}

function summaryOf({ isError, content }: ToolResult): string {
  if (isError) return messageOf(content);
  for (const [member, one, many] of [
    ['records', 'record', 'records'],
    ['connections', 'connection', 'connections'],
    ['entities', 'entity', 'entities'],
  ] as const) {
    if (!Array.isArray(content[member])) continue;
    const { length } = content[member];
    return `${length} ${length === 1 ? one : many}${content['next_cursor'] ? ', more to read' : ''}`;
  }
  return 'Done';
}
