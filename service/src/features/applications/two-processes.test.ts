import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDatabase, type TestDatabase } from '../../../test/engines.ts';
import {
  application,
  environmentOf,
  startServiceHere,
  type ServiceHere,
} from '../../../test/service-process.ts';
import { until } from '../../../test/until.ts';

/** Changes applications and organizations in one process, and checks the effect in another one. */

const adminToken = 'admin-token-of-two-processes-0123456789';
let place: TestDatabase;
let here: ServiceHere;
let there: ServiceHere;
const tokenPath = '/api/v1/account/applications/token';
const connectors = '/api/v1/integrations/connectors';

interface Reply {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- each test asserts the shape that it reads
  readonly body: any;
}
interface Client {
  readonly client_id: string;
  readonly client_secret: string;
}

beforeAll(async () => {
  place = await makeDatabase('postgres');
  const environment = { ...environmentOf(place.location), ...application, ADMIN_TOKEN: adminToken };
  // Two services in one process share nothing but the database either.
  here = await startServiceHere(environment);
  there = await startServiceHere(environment);
});
afterAll(async () => {
  await Promise.all([here.close(), there.close()]);
  await place.remove();
});

async function ask(
  at: ServiceHere,
  method: string,
  path: string,
  { token, organizationId, body }: { token?: string; organizationId?: string; body?: unknown } = {},
): Promise<Reply> {
  const response = await fetch(`${at.url}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(organizationId === undefined ? {} : { 'x-organization-id': organizationId }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}
/** Asks as an operator, in the first process. */
const administer = (method: string, path: string, body?: unknown) =>
  ask(here, method, `/api/v1/admin/${path}`, { token: adminToken, body });
/** Requests a token in the second process. */
const requestToken = (client: Client, organizationId?: string) =>
  ask(there, 'POST', tokenPath, { body: client, ...(organizationId ? { organizationId } : {}) });
/** Resolves when the second process rejects a token. */
const untilRejected = (token: string, organizationId: string) =>
  until(async () =>
    expect((await ask(there, 'GET', connectors, { token, organizationId })).status).toBe(401),
  );

async function createApplication(): Promise<{
  id: string;
  secretId: string;
  client: Client;
  organizationIds: string[];
}> {
  const organizationIds: string[] = [];
  for (const part of ['one', 'two']) {
    const { body } = await administer('POST', 'organizations', { name: `${part} ${crypto.randomUUID()}` });
    organizationIds.push(body.id);
  }
  const { body } = await administer('POST', 'applications', {
    name: `Acme ${crypto.randomUUID()}`,
    organization_ids: organizationIds,
  });
  const { id, client_id, client_secret, secrets } = body;
  return { id, secretId: secrets[0].id, client: { client_id, client_secret }, organizationIds };
}

test('disables an application in every process', async () => {
  const { id, client, organizationIds } = await createApplication();
  const [organizationId = ''] = organizationIds;
  const token = (await requestToken(client)).body.access_token;
  const minted = await ask(there, 'POST', '/api/v1/account/applications/scoped-token', {
    token,
    organizationId,
    body: { customer_name: 'acme' },
  });
  expect((await administer('POST', `applications/${id}/disable`)).status).toBe(200);
  // The process reads applications from the database, so token requests fail at once.
  expect((await requestToken(client)).status).toBe(401);
  await untilRejected(token, organizationId);
  await untilRejected(minted.body.token, organizationId);
  await administer('POST', `applications/${id}/enable`);
  const renewed = (await requestToken(client)).body.access_token;
  expect((await ask(there, 'GET', connectors, { token: renewed, organizationId })).status).toBe(200);
});

test('disables an organization in every process, and leaves the others', async () => {
  const { client, organizationIds } = await createApplication();
  const [first = '', second = ''] = organizationIds;
  const token = (await requestToken(client)).body.access_token;
  expect((await administer('POST', `organizations/${first}/disable`)).status).toBe(200);
  expect((await requestToken(client)).body.organization_id).toBe(second);
  expect((await requestToken(client, first)).body.code).toBe('organization_disabled');
  await untilRejected(token, first);
  expect((await ask(there, 'GET', connectors, { token, organizationId: second })).status).toBe(200);
  const listed = await ask(there, 'GET', '/api/v1/organizations', { token });
  expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([second]);
});

test('removes an application from an organization in every process', async () => {
  const { id, client, organizationIds } = await createApplication();
  const [first = '', second = ''] = organizationIds;
  const token = (await requestToken(client)).body.access_token;
  const edit = { version: 1, organization_ids: [second] };
  expect((await administer('PATCH', `applications/${id}`, edit)).status).toBe(200);
  await untilRejected(token, first);
  expect((await ask(there, 'GET', connectors, { token, organizationId: second })).status).toBe(200);
});

test('ends a leaked secret and its tokens in every process', async () => {
  const { id, client, secretId, organizationIds } = await createApplication();
  const [organizationId = ''] = organizationIds;
  const leaked = (await requestToken(client)).body.access_token;
  const { body: added } = await administer('POST', `applications/${id}/secrets`, {});
  const rotated = { client_id: added.client_id, client_secret: added.client_secret };
  expect((await requestToken(rotated)).status).toBe(200);
  const deletion = `applications/${id}/secrets/${secretId}?revoke_tokens=true`;
  expect((await administer('DELETE', deletion)).status).toBe(204);
  expect((await requestToken(client)).status).toBe(401);
  await untilRejected(leaked, organizationId);
  expect((await requestToken(rotated)).status).toBe(200);
});

test('applies the enabled kinds, names and redirect URLs in every process at once', async () => {
  const { id, client, organizationIds } = await createApplication();
  const [organizationId = ''] = organizationIds;
  const token = (await requestToken(client)).body.access_token;
  const edit = { version: 1, name: `Renamed ${crypto.randomUUID()}`, enabled_kinds: ['granola'] };
  expect((await administer('PATCH', `organizations/${organizationId}`, edit)).status).toBe(200);
  const listed = await ask(there, 'GET', '/api/v1/organizations', { token });
  expect(listed.body.data[0].name).toBe(edit.name);
  const catalog = await ask(there, 'GET', '/api/v1/integrations/definitions/sources', {
    token,
    organizationId,
  });
  expect(catalog.body.definitions.map(({ name }: { name: string }) => name)).toEqual(['Granola']);
  const redirect_url = 'https://acme.example/back';
  const start = () =>
    ask(there, 'POST', `${connectors}/oauth/initiate`, {
      token,
      organizationId: organizationIds[1] ?? '',
      body: { customer_name: 'acme', connector_type: 'gong', redirect_url },
    });
  expect((await start()).body.code).toBe('redirect_url_not_allowed');
  await administer('PATCH', `applications/${id}`, { version: 1, redirect_urls: [redirect_url] });
  // The redirect URL is allowed. The service has no OAuth app.
  expect((await start()).body.code).toBe('oauth_not_offered');
});
