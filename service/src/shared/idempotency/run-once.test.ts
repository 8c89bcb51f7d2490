import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { createKey } from '../../../test/operator.ts';
import { adminToken, keyRing, startTestService, type TestService } from '../../../test/test-service.ts';
import { createSealer } from '../../platform/crypto/seal.ts';
import { silentLog } from '../../platform/log/log.ts';
import { checkEncryptionKeys } from '../credentials/check-keys.ts';
import { reencryptOldValues } from '../credentials/reencrypt.ts';

const path = '/api/v1/admin/keys';

onPostgresOrEachEngineInFull("operators' idempotency keys", database => {
  let service: TestService;
  let other: TestService;
  beforeAll(async () => {
    service = await startTestService(database());
    other = await startTestService(database());
  });
  beforeEach(async () => {
    await database().kysely.deleteFrom('admin_keys').execute();
    await database().kysely.deleteFrom('admin_idempotency_keys').execute();
  });
  afterAll(async () => {
    await service.close();
    await other.close();
  });

  const create = (key: string, name = 'Ada', token = adminToken, at = service) =>
    at.ask('POST', path, { token, body: { name, access: 'read' }, headers: { 'idempotency-key': key } });
  const keyCount = async () =>
    (await database().kysely.selectFrom('admin_keys').select('id').execute()).length;

  test('a form that is sent twice makes one thing, and gets the same secret', async () => {
    const first = await create('a');
    const again = await create('a', 'Ada', adminToken, other);
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(await keyCount()).toBe(1);
  });

  test('a form that is sent several times at once, to several processes, makes one thing', async () => {
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        create('at-once', 'Ada', adminToken, index % 2 ? service : other),
      ),
    );
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(await keyCount()).toBe(1);
  });

  test('stores the response encrypted', async () => {
    const { body } = await create('sealed');
    const [row] = await database().kysely.selectFrom('admin_idempotency_keys').selectAll().execute();
    const stored = Buffer.from(row?.sealed_answer ?? []);
    expect(stored.length).toBeGreaterThan(body.key.length);
    expect(stored.includes('ca_admin_')).toBe(false);
    expect(JSON.stringify(row)).not.toContain(body.key);
  });

  test('rejects the same key with another body', async () => {
    await create('b');
    const response = await create('b', 'Eve');
    expect(response.status).toBe(422);
    expect(response.body.code).toBe('idempotency_key_reused');
  });

  test('each admin key has its own idempotency keys', async () => {
    const operator = await createKey(service);
    await create('c');
    expect((await create('c', 'Ada', operator.key)).status).toBe(201);
    expect(await keyCount()).toBe(3);
  });

  test('a failed request releases its key', async () => {
    const body = { name: 'Ada', access: 'read', expires_at: '2020-01-01T00:00:00Z' };
    const headers = { 'idempotency-key': 'd' };
    expect((await service.ask('POST', path, { token: adminToken, body, headers })).status).toBe(400);
    expect((await create('d')).status).toBe(201);
  });

  test('reads stored responses after a rotation of the encryption keys', async () => {
    const first = await create('rotated');
    const [[newKey], [oldKey]] = [keyRing('new', 9), keyRing('sealing', 2)];
    const { kysely } = database();
    const both = createSealer([newKey, oldKey]);
    await reencryptOldValues(kysely, both, silentLog, new AbortController().signal);
    await checkEncryptionKeys(kysely, createSealer([newKey]));
    await expect(checkEncryptionKeys(kysely, createSealer([oldKey]))).rejects.toThrow('not configured: new');
    await reencryptOldValues(kysely, createSealer([oldKey, newKey]), silentLog, new AbortController().signal);
    expect((await create('rotated')).body).toEqual(first.body);
  });
});
