import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { endpoints, parseJson, stringifyJson } from '@connector-auth/api';
import { kinds } from '@connector-auth/connectors';
import { readExamples } from '@connector-auth/connectors/kind';
import express from 'express';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { reserveAddress } from '../../shared/http/listen.ts';
import { describeService } from './document.ts';
import { mountOpenApi } from './routes.ts';

const document = describeService('https://connectors.acme.test', '1.2.3', kinds);
const schemas = document.components['schemas'] ?? {};
const operationOf = (name: string) => document.paths[`${endpoints.execute.path}#${name}`]?.['post'];

test('describes each action and each search of each kind, with a recorded call as the example', () => {
  const ids = new Set<unknown>();
  for (const kind of kinds) {
    const examples = readExamples(kind);
    for (const [entity, { actions, search }] of Object.entries(kind.entities)) {
      for (const action of [...Object.keys(actions), ...(search ? ['search'] : [])]) {
        const name = `${kind.key}.${entity}.${action}`;
        const { params, response } = examples[entity]?.[action] ?? {};
        expect(operationOf(name), name).toMatchObject({
          requestBody: { content: { 'application/json': { example: { entity, action, params } } } },
          responses: { 200: { content: { 'application/json': { example: response } } } },
        });
        ids.add(operationOf(name)?.['operationId']);
      }
    }
  }
  expect(ids.size).toBe(Object.keys(document.paths).filter(path => path.includes('#')).length);
});

test('describes the MCP server, and how to get the first token', () => {
  expect(document.paths['/mcp']?.['post']).toMatchObject({
    security: [{ bearer: [] }],
    requestBody: { content: { 'application/json': { schema: { required: ['jsonrpc', 'method'] } } } },
    responses: { 200: { content: { 'application/json': {}, 'text/event-stream': {} } }, 401: {} },
  });
  const description = String(document.paths['/mcp']?.['post']?.['description']);
  for (const { path } of [endpoints.createApplicationToken, endpoints.createScopedToken])
    expect(description).toContain(`POST ${path}`);
  expect(description).toContain('https://connectors.acme.test/docs/agents');
});

test('resolves every $ref', () => {
  const references = stringifyJson(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g);
  for (const [reference, section = '', name = ''] of references) {
    expect(document.components[section], reference).toHaveProperty(name);
  }
});

test('types ids of 64 bits as int64, and lets filters write them as digits', () => {
  expect(schemas['TikTokMarketingCampaignsSearchRecord']).toMatchObject({
    properties: { campaign_id: { type: ['integer', 'null'], format: 'int64' } },
  });
  expect(schemas['TikTokMarketingCampaignsSearchEquals']).toMatchObject({
    properties: {
      campaign_id: {
        anyOf: [
          { type: 'integer', format: 'int64' },
          { type: 'string', pattern: '^-?\\d+$' },
          { type: 'null' },
        ],
      },
    },
    additionalProperties: false,
  });
});

test('keeps all digits of ids in examples', () => {
  expect(stringifyJson(operationOf('tiktok-marketing.advertisers.search'))).toContain(
    '"advertiser_id":7210046633581101057',
  );
});

test('actions that return the same record share its schema', () => {
  expect(schemas['GranolaNotesListResponse']).toMatchObject({
    properties: {
      result: { type: 'array', items: { $ref: expect.stringContaining('GranolaNotes') } },
      connector_metadata: { properties: { cursor: {}, has_more: {} } },
    },
  });
  expect(schemas).not.toHaveProperty('GongUsersGetResult');
  expect(schemas).toHaveProperty('GoogleAdsCampaignsUpdateResult');
});

test('is sent compressed, and not again if the client has it', async () => {
  const server = await reserveAddress({ host: '127.0.0.1', port: 0 });
  await server.serve(express().use(mountOpenApi(server.url, kinds)));
  const ask = async (headers: Record<string, string>) => {
    const response = await request(`${server.url}/openapi.json`, { headers });
    const body = Buffer.from(await response.body.arrayBuffer());
    return { status: response.statusCode, headers: response.headers, body };
  };
  const plain = await ask({});
  expect(parseJson(plain.body.toString())).toMatchObject({ servers: [{ url: server.url }] });
  expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding', 'access-control-allow-origin': '*' });
  const gzip = await ask({ 'accept-encoding': 'gzip' });
  expect(gzip.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(gzip.body)).toEqual(plain.body);
  const brotli = await ask({ 'accept-encoding': 'gzip, br' });
  expect(brotli.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(brotli.body)).toEqual(plain.body);
  expect(brotli.body.length).toBeLessThan(plain.body.length / 8);
  const etag = String(plain.headers['etag']);
  expect(await ask({ 'if-none-match': etag })).toMatchObject({ status: 304, body: Buffer.alloc(0) });
  await server.close(1000);
});
