import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDatabase, type TestDatabase, openTestDatabase } from '../../../test/engines.ts';
import { bothKinds, firstKind, secondKind } from '../../../test/second-kind.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';
import { type Database } from '../../platform/database/database.ts';

const path = '/api/v1/integrations/definitions/sources';

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

const listed = async (query = '', as = token): Promise<string[]> => {
  const response = await service.ask('GET', `${path}${query}`, { token: as });
  return response.body.definitions.map(({ name }: { name: string }) => name);
};

test('lists all source definitions, sorted by name', async () => {
  const response = await service.ask('GET', path, { token });
  expect(response.body.definitions).toEqual([
    {
      sourceDefinitionId: firstKind.definitionId,
      name: 'Granola',
      iconUrl: 'https://service.example/icons/granola.svg',
      supportLevel: 'certified',
      connectorType: 'granola',
      description: firstKind.description,
      category: firstKind.category ?? null,
      accounts_title: null,
      accounts_setting: null,
    },
    expect.objectContaining({ name: 'Meeting Ledger', supportLevel: 'community' }),
  ]);
});

test.each([
  ['gran', ['Granola']],
  ['GRANOLA', ['Granola']],
  ['e', ['Meeting Ledger']],
  ['ing led', ['Meeting Ledger']],
  ['', ['Granola', 'Meeting Ledger']],
  ['a', ['Granola']],
  ['%', []],
  ['.*', []],
])('filters source definitions by part of the name, ignoring case: %j', async (name, expected) => {
  expect(await listed(`?name=${encodeURIComponent(name)}`)).toEqual(expected);
});

test('lists only the sources that a token allows', async () => {
  const scoped = await service.customerToken(token, {
    customer_name: 'acme',
    allowed_sources: [secondKind.key],
  });
  expect(await listed('', scoped)).toEqual(['Meeting Ledger']);
  expect((await service.ask('GET', `${path}/${secondKind.definitionId}`, { token: scoped })).status).toBe(
    200,
  );
  const response = await service.ask('GET', `${path}/${firstKind.definitionId}`, { token: scoped });
  expect(response.body.code).toBe('source_not_allowed');
});

test('returns the auth methods and settings for one source definition', async () => {
  const response = await service.ask('GET', `${path}/${secondKind.definitionId.toUpperCase()}`, { token });
  expect(response.body).toMatchObject({
    name: 'Meeting Ledger',
    auth_methods: [
      {
        id: 'api_key',
        type: 'credentials',
        schema: { type: 'object', required: ['api_key'], properties: { api_key: { writeOnly: true } } },
      },
    ],
    replication_schema: { properties: { folder: { title: 'Folder' } } },
  });
});
