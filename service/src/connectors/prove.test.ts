import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDatabase, type DatabasePlace } from '../../test/engines.ts';
import { goodKey } from '../../test/examples.ts';
import { firstKind } from '../../test/second-kind.ts';
import { startService, type StartedService } from '../../test/started-service.ts';
import { silentLog } from '../log.ts';
import { openDatabase, type Database } from '../storage/database.ts';

let place: DatabasePlace;
let database: Database;
let service: StartedService;
let token: string;
let credentials: Readonly<Record<string, string>>;

beforeAll(async () => {
  place = await makeDatabase('postgres');
  database = await openDatabase(place.location, { log: silentLog });
  service = await startService(database);
  token = await service.tokenOf(await service.addApplication('own', ['Own']));
  const vendor = service.sandbox.control.vendors().find(({ key }) => key === 'google-ads');
  credentials = vendor?.credentials.find(({ works }) => works)?.values ?? {};
});
afterAll(async () => {
  await service.close();
  await database.close();
  await place.remove();
});

test.each([
  ['developer_token', 'wrong-developer-token'],
  ['client_secret', 'wrong-secret'],
  ['refresh_token', '1//wrong'],
])('a refusal names the field that the vendor refused: %s', async (field, value) => {
  const told = await service.ask('POST', '/api/v1/integrations/connectors', {
    token,
    body: {
      customer_name: 'acme',
      connector_type: 'google-ads',
      name: 'Ads',
      credentials: { ...credentials, [field]: value },
    },
  });
  expect(told.status).toBe(422);
  expect(told.body.code).toBe('credentials_refused');
  expect(told.body.errors).toEqual([{ path: `credentials.${field}`, message: expect.any(String) }]);
  expect(told.text).not.toContain(value);
});

test('credentials that reach several accounts are asked for the one that the connector stands for', async () => {
  let reached = 0;
  const run = (_vendor: unknown, knownAs: string | null = null) =>
    Promise.resolve({ account: knownAs ?? `account ${++reached}` });
  const kinds = [{ ...firstKind, check: { ...firstKind.check, run } }];
  const path = '/api/v1/integrations/connectors';
  const wide = await startService(database, { kinds, sandbox: service.sandbox });
  const connected = { customer_name: 'acme', connector_type: firstKind.key, name: 'Notes' };
  const body = { ...connected, credentials: { api_key: goodKey } };
  const { body: created } = await wide.ask('POST', path, { token, body });
  const change = { token, body: { credentials: { api_key: goodKey } } };
  expect((await wide.ask('PATCH', `${path}/${created.id}`, change)).status).toBe(200);
  expect(reached).toBe(1);
  await wide.close();
});
