import { expect, test } from 'vitest';
import { asCode } from './as-code.ts';

const request = {
  customer: 'juniper-bakery',
  connectorId: '0b1c',
  entity: 'campaigns',
  params: {
    query: { filter: { like: { 'campaign.name': '%O\'Neil "x"%' } }, sort: ['-segments.date'] },
    limit: 50,
  },
};

test('shows the body of the request', () => {
  expect(JSON.parse(asCode('JSON', request))).toEqual({
    entity: 'campaigns',
    action: 'search',
    params: request.params,
  });
});

test('quotes the body for a shell', () => {
  const code = asCode('curl', request);
  expect(code).toContain('/connectors/0b1c/execute');
  const [, quoted = ''] = /-d '([^]*)'$/.exec(code) ?? [];
  expect(JSON.parse(quoted.replaceAll(String.raw`'\''`, "'"))).toMatchObject({ params: request.params });
});

test('writes TypeScript in the usual style', () => {
  expect(asCode('TypeScript', request)).toBe(`import { createClient } from '@connector-auth/api/client';

const client = createClient({ baseUrl, clientId, clientSecret });
const { result } = await client.forCustomer('juniper-bakery').execute('0b1c', {
  entity: 'campaigns',
  action: 'search',
  params: {
    query: {
      filter: {
        like: {
          'campaign.name': '%O\\'Neil "x"%',
        },
      },
      sort: ['-segments.date'],
    },
    limit: 50,
  },
});`);
});
