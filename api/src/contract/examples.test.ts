import { expect, test } from 'vitest';
import { adminEndpoints, type AdminEndpointName } from './admin/endpoints.ts';
import { adminExampleRequests } from './admin/examples.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints, type EndpointName } from './endpoints.ts';
import { endpointExamples, type ExampleRequest } from './examples.ts';
import { idempotencyKey } from './names.ts';

interface Parts {
  readonly params?: object;
  readonly query?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
interface Case {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly request: Parts;
  readonly response?: unknown;
}

// The keys of the contracts are their names.
const cases: Case[] = [
  ...Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ({
    name,
    endpoint,
    ...endpointExamples[name as EndpointName],
  })),
  ...Object.entries<Endpoint>(adminEndpoints).map(([name, endpoint]) => ({
    name: `${name} of operators`,
    endpoint,
    request: adminExampleRequests[name as AdminEndpointName],
  })),
];

test.each(cases)(
  'the example of $name matches its schemas and has no other members',
  ({ endpoint, request, response }) => {
    const { params, query, headers = {}, body } = request;
    const texts = Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]);
    const { 'Idempotency-Key': key, ...others } = headers;
    const lowerCase = Object.fromEntries(
      Object.entries(others).map(([name, value]) => [name.toLowerCase(), value]),
    );
    // Schemas that are not strict leave out unknown members.
    expect(endpoint.params?.parse(params)).toEqual(params);
    expect(endpoint.query?.parse(Object.fromEntries(texts)) ?? {}).toEqual(query ?? {});
    expect(endpoint.headers?.parse(lowerCase) ?? {}).toEqual(lowerCase);
    expect(endpoint.body?.parse(body)).toEqual(body);
    if (key !== undefined)
      expect([endpoint.idempotencyKey, idempotencyKey.safeParse(key).success]).toEqual([true, true]);
    if (response !== undefined) expect(endpoint.response?.parse(response) ?? null).toEqual(response);
  },
);

test('the types require each part of a request, and reject parts and members that an endpoint does not have', () => {
  type Rename = ExampleRequest<(typeof endpoints)['updateConnector']>;
  const params = { id: 'x' };
  const valid: Rename = { params, body: { name: 'New' } };
  // @ts-expect-error the params are missing
  const withoutParams: Rename = { body: { name: 'New' } };
  // @ts-expect-error there is no such member
  const withMember: Rename = { params, body: { name: 'New', surprise: 1 } };
  // @ts-expect-error the endpoint has no query
  const withQuery: Rename = { params, body: { name: 'New' }, query: { limit: 1 } };
  expect([valid, withoutParams, withMember, withQuery]).toHaveLength(4);
});
