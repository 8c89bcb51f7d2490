import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { adminOpenApiDocument } from './admin-openapi.ts';
import { adminEndpoints } from './contract/admin/endpoints.ts';
import type { Endpoint } from './contract/endpoint.ts';
import { endpoints } from './contract/endpoints.ts';
import { openApiDocument } from './openapi.ts';
import { problemCodes, problems } from './problem.ts';

const document = openApiDocument('https://connectors.example.com', '1.2.3');
const adminDocument = adminOpenApiDocument('https://connectors.example.com', '1.2.3');
const contracts = [
  { title: 'integrators', endpoints, document, security: [{ bearer: [] }] },
  {
    title: 'operators',
    endpoints: adminEndpoints,
    document: adminDocument,
    security: [{ adminKey: [] }, { session: [] }],
  },
];

/** The parts of an operation that the tests check. */
const operation = z.object({
  operationId: z.string(),
  summary: z.string().min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(
    z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema: z.looseObject({}) }),
  ),
  requestBody: z
    .object({ content: z.object({ 'application/json': z.object({ schema: z.looseObject({}) }) }) })
    .optional(),
  responses: z.record(z.string(), z.looseObject({})),
});

function operationOf({ path, method }: Endpoint, of = document): z.infer<typeof operation> {
  return operation.parse(of.paths[path]?.[method.toLowerCase()]);
}

describe.each(contracts)('the document for $title', ({ endpoints: all, document, security }) => {
  test('generates a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    // The validator accepts any JSON object; the document's type is narrower.
    const result = await validator.validate(JSON.parse(JSON.stringify(document)) as Record<string, unknown>);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  test('resolves every $ref in the document', () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    expect(references.length).toBe(text.split('"$ref"').length - 1);
    for (const [reference, section = '', name = ''] of references) {
      expect(document.components[section]?.[name], reference).toBeDefined();
    }
  });

  test.each(Object.entries<Endpoint>(all))('describes the endpoint %s', (name, endpoint) => {
    const described = operationOf(endpoint, document);
    expect(described.operationId).toBe(name);
    expect(described.security).toEqual(endpoint.callers.length === 0 ? [] : security);
    expect(described.responses).toHaveProperty(String(endpoint.status));
    expect(described.requestBody !== undefined).toBe(endpoint.body !== undefined);
    const inPath = described.parameters.filter(parameter => parameter.in === 'path');
    expect(inPath.map(parameter => `{${parameter.name}}`)).toEqual(endpoint.path.match(/\{\w+\}/g) ?? []);
    expect(inPath.every(parameter => parameter.required)).toBe(true);
  });

  test('documents every error code with its status', () => {
    for (const code of problemCodes) {
      const { status } = problems[code];
      expect(document.info.description).toContain(`| \`${code}\` | ${status} |`);
      const responses = document.components['responses'] ?? {};
      const response = `Problem${status}`;
      if (response in responses) expect(JSON.stringify(responses[response])).toContain(`\`${code}\``);
    }
  });
});

test('lists X-Organization-Id, Idempotency-Key and Accept-Language where they have an effect', () => {
  const headers = (endpoint: Endpoint) =>
    operationOf(endpoint)
      .parameters.filter(parameter => parameter.in === 'header')
      .map(parameter => parameter.name);
  expect(headers(endpoints.createConnector)).toEqual([
    'X-Organization-Id',
    'Idempotency-Key',
    'Accept-Language',
  ]);
  expect(headers(endpoints.execute)).toEqual(['X-Organization-Id', 'Idempotency-Key']);
  expect(headers(endpoints.createApplicationToken)).toEqual(['x-organization-id']);
  expect(headers(endpoints.listOrganizations)).toEqual([]);
});

test('request schemas are strict, response schemas allow new members', () => {
  const request = operationOf(endpoints.createConnector).requestBody?.content['application/json'].schema;
  expect(request).toMatchObject({ additionalProperties: false });
  expect(document.components['schemas']?.['Connector']).not.toHaveProperty('additionalProperties');
});

test('secrets are marked writeOnly', () => {
  const request = operationOf(endpoints.createApplicationToken).requestBody?.content['application/json']
    .schema;
  expect(request).toMatchObject({ properties: { client_secret: { writeOnly: true } } });
});

test('a numeric query parameter has type integer', () => {
  const limit = operationOf(endpoints.listConnectors).parameters.find(({ name }) => name === 'limit');
  expect(limit?.schema).toEqual({ type: 'integer', minimum: 1, maximum: 1000 });
});

test('lists vendor problems only for endpoints that call a vendor', () => {
  const statuses = (endpoint: Endpoint) =>
    Object.keys(operationOf(endpoint).responses).filter(status => Number(status) >= 400);
  expect(statuses(endpoints.deleteConnector)).toEqual([
    '400',
    '401',
    '403',
    '404',
    '409',
    '429',
    '500',
    '503',
  ]);
  expect(statuses(endpoints.listConnectors)).toEqual(['400', '401', '403', '422', '429', '500', '503']);
  expect(statuses(endpoints.execute)).toEqual(expect.arrayContaining(['422', '424', '502', '504']));
});

test('optional query parameters are not required', () => {
  const query = operationOf(endpoints.listConnectors).parameters.filter(
    parameter => parameter.in === 'query',
  );
  expect(query.map(({ name, required }) => [name, required])).toEqual([
    ['customer_name', false],
    ['connector_type', false],
    ['definition_id', false],
    ['status', false],
    ['changed_since', false],
    ['limit', false],
    ['cursor', false],
  ]);
});

test('the document for operators lists Idempotency-Key, the access of each endpoint, and foreign pages', () => {
  const create = operationOf(adminEndpoints.createAdminKey, adminDocument);
  expect(create.parameters.map(({ name }) => name)).toEqual(['Idempotency-Key']);
  expect(adminDocument.paths['/api/v1/admin/keys']).toMatchObject({
    get: { description: 'Callers: any admin key.' },
    post: { description: 'Callers: admin key with write access.' },
  });
  expect(Object.keys(operationOf(adminEndpoints.signIn, adminDocument).responses)).toContain('403');
});

test('the document for operators declares the media type of the export', () => {
  const { responses } = operationOf(adminEndpoints.exportAudit, adminDocument);
  expect(responses['200']).toMatchObject({ content: { 'application/x-ndjson': {} } });
});
