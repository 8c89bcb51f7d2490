import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useConnectorHarness } from '../../../test/connector-harness.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { adminToken } from '../../../test/test-service.ts';

const path = '/api/v1/admin/customers';

onPostgresOrEachEngineInFull("an operator's view of one customer", database => {
  const harness = useConnectorHarness(database);
  const ask = (rest: string) => harness.service.ask('GET', `${path}${rest}`, { token: adminToken });

  test('returns a customer as in the list, with the number of their connectors', async () => {
    expect((await harness.create()).status).toBe(201);
    expect((await harness.create({ name: 'More notes' })).status).toBe(201);
    const { body: list } = await ask('');
    expect(list.data).toHaveLength(1);
    const [customer] = list.data;
    expect(customer).toMatchObject({ name: 'acme', organization: { name: 'Own' }, connectors: 2 });
    const { status, body } = await ask(`/${customer.id}`);
    expect(status).toBe(200);
    expect(body).toEqual(customer);
  });

  test('reports a customer that does not exist', async () => {
    const { status, body } = await ask(`/${randomUUID()}`);
    expect(status).toBe(404);
    expect(body.code).toBe('customer_not_found');
  });
});
