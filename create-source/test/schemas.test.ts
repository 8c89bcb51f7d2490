import { expect, test } from 'vitest';
import { z } from 'zod';
import { integer, search } from '../../connectors/src/rest/index.ts';
import { schemasOf } from '../src/schemas.ts';

const document = {
  openapi: '3.0.3',
  paths: {
    '/contacts/{id}': {
      get: { responses: { '200': { $ref: '#/components/responses/Contact' } } },
      patch: {
        requestBody: {
          content: {
            'application/json': { schema: { type: 'object', properties: { name: { type: 'string' } } } },
          },
        },
        responses: { '204': { description: 'Changed' } },
      },
    },
  },
  components: {
    responses: {
      Contact: {
        content: { 'application/json; charset=utf-8': { schema: { $ref: '#/components/schemas/Contact' } } },
      },
    },
    schemas: {
      Contact: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'string' },
          name: { type: 'string', description: 'The "full" name' },
          number: { type: 'integer', format: 'int64' },
          score: { type: 'integer' },
          stage: { type: 'string', enum: ['open', 'won'] },
          updated_at: { type: 'string', format: 'date-time' },
          manager: { $ref: '#/components/schemas/Contact' },
        },
      },
    },
  },
};

test('the schemas of an OpenAPI document accept its records, with null for every member but the id', () => {
  const [response, request] = schemasOf(document, ['/contacts/{id}']);
  expect([response?.name, request?.name]).toEqual(['getContactsByIdResponse', 'patchContactsByIdRequest']);
  // What the command prints is code.
  const read = (source = ''): z.ZodObject =>
    // oxlint-disable-next-line typescript/no-implied-eval -- of the document above
    new Function('z', 'integer', `return ${source}`)(z, integer) as z.ZodObject;
  const contact = read(response?.source);
  const record = {
    id: 'c1',
    name: null,
    number: 9_223_372_036_854_775_807n,
    score: 3,
    stage: 'won',
    updated_at: '2026-02-03T04:05:06+01:00',
    manager: { id: 'c2', anything: true },
  };
  expect(contact.parse(record)).toEqual(record);
  expect(contact.safeParse({ ...record, id: null }).success).toBe(false);
  expect(contact.safeParse({ ...record, stage: 'lost' }).success).toBe(false);
  expect(read(request?.source).safeParse({ name: null }).success).toBe(false);
  const { fields } = search(
    {
      api: { name: 'Acme', url: 'https://api.example' },
      noun: 'contact',
      path: '/contacts',
      record: contact,
    },
    { text: [], sync: { incremental: false, run: async function* () {} } },
  );
  expect(fields).toMatchObject({ number: 'integer', score: 'integer', updated_at: 'string' });
});

test('a path that the document does not have is reported with those that it has', () => {
  expect(() => schemasOf(document, ['/contact'])).toThrow('no path /contact. It has:\n  /contacts/{id}');
});
