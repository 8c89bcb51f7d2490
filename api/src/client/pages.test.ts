import { describe, expect, test } from 'vitest';
import { clientOf, id } from '../../test/client-of.ts';
import { type Client } from './client.ts';

describe('paged lists', () => {
  const customer = (name: string) => ({ id, name, created_at: '2026-11-21T10:00:00Z' });
  const page = (names: string[], cursor: string | null) => ({
    json: { data: names.map(customer), meta: { cursor, has_more: cursor !== null } },
  });
  async function names(client: Client): Promise<string[]> {
    const found = [];
    for await (const { name } of client.customers.all({ limit: 2 })) found.push(name);
    return found;
  }

  test('iterates over all pages', async () => {
    const { client, service } = await clientOf([page(['a', 'b'], 'p2'), page([], 'p3'), page(['c'], null)]);
    expect(await names(client)).toEqual(['a', 'b', 'c']);
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/api/v1/customers?limit=2',
      '/api/v1/customers?limit=2&cursor=p2',
      '/api/v1/customers?limit=2&cursor=p3',
    ]);
  });

  test('fetches a page only when its first item is requested', async () => {
    const { client, service } = await clientOf([page(['a', 'b'], 'p2')]);
    for await (const { name } of client.customers.all()) if (name === 'b') break;
    expect(service.requests).toHaveLength(1);
  });

  test('fails if a page returns its own cursor', async () => {
    const { client, service } = await clientOf([page(['a'], 'p2')]);
    await expect(names(client)).rejects.toMatchObject({ code: 'unexpected_answer' });
    expect(service.requests).toHaveLength(2);
  });
});
