import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runAtOnce } from '../../../test/at-once.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { cookieOf } from '../../../test/operator.ts';
import { startTestService, type TestResponse, type TestService } from '../../../test/test-service.ts';
import { Secret } from '../../platform/crypto/secret.ts';

const path = '/api/v1/admin/setup';

onPostgresOrEachEngineInFull('set-up', database => {
  let service: TestService;
  let other: TestService;
  beforeAll(async () => {
    service = await startTestService(database(), { adminToken: null, sleep: async () => {} });
    other = await startTestService(database(), { adminToken: null, sleep: async () => {} });
    // A process whose clock is an hour off behaves like all others.
    other.advance(3_600_000);
  });
  beforeEach(async () => {
    const { kysely } = database();
    for (const table of ['admin_keys', 'setup_codes', 'applications'] as const) {
      await kysely.deleteFrom(table).execute();
    }
    service.advance(60_000);
    other.advance(60_000);
  });
  afterAll(async () => {
    await service.close();
    await other.close();
  });

  async function newCode(from = service): Promise<string> {
    const code = await from.issueSetUpCode();
    if (code === null) throw new Error('No code was issued');
    return code;
  }
  const setUp = (code: string, at = service, name = 'Ada') =>
    at.ask('POST', path, { body: { code, name }, headers: { origin: 'https://service.example' } });

  test('exchanges the code for the first admin key, and signs in', async () => {
    const code = await newCode();
    expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{2}$/);
    expect((await other.ask('GET', path)).body).toEqual({ is_open: true });

    const response = await setUp(code, other);
    expect(response.status, response.text).toBe(201);
    expect(response.body).toMatchObject({ name: 'Ada', access: 'write', expires_at: null });
    const session = await service.ask('GET', '/api/v1/admin/session', {
      headers: { cookie: cookieOf(response) },
    });
    expect(session.body).toMatchObject({ name: 'Ada', key_id: response.body.id });
    const keys = await service.ask('GET', '/api/v1/admin/keys', { token: response.body.key });
    expect(keys.body.data).toHaveLength(1);
    expect((await service.ask('GET', path)).body).toEqual({ is_open: false });
    expect(await service.issueSetUpCode()).toBeNull();
    expect(service.logged() + other.logged()).not.toContain(code);
    expect(service.logged() + other.logged()).not.toContain(response.body.key);
  });

  test('accepts the code in any case, with other separators, and with letters that look like digits', async () => {
    const code = await newCode();
    const typed = ` ${code.toLowerCase().replaceAll('-', ' – ').replaceAll('0', 'o').replaceAll('1', 'l')}\n`;
    expect((await setUp(typed)).status).toBe(201);
  });

  test('of two people who use one code at once, one gets the key', async () => {
    const code = await newCode();
    const responses = await runAtOnce(database(), 'admin_keys', [
      () => setUp(code, service, 'Ada'),
      () => setUp(code, other, 'Eve'),
    ]);
    expect(statusesOf(responses)).toEqual([201, 409]);
    const rejected = responses.find(({ status }) => status === 409);
    expect(rejected?.body.code).toBe('set_up_complete');
    expect(rejected?.headers).not.toHaveProperty('set-cookie');
    expect(await database().kysely.selectFrom('admin_keys').select('id').execute()).toHaveLength(1);
  });

  test('of two people who use the codes of two processes at once, one gets the key', async () => {
    const codes = [await newCode(service), await newCode(other)];
    const responses = await runAtOnce(
      database(),
      'admin_keys',
      codes.map(code => () => setUp(code)),
    );
    expect(statusesOf(responses)).toEqual([201, 409]);
    expect(await database().kysely.selectFrom('setup_codes').select('hash').execute()).toEqual([]);
  });

  test('rejects wrong and expired codes, and limits them', async () => {
    const code = await newCode();
    await database().kysely.updateTable('setup_codes').set({ expires_at: new Date() }).execute();
    for (const wrong of [code, 'x', '0'.repeat(26)]) {
      const response = await setUp(wrong);
      expect(response.status).toBe(401);
      expect(response.body.code).toBe('setup_code_invalid');
      expect(response.body.detail).toContain('26 letters and digits');
      expect(response.body.detail).toContain('in its terminal');
      expect(response.body.detail).not.toContain(code);
    }
    for (let attempt = 0; attempt < 7; attempt += 1) await setUp('wrong');
    const limited = await setUp(await newCode());
    expect(limited.status).toBe(429);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    service.advance(6_000);
    expect((await setUp(await newCode())).status).toBe(201);
  });

  test('each start issues another code for fifteen minutes, and deletes expired ones', async () => {
    const first = await newCode();
    const { expires_at } = await database()
      .kysely.selectFrom('setup_codes')
      .select('expires_at')
      .executeTakeFirstOrThrow();
    expect(Math.abs(expires_at.getTime() - Date.now() - 15 * 60_000)).toBeLessThan(60_000);
    await database()
      .kysely.updateTable('setup_codes')
      .set({ expires_at: new Date(0) })
      .execute();
    expect(await newCode()).not.toBe(first);
    expect(await database().kysely.selectFrom('setup_codes').select('hash').execute()).toHaveLength(1);
  });

  test('issues and accepts no code once an application exists', async () => {
    const code = await newCode();
    await service.bootstrap({
      organizations: ['Own'],
      clientId: 'own',
      clientSecret: new Secret('secret'),
      redirectUrls: [],
    });
    expect(await service.issueSetUpCode()).toBeNull();
    expect((await service.ask('GET', path)).body).toEqual({ is_open: false });
    const response = await setUp(code);
    expect(response.status).toBe(409);
    expect(response.body.detail).toContain('set ADMIN_TOKEN');
  });

  test('issues and accepts no code if ADMIN_TOKEN is set', async () => {
    const withToken = await startTestService(database());
    expect(await withToken.issueSetUpCode()).toBeNull();
    expect((await withToken.ask('GET', path)).body).toEqual({ is_open: false });
    const response = await setUp(await newCode(), withToken);
    expect(response.body).toMatchObject({
      code: 'set_up_complete',
      detail: 'ADMIN_TOKEN is set: sign in with it',
    });
    await withToken.close();
  });

  test('a page of another origin cannot set up the service', async () => {
    const code = await newCode();
    const response = await service.ask('POST', path, {
      body: { code, name: 'Eve' },
      headers: { origin: 'https://evil.example' },
    });
    expect(response.body.code).toBe('origin_not_allowed');
    expect((await setUp(code)).status).toBe(201);
  });
});

function statusesOf(responses: readonly TestResponse[]): number[] {
  return responses.map(({ status }) => status).toSorted((a, b) => a - b);
}
