import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullTest } from '../../../../scripts/full-test.ts';
import { allPlatformApps } from '../../../test/consent.ts';
import { makeDatabase, type TestDatabase, openTestDatabase } from '../../../test/engines.ts';
import { connectorsPath, googleCredentials, incidentsPath, quick } from '../../../test/incident-harness.ts';
import { adminToken, keyRing, startTestService, type TestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { createSealer } from '../../platform/crypto/seal.ts';
import { type Database } from '../../platform/database/database.ts';
import { sealGrant } from '../../shared/credentials/sealed-grant.ts';
import { insertConnector } from '../../shared/repositories/connectors.ts';
import { ensureCustomer } from '../../shared/repositories/customers.ts';

/** Two processes on one PostgreSQL server, each with its own connection pool and revocation worker. */

let place: TestDatabase;
let databases: readonly [Database, Database];
let service: TestService;
let other: TestService;
beforeAll(async () => {
  place = await makeDatabase('postgres');
  databases = [await openTestDatabase(place.location), await openTestDatabase(place.location)];
  service = await startTestService(databases[0], { oauthApps: allPlatformApps });
  other = await startTestService(databases[1], { oauthApps: allPlatformApps, sandbox: service.sandbox });
});
afterAll(async () => {
  await other.close();
  await service.close();
  await Promise.all(databases.map(database => database.close()));
  await place.remove();
});

const declare = async (body: object): Promise<string> => {
  const response = await service.ask('POST', incidentsPath, { token: adminToken, body });
  expect(response.status, response.text).toBe(201);
  return response.body.id;
};
const undo = (at: TestService, id: string) =>
  at.ask('POST', `${incidentsPath}/${id}/undo`, { token: adminToken });

/** Stores connectors to Google Ads, each with a grant of its own, in ten customers of the organization. */
async function storeConnectors(organizationId: string, count: number): Promise<void> {
  const { kysely } = databases[0];
  const sealer = createSealer(keyRing('sealing', 2));
  const customers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => ensureCustomer(kysely, organizationId, `customer ${index}`)),
  );
  const { refresh_token: _replaced, ...credentials } = googleCredentials(service.sandbox);
  const { tokens } = service.sandbox.control.vendor('google-ads');
  await kysely.transaction().execute(async transaction => {
    for (let index = 0; index < count; index += 1) {
      const granted = { account: `user ${index}`, clientId: 'any', scopes: [], resources: [] };
      const refresh_token = tokens.issue('refresh', granted, { prefix: '1//' });
      const customerId = customers[index % customers.length] ?? '';
      const row = { organizationId, id: randomUUID(), customerId, kind: 'google-ads' };
      const grant = { method: 'credentials', credentials: { ...credentials, refresh_token } };
      const sealedGrant = sealGrant(sealer, row, 1, { ...grant, state: {}, settings: {} });
      const stored = { ...row, name: `Ads ${index}`, authMethod: grant.method, sealedGrant, account: null };
      await insertConnector(transaction, stored);
    }
  });
}

test('an incident that one process declares is effective in the other, and so is undoing it', async () => {
  const application = await service.addApplication('shared', ['Shared']);
  const token = await service.tokenOf(application);
  const scoped = await other.customerToken(token, { customer_name: 'acme' });
  const created = await other.ask('POST', connectorsPath, {
    token,
    body: {
      customer_name: 'acme',
      connector_type: 'google-ads',
      name: 'Ads',
      credentials: googleCredentials(service.sandbox),
    },
  });
  const path = `${connectorsPath}/${created.body.id}`;
  const [organization] = application.organizationIds;
  const id = await declare({ customer: { organization, name: 'acme' } });
  // The other process reads the connector with each request.
  expect((await other.ask('POST', `${path}/check`, { token })).body.code).toBe('connector_frozen');
  await until(async () =>
    expect((await other.ask('GET', connectorsPath, { token: scoped })).body.code).toBe('token_invalid'),
  );
  expect((await undo(other, id)).body.status).toBe('undone');
  expect((await service.ask('GET', path, { token })).body.status).toBe('active');
});

fullTest('two processes revoke each of 1,000 grants once, and none of another organization', async () => {
  const leaked = await service.addApplication('large', ['Large']);
  const untouched = await service.addApplication('neighbour', ['Neighbour']);
  await storeConnectors(leaked.organizationIds[0] ?? '', 1_000);
  await storeConnectors(untouched.organizationIds[0] ?? '', 10);
  service.sandbox.control.requests.clear();
  const id = await declare({ organization: leaked.organizationIds[0] });
  const workers = [service.startRevocations(quick), other.startRevocations(quick)];
  await until(async () => {
    const { body } = await other.ask('GET', `${incidentsPath}/${id}`, { token: adminToken });
    expect(body).toMatchObject({
      frozen_connectors: 1_000,
      receipts: { pending: 0, confirmed: 1_000, vendor_cannot: 0 },
    });
  });
  await Promise.all(workers.map(worker => worker.close()));
  const requests = service.sandbox.control.requests.list({ operation: 'revoke token' });
  expect(requests.map(({ status }) => status)).toEqual(Array(1_000).fill(200));
  for (const each of [service, other]) expect(each.logged()).toContain('"event":"grant_revoked"');
  const { body } = await undo(service, id);
  expect(body.status).toBe('undone');
  const statuses = await databases[0].kysely
    .selectFrom('connectors')
    .select(['status', 'incident_id'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('kind', '=', 'google-ads')
    .where('name', '<>', 'Ads')
    .groupBy(['status', 'incident_id'])
    .orderBy('status')
    .execute();
  expect(statuses).toEqual([
    { status: 'active', incident_id: null, count: 10 },
    { status: 'needs_reauth', incident_id: null, count: 1_000 },
  ]);
});
