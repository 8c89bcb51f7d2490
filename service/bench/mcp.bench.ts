/**
 * Measures what the MCP server costs: tokens of the list of tools, and the time that a tool call takes in addition to
 * the same execute. Both are sent in turn on one connection, so that noise affects both equally.
 *
 * Usage: npx -y pnpm@12 bench mcp, or node_modules/.bin/node --conditions=source service/bench/mcp.bench.ts [pairs]
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { Agent, request } from 'undici';
import { startPostgres } from '../test/postgres.ts';
import { application as credentials, environmentOf, startServiceProcess } from '../test/service-process.ts';
import { startCachedVendor } from './cached-vendor.ts';

const [pairs = 1_000] = process.argv.slice(2).map(Number);
const warmUpPairs = 200;
const maxListTokens = 2_000;
const maxOverheadMs = 3;
const revision = '2026-07-28';

const agent = new Agent({ connections: 1 });
const vendor = await startCachedVendor('granola', {});
const postgres = await startPostgres();
const service = startServiceProcess({
  ...environmentOf({ databaseUrl: `${postgres.url}/postgres` }),
  ...credentials,
  SANDBOX_URL: vendor.url,
  VENDOR_RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
});
try {
  const url = await service.url;
  const tokens = `${url}/api/v1/account/applications`;
  const { access_token: application } = await post(`${tokens}/token`, {
    client_id: credentials.BOOTSTRAP_CLIENT_ID,
    client_secret: credentials.BOOTSTRAP_CLIENT_SECRET,
  });
  const ofApplication = { authorization: `Bearer ${application}` };
  const connectors = `${url}/api/v1/integrations/connectors`;
  const { id } = await post(
    connectors,
    {
      customer_name: 'acme',
      connector_type: 'granola',
      name: 'Notes',
      credentials: vendor.credentials,
    },
    ofApplication,
  );
  // The longest list is that of a token that allows everything and names the customer.
  const list = { method: 'tools/list', params: {} };
  const { result } = JSON.parse(await callMcp(`${url}/mcp`, ofApplication, list, true));
  const listTokens = countTokens(JSON.stringify({ tools: result.tools }));
  const { token } = await post(`${tokens}/scoped-token`, { customer_name: 'acme' }, ofApplication);
  const authorization = { authorization: `Bearer ${token}` };
  const operation = { entity: 'notes', action: 'list', params: { page_size: 10 } };
  const read = {
    method: 'tools/call',
    params: { name: 'read', arguments: { connector_id: id, ...operation } },
  };
  const execute = () => post(`${connectors}/${id}/execute`, operation, authorization);
  const call = (isModern: boolean) => () => callMcp(`${url}/mcp`, authorization, read, isModern);
  const figures = [
    await compare('read, clients of 2026', execute, call(true)),
    await compare('read, clients of 2025', execute, call(false)),
  ];
  console.table({
    'tools/list': {
      tools: result.tools.length,
      tokens: listTokens,
      [`at most ${maxListTokens}`]: listTokens <= maxListTokens,
    },
  });
  console.table(figures);
  const isFast = figures.every(({ overheadMs }) => overheadMs <= maxOverheadMs);
  process.exitCode = isFast && listTokens <= maxListTokens ? 0 : 1;
} finally {
  service.child.kill('SIGTERM');
  await service.ended;
  vendor.child.kill();
  await agent.close();
  await postgres.stop();
}

async function compare(name: string, execute: () => Promise<unknown>, call: () => Promise<unknown>) {
  const times: { execute: number[]; call: number[] } = { execute: [], call: [] };
  for (let pair = -warmUpPairs; pair < pairs; pair++) {
    const executeMs = await timeOf(execute);
    const callMs = await timeOf(call);
    if (pair < 0) continue;
    times.execute.push(executeMs);
    times.call.push(callMs);
  }
  const [executeMs, callMs] = [median(times.execute), median(times.call)];
  const overheadMs = round(callMs - executeMs);
  return {
    name,
    executeMs: round(executeMs),
    callMs: round(callMs),
    overheadMs,
    [`at most ${maxOverheadMs} ms`]: overheadMs <= maxOverheadMs,
  };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

async function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  // The members that are read are strings.
  return JSON.parse(await send(url, body, headers)) as Record<string, string>;
}

async function callMcp(
  url: string,
  headers: Readonly<Record<string, string>>,
  { method, params: given }: { readonly method: string; readonly params: Readonly<Record<string, unknown>> },
  isModern: boolean,
): Promise<string> {
  const accept = { ...headers, accept: 'application/json, text/event-stream' };
  const message = { jsonrpc: '2.0', id: 1, method };
  if (!isModern) return send(url, { ...message, params: given }, accept);
  const _meta = {
    [PROTOCOL_VERSION_META_KEY]: revision,
    [CLIENT_INFO_META_KEY]: { name: 'bench', version: '1' },
    [CLIENT_CAPABILITIES_META_KEY]: {},
  };
  const name = typeof given['name'] === 'string' ? { 'mcp-name': given['name'] } : {};
  const standard = { 'mcp-protocol-version': revision, 'mcp-method': method, ...name };
  return send(url, { ...message, params: { ...given, _meta } }, { ...accept, ...standard });
}

async function send(url: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<string> {
  const response = await request(url, {
    method: 'POST',
    dispatcher: agent,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.body.text();
  if (response.statusCode >= 300 || text.includes('"isError":true')) throw new Error(text);
  return text;
}
