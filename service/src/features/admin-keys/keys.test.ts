import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runAtOnce } from '../../../test/at-once.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { createKey } from '../../../test/operator.ts';
import {
  adminToken,
  startTestService,
  type TestResponse,
  type TestService,
} from '../../../test/test-service.ts';

const path = '/api/v1/admin/keys';

onPostgresOrEachEngineInFull('admin keys', database => {
  let service: TestService;
  let other: TestService;
  beforeAll(async () => {
    service = await startTestService(database(), { sleep: async () => {} });
    other = await startTestService(database(), { adminToken: null, sleep: async () => {} });
  });
  beforeEach(async () => {
    await database().kysely.deleteFrom('admin_keys').execute();
    service.advance(60_000);
    other.advance(60_000);
  });
  afterAll(async () => {
    await service.close();
    await other.close();
  });

  test('a new key works in every process, and is stored as a hash only', async () => {
    const { id, key } = await createKey(service, { name: 'Ada' });
    expect(key).toMatch(/^ca_admin_[\w-]{43}$/);
    for (const process of [service, other]) {
      const { body } = await process.ask('GET', '/api/v1/admin/session', { token: key });
      expect(body).toEqual({ name: 'Ada', key_id: id, access: 'write', expires_at: null });
    }
    const rows = await database().kysely.selectFrom('admin_keys').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(key.slice('ca_admin_'.length));
    expect(service.logged()).not.toContain(key);
  });

  test('a deleted key stops working in every process at once', async () => {
    const { id, key } = await createKey(service);
    expect((await other.ask('GET', path, { token: key })).status).toBe(200);
    expect((await service.ask('DELETE', `${path}/${id}`, { token: adminToken })).status).toBe(204);
    for (const process of [service, other]) {
      const response = await process.ask('GET', path, { token: key });
      expect(response.status).toBe(401);
      expect(response.body.detail).toBe('The admin key is unknown, expired or deleted');
    }
  });

  test('an expired key is rejected by the clock of the database', async () => {
    const { key } = await createKey(service, { expires_at: new Date(Date.now() + 3_600_000).toISOString() });
    // The process whose clock is an hour ahead accepts it, too.
    other.advance(3_700_000);
    expect((await other.ask('GET', path, { token: key })).status).toBe(200);
    await database()
      .kysely.updateTable('admin_keys')
      .set({ expires_at: new Date(0) })
      .execute();
    expect((await other.ask('GET', path, { token: key })).body.code).toBe('admin_key_invalid');
  });

  test.each(['2020-01-01T00:00:00Z', '0000-01-01T00:00:00Z'])('rejects the expiry %s', async expires_at => {
    const body = { name: 'Late', access: 'read', expires_at };
    const response = await service.ask('POST', path, { token: adminToken, body });
    expect(response.status).toBe(400);
    expect(response.body.errors).toEqual([{ path: 'expires_at', message: 'Must be in the future' }]);
  });

  test('a read key cannot change anything', async () => {
    const { key } = await createKey(service, { name: 'Viewer', access: 'read' });
    expect((await service.ask('GET', path, { token: key })).status).toBe(200);
    const response = await service.ask('POST', path, { token: key, body: { name: 'x', access: 'write' } });
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({
      code: 'admin_access_insufficient',
      detail: 'The admin key "Viewer" allows reading only: use a key with write access',
    });
  });

  test('lists keys newest first, page by page, with the time of the last use', async () => {
    for (const name of ['a', 'b', 'c']) await createKey(service, { name });
    const used = await createKey(service, { name: 'd' });
    // Several can be created within a millisecond.
    await sql`update admin_keys set created_at = now() + make_interval(secs => ascii(name))`.execute(
      database().kysely,
    );
    await service.ask('GET', '/api/v1/admin/session', { token: used.key });
    const first = await service.ask('GET', `${path}?limit=3`, { token: adminToken });
    expect(first.body.data.map(({ name }: { name: string }) => name)).toEqual(['d', 'c', 'b']);
    expect(first.body.data.map((key: { last_used_at: unknown }) => typeof key.last_used_at)).toEqual([
      'string',
      'object',
      'object',
    ]);
    const { cursor } = first.body.meta;
    const second = await service.ask('GET', `${path}?limit=3&cursor=${cursor}`, { token: adminToken });
    expect(second.body.data.map(({ name }: { name: string }) => name)).toEqual(['a']);
    expect(second.body.meta).toEqual({ cursor: null, has_more: false });
    expect(first.text + second.text).not.toContain(used.key);
  });

  test('stores the last use at most once a minute', async () => {
    const { id, key } = await createKey(service);
    const setLastUse = (lastUse: Date) =>
      database()
        .kysely.updateTable('admin_keys')
        .set({ last_used_at: lastUse })
        .where('id', '=', id)
        .execute();
    const readLastUse = async () =>
      (await database().kysely.selectFrom('admin_keys').select('last_used_at').executeTakeFirstOrThrow())
        .last_used_at;
    const recent = new Date(Date.now() - 20_000);
    await setLastUse(recent);
    await service.ask('GET', path, { token: key });
    expect(await readLastUse()).toEqual(recent);
    const old = new Date(Date.now() - 90_000);
    await setLastUse(old);
    await service.ask('GET', path, { token: key });
    expect((await readLastUse())?.getTime()).toBeGreaterThan(old.getTime());
  });

  test('keeps the last key that can change something, unless forced or ADMIN_TOKEN is set', async () => {
    const last = await createKey(service);
    const expired = await createKey(service);
    await database()
      .kysely.updateTable('admin_keys')
      .set({ expires_at: new Date(0) })
      .where('id', '=', expired.id)
      .execute();
    const reader = await createKey(service, { access: 'read' });
    const remove = (id: string, query = '') =>
      other.ask('DELETE', `${path}/${id}${query}`, { token: last.key });
    expect((await remove(reader.id)).status).toBe(204);
    const rejected = await remove(last.id);
    expect(rejected.status).toBe(409);
    expect(rejected.body.code).toBe('last_admin_key');
    expect((await remove(last.id, '?force=false')).status).toBe(409);
    expect((await remove(expired.id)).status).toBe(204);
    expect((await remove(last.id, '?force=true')).status).toBe(204);
    const another = await createKey(service);
    expect((await service.ask('DELETE', `${path}/${another.id}`, { token: adminToken })).status).toBe(204);
  });

  test('two operators who delete the last two keys at once leave one', async () => {
    const keys = [await createKey(service), await createKey(service)] as const;
    const [first, second] = keys;
    // The time of the last use is stored now, so that only the deletions change the table.
    for (const { key } of keys) await other.ask('GET', path, { token: key });
    const responses = await runAtOnce(database(), 'admin_keys', [
      () => other.ask('DELETE', `${path}/${first.id}`, { token: second.key }),
      () => other.ask('DELETE', `${path}/${second.id}`, { token: first.key }),
    ]);
    const left = await database().kysely.selectFrom('admin_keys').select('id').execute();
    expect(left).toHaveLength(1);
    // The slower operator may find that the own key is gone already.
    expect(statusesOf(responses)).toEqual([204, expect.toBeOneOf([401, 409])]);
  });

  test('reports an unknown key', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const response = await service.ask('DELETE', `${path}/${id}`, { token: adminToken });
    expect(response.status).toBe(404);
    expect(response.body.code).toBe('admin_key_not_found');
  });

  test('limits wrong keys per address, but not generated keys that are right', async () => {
    const { key } = await createKey(service);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      statuses.push((await service.ask('GET', path, { token: `wrong-${attempt}` })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    const limited = await service.ask('GET', path, { token: adminToken });
    expect(limited.status).toBe(429);
    expect(limited.headers['retry-after']).toBe('6');
    expect((await service.ask('GET', path, { token: key })).status).toBe(200);
    service.advance(6_000);
    expect((await service.ask('GET', path, { token: adminToken })).status).toBe(200);
  });

  test('responds to a wrong key only after a second', async () => {
    const delays: number[] = [];
    const slow = await startTestService(database(), { sleep: async ms => void delays.push(ms) });
    await slow.ask('GET', path, { token: 'ca_admin_wrong' });
    await slow.ask('POST', '/api/v1/admin/session', { body: { key: 'wrong' } });
    await slow.ask('GET', path);
    await slow.close();
    expect(delays).toEqual([1000, 1000]);
  });
});

function statusesOf(responses: readonly TestResponse[]): number[] {
  return responses.map(({ status }) => status).toSorted((a, b) => a - b);
}
