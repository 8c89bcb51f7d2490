import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDatabase, type DatabasePlace } from '../../test/engines.ts';
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
