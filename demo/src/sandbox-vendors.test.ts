import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { loadSandboxVendors } from './sandbox-vendors.ts';

test('a customer gets its own credentials first, and none of another customer', async () => {
  const credentials = [
    { title: 'Anyone' },
    { title: 'Bakery', business: 'juniper-bakery' },
    { title: 'Dentist', business: 'okafor-dental' },
  ];
  const server = createServer((_request, response) =>
    response.end(JSON.stringify({ vendors: [{ credentials }] })),
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const titles = async (customerId: string | null) =>
    (await loadSandboxVendors(url, customerId)).map(vendor => vendor.credentials.map(({ title }) => title));
  expect(await titles('juniper-bakery')).toEqual([['Bakery', 'Anyone']]);
  expect(await titles('okafor-dental')).toEqual([['Dentist', 'Anyone']]);
  expect(await titles(null)).toEqual([['Anyone']]);
  server.close();
});
