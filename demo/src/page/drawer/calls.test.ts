import { expect, test } from 'vitest';
import { apiCallOf, senderOf, tokenCommands } from './calls.ts';

const context = { serviceUrl: 'http://127.0.0.1:8787', customer: 'juniper-bakery' };
const id = '7d9f3a52-1c6e-4c0b-9a53-0a6f6b1d8d11';
const page = (path: string) => new URL(path, 'http://localhost:5173');

test('writes a request of the page as the call of the service’s API that it stands for', () => {
  const search = {
    entity: 'calls',
    action: 'search',
    params: { query: { filter: { like: { title: "it's" } } } },
  };
  const call = apiCallOf(
    { method: 'POST', url: page(`/connector-auth/connectors/${id}/execute`), body: search },
    context,
  );
  expect(call?.title).toBe('Search calls');
  expect(call?.curl).toContain(
    `curl http://127.0.0.1:8787/api/v1/integrations/connectors/${id}/execute \\\n`,
  );
  expect(call?.curl).toContain('-H "Authorization: Bearer $TOKEN"');
  expect(call?.curl).toContain(String.raw`it'\''s`);
  expect(call?.typescript).toContain(
    `await customer.execute('${id}', {\n  entity: 'calls',\n  action: 'search',`,
  );
  expect(call?.typescript).toContain(`title: "it's"`);
});

test('writes the request of the widget’s token as the server helper sends it', () => {
  const url = page('/connector-auth/widget-token');
  const call = apiCallOf({ method: 'POST', url, body: null }, context);
  expect(call?.curl).toContain('Bearer $APPLICATION_TOKEN');
  expect(call?.curl).toContain('"allowed_origin": "http://localhost:5173"');
  expect(call?.typescript).toContain("customer_name: 'juniper-bakery'");
});

test('writes a request without a body, and one with a query, so that a shell understands it', () => {
  const remove = new URL(`/api/v1/integrations/connectors/${id}`, context.serviceUrl);
  expect(apiCallOf({ method: 'DELETE', url: remove, body: null }, context)?.curl).toMatch(
    /^curl -X DELETE http/,
  );
  const list = page('/connector-auth/connectors?limit=1&cursor=x');
  expect(apiCallOf({ method: 'GET', url: list, body: null }, context)?.curl).toContain(
    "curl 'http://127.0.0.1:8787/api/v1/integrations/connectors?limit=1&cursor=x'",
  );
});

test('writes a call of a tool as a request to the MCP server, and with its client', () => {
  const params = { name: 'search', arguments: { entity: 'calls' } };
  const url = new URL('/mcp', context.serviceUrl);
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const call = apiCallOf({ method: 'POST', url, body }, context);
  expect(call?.title).toBe('Call the tool search');
  expect(call?.curl).toContain('curl http://127.0.0.1:8787/mcp \\\n');
  expect(call?.curl).toContain("-H 'Accept: application/json, text/event-stream'");
  expect(call?.typescript).toContain("new URL('http://127.0.0.1:8787/mcp')");
  expect(call?.typescript).toContain("await mcp.callTool({\n  name: 'search',");
  expect(senderOf({ url }, context.serviceUrl)).toBe('backend');
});

test('says who sent a request', () => {
  const { serviceUrl } = context;
  expect(senderOf({ url: new URL('/api/v1/integrations/connectors', serviceUrl) }, serviceUrl)).toBe(
    'widget',
  );
  expect(senderOf({ url: page('/connector-auth/widget-token') }, serviceUrl)).toBe('widget');
  expect(senderOf({ url: page('/connector-auth/connectors') }, serviceUrl)).toBe('backend');
  expect(senderOf({ url: page('/api/session') }, serviceUrl)).toBe('fieldbook');
  expect(apiCallOf({ method: 'GET', url: page('/api/session'), body: null }, context)).toBeNull();
});

test('takes the application’s secret from the environment', () => {
  expect(tokenCommands(context)).toContain('$CLIENT_SECRET');
});
