import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { bothKinds, firstKind, secondKind } from '../../../test/second-kind.ts';
import { startTestService, type RequestOptions, type TestService } from '../../../test/test-service.ts';

const path = '/api/v1/integrations/connectors';

onPostgresOrEachEngineInFull('execute', database => {
  let service: TestService;
  let token: string;
  let id: string;
  let ledgerId: string;
  let application: Awaited<ReturnType<TestService['addApplication']>>;

  const create = async (connector_type: string): Promise<string> => {
    const body = { customer_name: 'acme', connector_type, name: 'Notes', credentials: { api_key: goodKey } };
    return (await service.ask('POST', path, { token, body })).body.id;
  };
  beforeAll(async () => {
    service = await startTestService(database(), { kinds: bothKinds });
    application = await service.addApplication('own', ['Own']);
    token = await service.tokenOf(application);
    id = await create(firstKind.key);
    ledgerId = await create(secondKind.key);
  });
  beforeEach(() => service.sandbox.control.reset());
  afterAll(() => service.close());

  const execute = (body: unknown, asking: RequestOptions = {}, connector = id) =>
    service.ask('POST', `${path}/${connector}/execute`, { token, body, ...asking });
  const status = async (): Promise<string> =>
    (await service.ask('GET', `${path}/${id}`, { token })).body.status;
  const vendorCalls = (): number => service.sandbox.control.requests.count({ vendor: 'granola' });

  describe('actions on notes', () => {
    test('lists notes page by page with all declared fields', async () => {
      const response = await execute({ entity: 'notes', action: 'list', params: { page_size: 3 } });
      expect(response.status).toBe(200);
      expect(response.body.result).toHaveLength(3);
      expect(response.body.connector_metadata).toEqual({ cursor: expect.any(String), has_more: true });
      expect(response.body.result[0]).toMatchObject({
        id: expect.stringMatching(/^not_/),
        transcript: null,
        attendees: null,
      });
      const next = await execute({
        entity: 'notes',
        action: 'list',
        params: { page_size: 3, cursor: response.body.connector_metadata.cursor },
      });
      expect(next.body.result[0].id).not.toBe(response.body.result[0].id);
    });

    test('returns one note, including its transcript on request', async () => {
      const list = await execute({ entity: 'notes', action: 'list' });
      const note_id = list.body.result[0].id;
      const bare = await execute({ entity: 'notes', action: 'get', params: { note_id } });
      expect(bare.body).toMatchObject({
        result: { id: note_id, transcript: null },
        connector_metadata: null,
      });
      const full = await execute({
        entity: 'notes',
        action: 'get',
        params: { note_id, include: 'transcript' },
      });
      expect(full.body.result.transcript.length).toBeGreaterThan(0);
    });

    test.each([undefined, null, {}])('accepts params %j for list', async params => {
      expect((await execute({ entity: 'notes', action: 'list', params })).body.result).toHaveLength(10);
    });

    test('accepts the entity * for check', async () => {
      const response = await execute({ entity: '*', action: 'check' });
      expect(response.body).toEqual({
        result: { status: 'healthy', error: null, checked_entity: 'notes', checked_action: 'list' },
        connector_metadata: null,
      });
    });
  });

  test.each([
    ['an unknown entity', { entity: 'folders', action: 'list' }, 'unknown_entity', ['entity']],
    [
      'an entity named like a property of Object',
      { entity: 'constructor', action: 'list' },
      'unknown_entity',
      ['entity'],
    ],
    ['an unknown action', { entity: 'notes', action: 'delete' }, 'unknown_action', ['action']],
    [
      'several invalid params',
      { entity: 'notes', action: 'list', params: { page_size: 31, created_after: 'x', surprise: 1 } },
      'invalid_params',
      ['params.created_after', 'params.page_size', 'params.surprise'],
    ],
  ])('rejects %s without calling the vendor', async (_title, body, code, paths) => {
    const response = await execute(body);
    expect(response.status).toBe(422);
    expect(response.body.code).toBe(code);
    expect(response.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(paths);
    expect(vendorCalls()).toBe(0);
  });

  test('preserves all digits of long integers in params and results', async () => {
    for (const number of [9223372036854775807n, -9223372036854775808n, 9007199254740993n, 42]) {
      const response = await execute({ entity: 'echoes', action: 'get', params: { number } }, {}, ledgerId);
      expect(response.text).toContain(`{"number":${number}}`);
    }
  });

  describe('a token', () => {
    const list = { entity: 'notes', action: 'list' };
    const mint = (more: object = {}) => service.customerToken(token, { customer_name: 'acme', ...more });

    test('allows only read actions by default for a scoped token', async () => {
      const scoped = await mint();
      expect((await execute(list, { token: scoped })).status).toBe(200);
      const write = { entity: 'echoes', action: 'create' };
      const response = await execute(write, { token: scoped }, ledgerId);
      expect(response.status).toBe(403);
      expect(response.body.code).toBe('action_not_allowed');
      expect((await execute(write, {}, ledgerId)).status).toBe(200);
      const writing = await mint({ allowed_actions: ['create'] });
      expect((await execute(write, { token: writing }, ledgerId)).status).toBe(200);
      expect((await execute(list, { token: writing })).body.code).toBe('action_not_allowed');
      expect((await execute({ entity: '*', action: 'check' }, { token: writing })).body.code).toBe(
        'action_not_allowed',
      );
    });

    test('returns private fields only to tokens with the right to them', async () => {
      const list = await execute({ entity: 'notes', action: 'list', params: { page_size: 1 } });
      const get = { entity: 'notes', action: 'get', params: { note_id: list.body.result[0].id } };
      const { result: specified } = (await execute(get)).body;
      expect(Object.keys(specified)).toHaveLength(12);
      const isPrivate = { private_notes_text: expect.toBeOneOf([null, expect.any(String)]) };
      const whole = {
        ...specified,
        ...isPrivate,
        private_notes_markdown: isPrivate.private_notes_text,
        web_url: expect.stringMatching(/^https:/),
      };
      const right = { allowed_data: ['private_fields'] };
      const client = { client_id: application.clientId, client_secret: application.clientSecret };
      const { access_token } = (
        await service.ask('POST', '/api/v1/account/applications/token', { body: { ...client, ...right } })
      ).body;
      const widget = { allowed_origin: 'https://app.example' };
      const headers = { origin: widget.allowed_origin };
      for (const [asking, expected] of [
        [{ token: await mint() }, specified],
        [{ token: await mint({ allowed_data: [] }) }, specified],
        [{ token: await mint(widget), headers }, specified],
        [{ token: access_token }, whole],
        [{ token: await mint(right) }, whole],
        [{ token: await mint({ ...widget, ...right }), headers }, whole],
      ] as const) {
        expect((await execute(get, asking)).body.result).toEqual(expected);
      }
      const unknown = { customer_name: 'acme', allowed_data: ['everything'] };
      const path = '/api/v1/account/applications/scoped-token';
      expect(await service.ask('POST', path, { token, body: unknown })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'allowed_data.0' }] },
      });
    });

    test('requires the check action to check a connector and the search action to sync it', async () => {
      const listing = await mint({ allowed_actions: ['list'] });
      for (const [name, action] of [
        ['check', 'check'],
        ['sync', 'search'],
      ] as const) {
        expect((await service.ask('POST', `${path}/${id}/${name}`, { token: listing })).body.code).toBe(
          'action_not_allowed',
        );
        const allowed = await mint({ allowed_actions: [action] });
        expect((await service.ask('POST', `${path}/${id}/${name}`, { token: allowed })).status).toBe(200);
      }
    });

    test('allows a token to access only its own sources', async () => {
      const narrow = await mint({ allowed_sources: ['granola'] });
      expect((await execute(list, { token: narrow })).status).toBe(200);
      expect((await execute(list, { token: narrow }, ledgerId)).body.code).toBe('source_not_allowed');
    });
  });

  describe('credentials that the vendor rejects', () => {
    test('requires re-authentication until the vendor accepts the credentials again', async () => {
      const vendor = service.sandbox.control.vendor('granola');
      vendor.act('revoke-key', { key: goodKey });
      const response = await execute({ entity: 'notes', action: 'list' });
      expect(response.status).toBe(424);
      expect(response.body).toMatchObject({
        code: 'reauthentication_required',
        vendor: { name: 'Granola', status: 401, code: 'UNAUTHORIZED' },
      });
      expect(await status()).toBe('needs_reauth');
      expect(service.logged()).toMatch(
        new RegExp(
          `"connector_id":"${id}","kind":"granola","problem":"reauthentication_required".*"connector_broken"`,
        ),
      );
      expect(response.text).not.toContain(goodKey);
      vendor.act('restore-key', { key: goodKey });
      expect((await execute({ entity: 'notes', action: 'list' })).status).toBe(200);
      expect(await status()).toBe('active');
      expect(service.logged()).toMatch(
        new RegExp(`"connector_id":"${id}","kind":"granola","event":"connector_recovered"`),
      );
    });
  });

  describe('vendor errors', () => {
    test('returns record_not_found if the vendor does not find the record', async () => {
      const response = await execute({
        entity: 'notes',
        action: 'get',
        params: { note_id: 'not_aaaaaaaaaaaaaa' },
      });
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ code: 'record_not_found', vendor: { status: 404 } });
    });

    test('forwards the vendor’s Retry-After header', async () => {
      service.sandbox.control.faults.add({ vendor: 'granola', status: 429, retryAfter: 120 });
      const response = await execute({ entity: 'notes', action: 'list' });
      expect(response.status).toBe(429);
      expect(response.body.code).toBe('vendor_rate_limited');
      expect(response.headers['retry-after']).toBe('120');
      expect(await status()).toBe('active');
    });

    test('retries a request after a vendor error', async () => {
      service.sandbox.control.faults.add({ vendor: 'granola', status: 500, count: 1 });
      expect((await execute({ entity: 'notes', action: 'list' })).status).toBe(200);
      expect(vendorCalls()).toBe(2);
    });

    test('cancels the request to the vendor when the caller disconnects', async () => {
      service.sandbox.control.faults.add({ vendor: 'granola', hang: true });
      const leaving = new AbortController();
      const left = execute({ entity: 'notes', action: 'list' }, { signal: leaving.signal }).catch(
        () => 'left',
      );
      await service.untilVendorRequest();
      const cut = service.sandbox.control.requests.next({ vendor: 'granola' });
      leaving.abort();
      expect(await left).toBe('left');
      expect((await cut).status).toBeNull();
      expect(await status()).toBe('active');
    });
  });

  test('logs the connector that a request used, without its credentials', () => {
    expect(service.logged()).not.toContain(goodKey);
    expect(service.logged()).toMatch(
      new RegExp(
        `"route":"/api/v1/integrations/connectors/{id}/execute","status":200.*"connector_id":"${id}","kind":"granola"`,
      ),
    );
  });
});
