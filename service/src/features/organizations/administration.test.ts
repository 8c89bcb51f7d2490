import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { consentKind, platformApps } from '../../../test/consent.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { losslessWebp } from '../../../test/images.ts';
import { addScript, scriptedKind, type Scripts } from '../../../test/scripted-kind.ts';
import { firstKind } from '../../../test/second-kind.ts';
import { storedRecords } from '../../../test/synced-records.ts';
import { TestBrowser } from '../../../test/test-browser.ts';
import { adminToken, startTestService, type TestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { Secret } from '../../platform/crypto/secret.ts';

const path = '/api/v1/admin/organizations';
const connectors = '/api/v1/integrations/connectors';
const publicUrl = 'http://localhost:4321';
const unknownId = crypto.randomUUID();
const scripts: Scripts = new Map();
const syncedKind = { ...scriptedKind(scripts), name: 'Scripted', definitionId: crypto.randomUUID() };

onPostgresOrEachEngineInFull('the administration of organizations', database => {
  let service: TestService;
  /** The organizations of an application: a new one for each test, and another one. */
  let own: { id: string; name: string };
  let other: { id: string; name: string };
  let client: { client_id: string; client_secret: string };
  let token: string;

  const ask = (method: string, rest: string, body?: unknown) =>
    service.ask(method, `${path}${rest}`, { token: adminToken, body });
  const create = async (more: object = {}) => {
    const name = `Organization ${crypto.randomUUID()}`;
    const response = await ask('POST', '', { name, ...more });
    expect(response.status, response.text).toBe(201);
    return response.body;
  };
  /** Asks as the application, for one of its organizations. */
  const askAs = (
    method: string,
    rest: string,
    { of = own, body }: { of?: { id: string }; body?: unknown } = {},
  ) => service.ask(method, rest, { token, body, headers: { 'x-organization-id': of.id } });
  const requestToken = (organizationId?: string) =>
    service.ask('POST', '/api/v1/account/applications/token', {
      body: client,
      headers: organizationId === undefined ? {} : { 'x-organization-id': organizationId },
    });
  const connect = (kind = firstKind.key, more: object = {}) =>
    askAs('POST', connectors, {
      body: {
        customer_name: 'acme',
        connector_type: kind,
        name: 'Notes',
        credentials: { api_key: goodKey },
        ...more,
      },
    });

  beforeAll(async () => {
    service = await startTestService(database(), {
      kinds: [firstKind, syncedKind, consentKind],
      publicUrl,
      oauthApps: platformApps,
    });
    other = await create();
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    own = await create();
    const { body } = await service.ask('POST', '/api/v1/admin/applications', {
      token: adminToken,
      body: { name: `Acme ${crypto.randomUUID()}`, organization_ids: [own.id, other.id] },
    });
    client = { client_id: body.client_id, client_secret: body.client_secret };
    service.advance(60_000);
    token = (await requestToken()).body.access_token;
  });

  test('creates an organization with all its settings', async () => {
    const settings = {
      display_name: 'Acme <Analytics>',
      support_url: 'https://acme.example/help',
      connect_helper_url: 'https://acme.example/connector-auth',
      guest_connect_links: true,
      long_connect_links: true,
      agent_sign_in: true,
      brand_color: '#3150d3',
      sync_interval_minutes: 15,
      enabled_kinds: [firstKind.name.toUpperCase(), consentKind.key],
    };
    const created = await create(settings);
    expect(created).toMatchObject({
      ...settings,
      id: expect.any(String),
      version: 1,
      name: expect.stringMatching(/^Organization /),
      logo_url: null,
      enabled_kinds: [firstKind.key, consentKind.key],
      status: 'active',
      customers: 0,
      connectors: 0,
      created_at: expect.any(String),
    });
    expect((await ask('GET', `/${created.id}`)).body).toEqual(created);
  });

  test('counts customers and connectors', async () => {
    expect((await connect()).status).toBe(201);
    expect((await ask('GET', `/${own.id}`)).body).toMatchObject({ customers: 1, connectors: 1 });
  });

  test('creates an organization once for requests at the same time with the same name', async () => {
    const name = `Same ${crypto.randomUUID()}`;
    const responses = await Promise.all([1, 2, 3].map(() => ask('POST', '', { name })));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    const rejected = responses.find(({ status }) => status === 409);
    expect(rejected?.body).toMatchObject({
      code: 'already_exists',
      errors: [{ path: 'name', message: 'Another organization has this name' }],
    });
  });

  test('stores markup in a name as text, and rejects names of 300 characters and other bad names', async () => {
    const name = `<script>alert(1)</script> & "${crypto.randomUUID()}"`;
    expect((await create({ name })).name).toBe(name);
    for (const bad of ['n'.repeat(300), '', '   ', 'a\u0000b', 'a\u202eb', '\ud800', 7, null]) {
      const response = await ask('POST', '', { name: bad });
      expect(response.status, JSON.stringify(bad)).toBe(400);
      expect(response.body.errors[0].path).toBe('name');
    }
  });

  test('renames an organization, but not to the name of another one', async () => {
    const name = `Renamed ${crypto.randomUUID()}`;
    const renamed = await ask('PATCH', `/${own.id}`, { version: 1, name });
    expect(renamed.body).toMatchObject({ version: 2, name });
    const taken = await ask('PATCH', `/${own.id}`, { version: 2, name: other.name });
    expect(taken.body).toMatchObject({ code: 'already_exists', errors: [{ path: 'name' }] });
    expect((await ask('GET', `/${own.id}`)).body.name).toBe(name);
  });

  test('reports to the second of two operators what the first one changed', async () => {
    const edit = { version: 1, display_name: 'First', sync_interval_minutes: 30 };
    expect((await ask('PATCH', `/${own.id}`, edit)).status).toBe(200);
    const late = await ask('PATCH', `/${own.id}`, {
      version: 1,
      display_name: 'Second',
      support_url: 'https://acme.example/help',
      sync_interval_minutes: 30,
    });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({
      code: 'edit_conflict',
      errors: [
        { path: 'display_name', message: 'Is now “First”' },
        { path: 'support_url', message: 'Is now not set' },
        { path: 'version', message: 'Is now 2' },
      ],
    });
    // A retry of the first edit changes nothing, so it conflicts with nothing.
    expect((await ask('PATCH', `/${own.id}`, edit)).body).toMatchObject({
      version: 2,
      display_name: 'First',
    });
  });

  test('applies one of two edits that two operators make at the same time', async () => {
    const edits = ['One', 'Two'].map(display_name =>
      ask('PATCH', `/${own.id}`, { version: 1, display_name }),
    );
    const responses = await Promise.all(edits);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });

  test('rejects an edit that is based on a version before a change by the integrator', async () => {
    await askAs('PATCH', '/api/v1/organization', { body: { name: 'By the integrator' } });
    const late = await ask('PATCH', `/${own.id}`, { version: 1, display_name: 'By the operator' });
    expect(late.body.errors[0]).toEqual({ path: 'display_name', message: 'Is now “By the integrator”' });
  });

  test.each([
    [{ sync_interval_minutes: 4 }, 422, 'sync_interval_minutes'],
    [{ sync_interval_minutes: 43_201 }, 422, 'sync_interval_minutes'],
    [{ enabled_kinds: [firstKind.key, 'unknown'] }, 422, 'enabled_kinds.1'],
    [{ support_url: 'http://acme.example' }, 400, 'support_url'],
    [{ display_name: 'n'.repeat(300) }, 400, 'display_name'],
    [{}, 400, ''],
    [{ status: 'disabled' }, 400, 'status'],
  ])('rejects the edit %j', async (edit, status, field) => {
    const response = await ask('PATCH', `/${own.id}`, { version: 1, ...edit });
    expect(response.status, response.text).toBe(status);
    expect(response.body.errors[0].path).toBe(field);
    expect((await ask('GET', `/${own.id}`)).body.version).toBe(1);
  });

  test('does not rename an organization that BOOTSTRAP_ORGANIZATION refers to', async () => {
    const clientSecret = new Secret('of the environment');
    await service.bootstrap({ clientId: 'env', clientSecret, organizations: [own.name], redirectUrls: [] });
    const refused = await ask('PATCH', `/${own.id}`, { version: 1, name: 'Something else' });
    expect(refused.body.code).toBe('managed_by_environment');
    const displayed = await ask('PATCH', `/${own.id}`, { version: 1, display_name: 'Something else' });
    expect(displayed.status).toBe(200);
    await service.bootstrap(null);
    const name = `Renamed ${crypto.randomUUID()}`;
    expect((await ask('PATCH', `/${own.id}`, { version: 2, name })).status).toBe(200);
  });

  test('sets and deletes the logo', async () => {
    const set = await ask('PUT', `/${own.id}/logo`, { image: losslessWebp });
    expect(set.status, set.text).toBe(200);
    const logo = await fetch(set.body.logo_url.replace(publicUrl, service.url));
    expect(logo.headers.get('content-type')).toBe('image/webp');
    expect((await ask('PUT', `/${own.id}/logo`, { image: 'bm8gaW1hZ2U=' })).status).toBe(422);
    expect((await ask('DELETE', `/${own.id}/logo`)).status).toBe(204);
    expect((await ask('GET', `/${own.id}`)).body.logo_url).toBeNull();
  });

  test('rejects requests for an organization that does not exist', async () => {
    const responses = await Promise.all([
      ask('GET', `/${unknownId}`),
      ask('PATCH', `/${unknownId}`, { version: 1, name: 'Gone' }),
      ask('PUT', `/${unknownId}/logo`, { image: losslessWebp }),
      ask('DELETE', `/${unknownId}/logo`),
      ask('POST', `/${unknownId}/disable`),
      ask('POST', `/${unknownId}/enable`),
    ]);
    expect(responses.map(({ body }) => body.code)).toEqual(responses.map(() => 'organization_not_found'));
  });

  test('finds organizations by a part of their name, and lists them page by page', async () => {
    const mark = crypto.randomUUID();
    for (const name of ['b', 'C', 'a']) await create({ name: `${name} ${mark}` });
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await ask('GET', `?search=${mark.toUpperCase()}&limit=2&sort=-name${cursor}`);
      seen.push(...body.data.map(({ name }: { name: string }) => name[0]));
      cursor = body.meta.has_more ? `&cursor=${body.meta.cursor}` : '';
    } while (cursor !== '');
    expect(seen).toEqual(['C', 'b', 'a']);
  });

  describe('that enable only some kinds', () => {
    const enable = async (kinds: string[] | null, version = 1) => {
      const response = await ask('PATCH', `/${own.id}`, { version, enabled_kinds: kinds });
      expect(response.status, response.text).toBe(200);
    };
    const listed = async (of = own) => {
      const { body } = await askAs('GET', '/api/v1/integrations/definitions/sources', { of });
      return body.definitions.map(({ connectorType }: { connectorType: string }) => connectorType).toSorted();
    };
    const initiate = (more: object = {}) =>
      askAs('POST', `${connectors}/oauth/initiate`, {
        body: {
          customer_name: 'acme',
          connector_type: consentKind.key,
          redirect_url: 'http://127.0.0.1/connected',
          ...more,
        },
      });

    test('lists only the enabled kinds, in this organization only', async () => {
      const all = [firstKind.key, syncedKind.key, consentKind.key].toSorted();
      expect(await listed()).toEqual(all);
      await enable([consentKind.key]);
      expect(await listed()).toEqual([consentKind.key]);
      expect(await listed(other)).toEqual(all);
      await enable([], 2);
      expect(await listed()).toEqual([]);
      await enable(null, 3);
      expect(await listed()).toEqual(all);
    });

    test('connects only the enabled kinds, and says who can enable others', async () => {
      await enable([consentKind.key]);
      service.sandbox.control.reset();
      const refused = await connect();
      expect(refused.status).toBe(403);
      expect(refused.body).toMatchObject({
        code: 'source_not_allowed',
        detail: 'An operator has not enabled Granola for this organization',
      });
      expect(service.sandbox.control.requests.count({ vendor: 'granola' })).toBe(0);
      expect((await initiate()).status).toBe(200);
      await enable([firstKind.key], 2);
      expect((await initiate()).body.code).toBe('source_not_allowed');
      expect((await connect()).status).toBe(201);
    });

    test('keeps connectors that exist working', async () => {
      const { body: connector } = await connect();
      await enable([]);
      const executed = await askAs('POST', `${connectors}/${connector.id}/execute`, {
        body: { entity: 'notes', action: 'list', params: {} },
      });
      expect(executed.status, executed.text).toBe(200);
      const reconnected = await askAs('PATCH', `${connectors}/${connector.id}`, {
        body: { credentials: { api_key: goodKey } },
      });
      expect(reconnected.status, reconnected.text).toBe(200);
      const definition = `/api/v1/integrations/definitions/sources/${firstKind.definitionId}`;
      expect((await askAs('GET', definition)).status).toBe(200);
    });
  });

  describe('that are disabled', () => {
    const disable = async ({ id } = own) => {
      const response = await ask('POST', `/${id}/disable`);
      expect(response.body).toMatchObject({ id, status: 'disabled' });
    };
    const enable = async ({ id } = own) => {
      expect((await ask('POST', `/${id}/enable`)).body).toMatchObject({ id, status: 'active' });
    };
    afterEach(async () => {
      await enable(other);
    });

    test('rejects their tokens, and issues none until they are enabled', async () => {
      const scoped = await service.customerToken(
        token,
        { customer_name: 'acme' },
        { 'x-organization-id': own.id },
      );
      await disable();
      expect((await askAs('GET', connectors)).body.code).toBe('token_invalid');
      expect((await service.ask('GET', connectors, { token: scoped })).body.code).toBe('token_invalid');
      const minted = await askAs('POST', '/api/v1/account/applications/scoped-token', {
        body: { customer_name: 'acme' },
      });
      expect(minted.status).toBe(401);
      expect((await requestToken(own.id)).body).toMatchObject({ code: 'organization_disabled', status: 403 });

      await enable();
      expect((await askAs('GET', connectors)).status).toBe(401);
      token = (await requestToken(own.id)).body.access_token;
      expect((await askAs('GET', connectors)).status).toBe(200);
    });

    test('lets an application use its other organizations', async () => {
      await disable();
      expect((await askAs('GET', connectors, { of: other })).status).toBe(200);
      const renewed = await requestToken();
      expect(renewed.body.organization_id).toBe(other.id);
      // The new token has one organization, so the header is optional.
      const list = await service.ask('GET', connectors, { token: renewed.body.access_token });
      expect(list.status).toBe(200);
    });

    test('says so if an application has no other organization', async () => {
      await disable();
      await disable(other);
      const response = await requestToken();
      expect(response.body).toMatchObject({
        code: 'organization_disabled',
        detail: 'An operator has disabled all organizations of this application',
      });
      const wrong = { ...client, client_secret: 'wrong' };
      const guessed = await service.ask('POST', '/api/v1/account/applications/token', { body: wrong });
      expect(guessed.body.code).toBe('client_credentials_invalid');
    });

    test('do not start or finish consents', async () => {
      const { body } = await askAs('POST', `${connectors}/oauth/initiate`, {
        body: {
          customer_name: 'acme',
          connector_type: consentKind.key,
          redirect_url: 'http://127.0.0.1/connected',
        },
      });
      const browser = new TestBrowser(service, publicUrl);
      const vendorUrl = await browser.reachVendor(body, 'http://127.0.0.1/settings');
      const callback = await browser.decide(vendorUrl, 'allow');
      await disable();
      expect((await browser.visit(body.consent_url)).status).toBe(404);
      expect((await browser.visit(callback)).status).toBe(400);
      await enable();
      // The code was not used while the organization was disabled.
      expect((await browser.visit(callback)).location).toContain('http://127.0.0.1/connected?secret_id=');
      await browser.leave();
    });

    test('stop syncing before the next page, and resume there', async () => {
      const script = crypto.randomUUID();
      const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const pagesRead: number[] = [];
      addScript(scripts, script, 'things', {
        pages: [[1], [2], [3]],
        before: page => {
          pagesRead.push(page);
          if (page !== 1 || pagesRead.length > 2) return undefined;
          reached.resolve();
          return opened.promise;
        },
      });
      const { body: connector, text } = await connect(syncedKind.key, { replication_config: { script } });
      expect(connector.id, text).toBeDefined();
      const records = async () => {
        const stored = (await storedRecords(database().kysely, syncedKind, 'things', connector.id)) as {
          id: string;
        }[];
        return stored.map(({ id }) => Number(id)).toSorted((one, two) => one - two);
      };
      const ends: string[] = [];
      const worker = await service.startSync({
        onSliceEnd: (lease, end) => {
          if (lease.connectorId === connector.id && lease.entity === 'things') ends.push(end);
        },
      });
      await reached.promise;
      await until(async () => expect(await records()).toEqual([1]));
      await disable();
      opened.resolve();
      await until(() => expect(ends).toEqual(['lost']));
      expect(await records()).toEqual([1]);
      // Another organization's sync shows that the worker has looked for work since.
      const elsewhere = crypto.randomUUID();
      addScript(scripts, elsewhere, 'things', { pages: [[9]] });
      const created = await askAs('POST', connectors, {
        of: other,
        body: {
          customer_name: 'acme',
          connector_type: syncedKind.key,
          name: 'Things',
          credentials: { api_key: goodKey },
          replication_config: { script: elsewhere },
        },
      });
      await until(async () => {
        const stored = await storedRecords(database().kysely, syncedKind, 'things', created.body.id);
        expect(stored).toHaveLength(1);
      });
      expect(await records()).toEqual([1]);

      await enable();
      await until(async () => expect(await records()).toEqual([1, 2, 3]));
      expect(pagesRead.filter(page => page === 0)).toHaveLength(1);
      await worker.close();
    });
  });
});
