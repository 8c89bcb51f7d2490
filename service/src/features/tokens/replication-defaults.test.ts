import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDatabaseContents } from '../../../test/database-contents.ts';
import { makeDatabase, type TestDatabase, openTestDatabase } from '../../../test/engines.ts';
import { bothKinds, firstKind, secondKind } from '../../../test/second-kind.ts';
import { startTestService, type TestResponse, type TestService } from '../../../test/test-service.ts';
import { type Database } from '../../platform/database/database.ts';

let place: TestDatabase;
let database: Database;
let service: TestService;
let token: string;

beforeAll(async () => {
  place = await makeDatabase('postgres');
  database = await openTestDatabase(place.location);
  service = await startTestService(database, { kinds: bothKinds });
  token = await service.tokenOf(await service.addApplication('own', ['Own']));
});
afterAll(async () => {
  await service.close();
  await database.close();
  await place.remove();
});

const key = secondKind.key;

describe.each(['scoped', 'widget'])('the default settings of a %s token', kind => {
  const mint = (replication_defaults: unknown, more: object = {}): Promise<TestResponse> =>
    service.ask('POST', `/api/v1/account/applications/${kind}-token`, {
      token,
      body: {
        customer_name: 'acme',
        ...(kind === 'widget' ? { allowed_origin: 'https://app.example' } : {}),
        replication_defaults,
        ...more,
      },
    });

  test('name the kind in any spelling', async () => {
    for (const name of [key, 'meeting ledger', 'MEETING_LEDGER']) {
      expect((await mint({ [name]: { depth: 3 } })).status).toBe(200);
    }
    expect((await mint({})).status).toBe(200);
  });

  test.each([
    ['an unknown kind', { nothing: { depth: 3 } }, 'unknown_connector_type', 'replication_defaults.nothing'],
    [
      'an unknown setting',
      { [key]: { height: 3 } },
      'invalid_credentials',
      `replication_defaults.${key}.height`,
    ],
    [
      'a value out of range',
      { [key]: { depth: 10 } },
      'invalid_credentials',
      `replication_defaults.${key}.depth`,
    ],
    [
      'a value of another type',
      { [key]: { depth: '3' } },
      'invalid_credentials',
      `replication_defaults.${key}.depth`,
    ],
    [
      'a setting of a kind without any',
      { [firstKind.key]: { depth: 3 } },
      'invalid_credentials',
      `replication_defaults.${firstKind.key}.depth`,
    ],
  ])('reject %s and store nothing', async (_title, defaults, code, path) => {
    const before = await readDatabaseContents(database);
    const response = await mint(defaults, { customer_name: 'new' });
    expect([response.status, response.body.code], response.text).toEqual([422, code]);
    expect(response.body.errors).toEqual([{ path, message: expect.any(String) }]);
    expect(await readDatabaseContents(database)).toEqual(before);
  });

  test('list every issue', async () => {
    const { body } = await mint({ nothing: {}, [key]: { depth: 0, height: 3 } });
    expect(body.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      `replication_defaults.${key}.depth`,
      `replication_defaults.${key}.height`,
      'replication_defaults.nothing',
    ]);
  });

  test.each([[null], [[]], ['depth'], [{ [key]: 3 }], [{ [key]: null }]])(
    'must not be %j',
    async defaults => {
      const response = await mint(defaults);
      expect([response.status, response.body.code]).toEqual([400, 'malformed_request']);
    },
  );

  test('cannot be read from the token', async () => {
    const { body } = await mint({ [key]: { folder: 'sales' } });
    const [, claims] = body.token.split('.');
    expect(Buffer.from(claims, 'base64url').toString()).not.toMatch(/sales|folder/);
  });

  test('are limited, so that the token fits into a header', async () => {
    const large = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [key + '-'.repeat(index), { folder: 'x'.repeat(50) }]),
    );
    expect((await mint(large)).status).toBe(200);
    const tooLarge = await mint({ [key]: { folder: '"'.repeat(2_000) } });
    expect(tooLarge.body.errors[0]).toEqual({
      path: 'replication_defaults',
      message: expect.stringMatching(/at most 2250 bytes.* these have \d{4}/),
    });
    const longest = { customer_name: 'ü'.repeat(200), allowed_sources: [key, firstKind.key] };
    const { body } = await mint({ [key]: { folder: 'ü'.repeat(50) } }, longest);
    expect(body.token.length).toBeLessThan(3_000);
  });

  test('can come with an access, which must be known', async () => {
    expect((await mint({}, { access: 'read' })).status).toBe(200);
    const response = await mint({}, { access: 'all' });
    expect(response.body.errors).toEqual([{ path: 'access', message: expect.any(String) }]);
  });
});

test('are not accepted for an application token', async () => {
  const { clientId, clientSecret } = await service.addApplication('second', ['Own']);
  const response = await service.ask('POST', '/api/v1/account/applications/token', {
    body: { client_id: clientId, client_secret: clientSecret, access: 'read' },
  });
  expect([response.status, response.body.code]).toEqual([400, 'malformed_request']);
});
