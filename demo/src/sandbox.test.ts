import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { listOwnCredentials } from './sandbox.ts';

test('a customer gets its own working credentials, and none of another company', async () => {
  const credentials = [
    { works: true, values: { api_key: 'anyone' } },
    { works: true, values: { api_key: 'bakery' }, business: 'juniper-bakery' },
    { works: false, values: { api_key: 'revoked' }, business: 'juniper-bakery' },
    { works: true, values: { api_key: 'dentist' }, business: 'okafor-dental' },
  ];
  const server = createServer((_request, response) =>
    response.end(JSON.stringify({ vendors: [{ key: 'granola', name: 'Granola', credentials }] })),
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const [customer, values] of [
    ['juniper-bakery', [{ api_key: 'bakery' }]],
    ['okafor-dental', [{ api_key: 'dentist' }]],
    ['unknown', []],
  ] as const) {
    expect(await listOwnCredentials(url, customer)).toEqual([{ source: 'granola', name: 'Granola', values }]);
  }
  server.close();
});
