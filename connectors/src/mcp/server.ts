import { ConnectorAuthError, readUntrustedJson, validate } from '@connector-auth/api';
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type InputRequiredResult,
  type Tool as ToolDefinition,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { asObject } from '../kind/record.ts';
import { askForUrl, urlSupportOf } from './elicitation.ts';
import { bytesOf, fitRecords, maxOutputBytes, reservedBytes, start } from './fit.ts';
import { toPlainJson } from './plain-json.ts';
import type { OpenSources, ToolRights } from './source-gateway.ts';
import { toToolError } from './tool-error.ts';
import { UrlRequest, type Tool, type ToolCall } from './tool.ts';
import { toolNames, toolsFor } from './tools.ts';

export interface ToolServerOptions {
  readonly version: string;
  readonly rights: ToolRights;
  readonly open: OpenSources;
  /** Whether a client of 2025 declared that it opens URLs, which it does only in its handshake. */
  readonly opensUrls: boolean;
  /** Identifies the request in errors and in the log; null if there is no log. */
  readonly requestId: string | null;
  /** Aborts when the client disconnects. */
  readonly signal?: AbortSignal;
  /** Called with errors of which the agent only gets to know that they happened. */
  readonly onUnexpectedError: (error: unknown) => void;
}

const instructions =
  "Reads and changes a customer's data in connected sources. Start with list_sources, then describe. Ids may be long: keep them as strings.";

/** Creates the MCP server for one request or one client. */
export function createToolServer(options: ToolServerOptions): Server {
  const { version, rights } = options;
  const { tools, definitions } = toolboxFor(rights);
  const server = new Server(
    { name: 'connector-auth', title: 'Connector Auth', version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...definitions] }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { mcpReq } = context;
    const tool = tools.find(({ name }) => name === params.name);
    const signal = options.signal ? AbortSignal.any([options.signal, mcpReq.signal]) : mcpReq.signal;
    try {
      if (tool === undefined) throw unknownTool(params.name, tools);
      const urls = urlSupportOf(context, options.opensUrls);
      return await callTool(tool, params.arguments ?? {}, { ...options, signal, urls });
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      if (error instanceof ConnectorAuthError) return toToolError(error, options.requestId);
      options.onUnexpectedError(error);
      return toToolError(new ConnectorAuthError('internal_error', 'Internal error'), options.requestId);
    }
  });
  return server;
}

async function callTool(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  { rights, open, signal, urls }: ToolServerOptions & Pick<ToolCall, 'signal' | 'urls'>,
): Promise<CallToolResult | InputRequiredResult> {
  const parsed = validate(tool.input, await parseMembers(tool.input, given));
  if (!parsed.ok) {
    throw ConnectorAuthError.invalid(
      'malformed_request',
      parsed.issues,
      `Invalid arguments for ${tool.name}`,
    );
  }
  const { customer_name: customerName = null, ...input } = parsed.value as { customer_name?: string };
  const sources = await open({ customerName });
  // Each tool's `run` takes what its `input` parses.
  const output = await tool.run(input as never, { sources, rights, signal, urls });
  return output instanceof UrlRequest ? askForUrl(output, urls) : toResult(asObject(toPlainJson(output)));
}

/**
 * Parses members that should be objects or arrays, but are such JSON as a string, as some agents send.
 * @throws ConnectorAuthError `malformed_request`.
 */
async function parseMembers(
  { shape }: Tool['input'],
  given: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const members = { ...given };
  for (const [name, schema] of Object.entries(shape)) {
    const value = members[name];
    if (typeof value === 'string' && /^\s*[[{]/.test(value) && !schema.safeParse(value).success)
      members[name] = await readUntrustedJson(value, name);
  }
  return members;
}

/** Pages are short enough. Anything else that is too long is cut. */
function toResult(output: Readonly<Record<string, unknown>>): CallToolResult {
  const structuredContent = bytesOf(output) > maxOutputBytes ? shortened(output) : output;
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

function shortened(output: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { records, cut } = fitRecords([output], start, maxOutputBytes - reservedBytes);
  return { ...asObject(records[0]), cut };
}

function unknownTool(name: string, tools: readonly Tool[]): Error {
  const available = tools.map(tool => tool.name).join(', ');
  if (toolNames.some(known => known === name)) {
    return new ConnectorAuthError(
      'action_not_allowed',
      `The token does not allow the tool ${name}. It allows: ${available}`,
    );
  }
  const message = `Unknown tool “${name.slice(0, 100)}”. Call one of these instead: ${available}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

interface Toolbox {
  readonly tools: readonly Tool[];
  readonly definitions: readonly ToolDefinition[];
}

const toolboxes = new Map<string, Toolbox>();

/** Returns the tools and their definitions, which are made once for each combination of rights. */
function toolboxFor(rights: ToolRights): Toolbox {
  const key = JSON.stringify([rights.namesCustomer, rights.connects, rights.actions.toSorted()]);
  const made = toolboxes.get(key);
  if (made !== undefined) return made;
  const tools = toolsFor(rights);
  const toolbox = { tools, definitions: tools.map(define) };
  toolboxes.set(key, toolbox);
  return toolbox;
}

function define({ name, title, description, input, output, annotations }: Tool): ToolDefinition {
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input, 'input'),
    outputSchema: schemaOf(output, 'output'),
    annotations,
  };
}

function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): ToolDefinition['inputSchema'] {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, override: shorten });
  // The schema of an object has this type.
  return rest as ToolDefinition['inputSchema'];
}

/** Removes what is true of every JSON object, because agents pay for each word. */
function shorten({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.propertyNames;
  if (typeof jsonSchema.additionalProperties === 'object') delete jsonSchema.additionalProperties;
}
