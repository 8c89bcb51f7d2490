import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { connectorsPath, useConnectorHarness } from '../../../test/connector-harness.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { adminToken } from '../../../test/test-service.ts';

const path = '/api/v1/admin/customers';

onPostgresOrEachEngineInFull("the operators' customers", database => {
  const harness = useConnectorHarness(database);
  let other: string;
  beforeAll(async () => {
    other = await harness.service.tokenOf(await harness.service.addApplication('other', ['Other']));
  });

  const ask = (method: string, rest = '') =>
    harness.service.ask(method, `${path}${rest}`, { token: adminToken });
  const list = async (query: Readonly<Record<string, string>> = {}) => {
    const response = await ask('GET', `?${new URLSearchParams(query).toString()}`);
    expect(response.status, response.text).toBe(200);
    return response.body;
  };
  const names = async (query?: Readonly<Record<string, string>>): Promise<string[]> =>
    (await list(query)).data.map(({ name }: { name: string }) => name);
  const add = (customer_name: string, as = harness.token) =>
    harness.service.customerToken(as, { customer_name });

  describe('listing', () => {
    test('shows the customers of all organizations with the number of their connectors', async () => {
      await harness.create({ customer_name: 'beta' });
      await harness.create({ customer_name: 'beta' });
      await add('acme', other);
      const { data, meta } = await list();
      expect(data).toEqual([
        {
          id: expect.any(String),
          name: 'acme',
          organization: { id: expect.any(String), name: 'Other' },
          connectors: 0,
          created_at: expect.any(String),
        },
        expect.objectContaining({ name: 'beta', connectors: 2 }),
      ]);
      expect(meta).toEqual({ cursor: null, has_more: false });
      expect(await names({ organization_id: data[0].organization.id })).toEqual(['acme']);
    });

    test.each(['%', '_', '\\', 'É'])('searches %s literally, in any case and language', async text => {
      await add(`a${text.toLowerCase()}b`);
      await add('axb');
      expect(await names({ search: text })).toEqual([`a${text.toLowerCase()}b`]);
      expect(await names({ search: `A${text}B` })).toEqual([`a${text.toLowerCase()}b`]);
    });

    test('sorts by name without regard to case or by creation, page by page', async () => {
      const created = ['delta', 'Alpha', 'charlie', 'Bravo'];
      for (const name of created) await add(name);
      expect(await names({ sort: 'created_at' })).toEqual(created);
      for (const [sort, expected] of [
        ['name', ['Alpha', 'Bravo', 'charlie', 'delta']],
        ['-name', ['delta', 'charlie', 'Bravo', 'Alpha']],
      ] as const) {
        const first = await list({ sort, limit: '3' });
        const second = await list({ sort, limit: '3', cursor: first.meta.cursor });
        expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(expected);
        expect(second.meta.has_more).toBe(false);
      }
    });

    test('lists each customer once if many organizations have a customer with the same name', async () => {
      await sql`insert into organizations (id, name) select gen_random_uuid(), 'same ' || n from generate_series(1, 5) n
        on conflict do nothing`.execute(database().kysely);
      await sql`insert into customers (organization_id, id, name)
        select id, gen_random_uuid(), 'same' from organizations where name like 'same %'`.execute(
        database().kysely,
      );
      const seen: string[] = [];
      for (let query: Record<string, string> = { limit: '2', search: 'same' }; ;) {
        const { data, meta } = await list(query);
        seen.push(...data.map(({ id }: { id: string }) => id));
        if (!meta.has_more) break;
        query = { ...query, cursor: meta.cursor };
      }
      expect(new Set(seen).size).toBe(5);
      expect(seen).toHaveLength(5);
    });
  });

  const idOf = async (name: string): Promise<string> => (await list({ search: name })).data[0].id;
  const isAccepted = async (token: string): Promise<boolean> =>
    (await harness.service.ask('GET', connectorsPath, { token })).status === 200;

  test("revokes a customer's tokens, and no one else's", async () => {
    const acme = await add('acme');
    const beta = await add('beta');
    const sameName = await add('acme', other);
    const [own] = (await list({ search: 'acme' })).data.filter(
      ({ organization }: { organization: { name: string } }) => organization.name === 'Own',
    );
    expect((await ask('POST', `/${own.id}/revoke-tokens`)).status).toBe(204);
    expect(await Promise.all([acme, beta, sameName, harness.token].map(isAccepted))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(await isAccepted(await add('acme'))).toBe(true);
  });

  test('deletes a customer with its connectors and tokens', async () => {
    const acme = await add('acme');
    const { body: connector } = await harness.create();
    expect((await ask('DELETE', `/${await idOf('acme')}`)).status).toBe(204);
    expect(await names()).toEqual([]);
    expect(await isAccepted(acme)).toBe(false);
    const response = await harness.service.ask('GET', `${connectorsPath}/${connector.id}`, {
      token: harness.token,
    });
    expect(response.body.code).toBe('connector_not_found');
  });

  test.each([
    ['POST', '/revoke-tokens'],
    ['DELETE', ''],
  ])('returns 404 for %s …%s of an unknown customer', async (method, action) => {
    const response = await ask(method, `/${randomUUID()}${action}`);
    expect([response.status, response.body.code]).toEqual([404, 'customer_not_found']);
  });
});
