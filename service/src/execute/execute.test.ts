import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { onEachEngine } from '../../test/engines.ts';
import { goodKey } from '../../test/example-requests.ts';
import { bothKinds, firstKind, secondKind } from '../../test/second-kind.ts';
import { startTestService, type RequestOptions, type TestService } from '../../test/test-service.ts';

const path = '/api/v1/integrations/connectors';

onEachEngine('execute', database => {
  let service: TestService;
  let token: string;
  let id: string;
  let ledgerId: string;

  const create = async (connector_type: string): Promise<string> => {
    const body = { customer_name: 'acme', connector_type, name: 'Notes', credentials: { api_key: goodKey } };
    return (await service.ask('POST', path, { token, body })).body.id;
  };
  beforeAll(async () => {
    service = await startTestService(database(), { kinds: bothKinds });
    token = await service.tokenOf(await service.addApplication('own', ['Own']));
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

  describe('notes', () => {
    test('are listed with their paging, every stated field present', async () => {
      const told = await execute({ entity: 'notes', action: 'list', params: { page_size: 3 } });
      expect(told.status).toBe(200);
      expect(told.body.result).toHaveLength(3);
      expect(told.body.connector_metadata).toEqual({ cursor: expect.any(String), has_more: true });
      expect(told.body.result[0]).toMatchObject({
        id: expect.stringMatching(/^not_/),
        transcript: null,
        attendees: null,
      });
      const next = await execute({
        entity: 'notes',
        action: 'list',
        params: { page_size: 3, cursor: told.body.connector_metadata.cursor },
      });
      expect(next.body.result[0].id).not.toBe(told.body.result[0].id);
    });

    test('are got one by one, with their transcript when asked for', async () => {
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

    test.each([undefined, null, {}])('are listed with params %j', async params => {
      expect((await execute({ entity: 'notes', action: 'list', params })).body.result).toHaveLength(10);
    });

    test('are checked by the entity that stands for all', async () => {
      const told = await execute({ entity: '*', action: 'check' });
      expect(told.body).toEqual({
        result: { status: 'healthy', error: null, checked_entity: 'notes', checked_action: 'list' },
        connector_metadata: null,
      });
    });
  });

  test.each([
    ['an unknown entity', { entity: 'folders', action: 'list' }, 'unknown_entity', ['entity']],
    [
      'an entity out of the prototype',
      { entity: 'constructor', action: 'list' },
      'unknown_entity',
      ['entity'],
    ],
    ['an unknown action', { entity: 'notes', action: 'delete' }, 'unknown_action', ['action']],
    [
      'wrong params, each of them',
      { entity: 'notes', action: 'list', params: { page_size: 31, created_after: 'x', surprise: 1 } },
      'invalid_params',
      ['params.created_after', 'params.page_size', 'params.surprise'],
    ],
  ])('refuses %s without asking the vendor', async (_title, body, code, paths) => {
    const told = await execute(body);
    expect(told.status).toBe(422);
    expect(told.body.code).toBe(code);
    expect(told.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(paths);
    expect(vendorCalls()).toBe(0);
  });

  test('keeps every digit of a long integer, there and back', async () => {
    for (const number of [9223372036854775807n, -9223372036854775808n, 9007199254740993n, 42]) {
      const told = await execute({ entity: 'echoes', action: 'get', params: { number } }, {}, ledgerId);
      expect(told.text).toContain(`{"number":${number}}`);
    }
  });

  describe('a token', () => {
    const list = { entity: 'notes', action: 'list' };
    const mint = (more: object = {}) => service.customerToken(token, { customer_name: 'acme', ...more });

    test('allows the reading actions unless told otherwise', async () => {
      const scoped = await mint();
      expect((await execute(list, { token: scoped })).status).toBe(200);
      const write = { entity: 'echoes', action: 'create' };
      const told = await execute(write, { token: scoped }, ledgerId);
      expect(told.status).toBe(403);
      expect(told.body.code).toBe('action_not_allowed');
      expect((await execute(write, {}, ledgerId)).status).toBe(200);
      const writing = await mint({ allowed_actions: ['create'] });
      expect((await execute(write, { token: writing }, ledgerId)).status).toBe(200);
      expect((await execute(list, { token: writing })).body.code).toBe('action_not_allowed');
      expect((await execute({ entity: '*', action: 'check' }, { token: writing })).body.code).toBe(
        'action_not_allowed',
      );
    });

    test('allows to check, and to sync what it may search, in the same measure', async () => {
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

    test('allows its own sources', async () => {
      const narrow = await mint({ allowed_sources: ['granola'] });
      expect((await execute(list, { token: narrow })).status).toBe(200);
      expect((await execute(list, { token: narrow }, ledgerId)).body.code).toBe('source_not_allowed');
    });
  });

  describe('credentials that the vendor no longer accepts', () => {
    test('are told as such and noted, and forgiven when the vendor accepts them again', async () => {
      const vendor = service.sandbox.control.vendor('granola');
      vendor.act('revoke-key', { key: goodKey });
      const told = await execute({ entity: 'notes', action: 'list' });
      expect(told.status).toBe(424);
      expect(told.body).toMatchObject({
        code: 'reauthentication_required',
        vendor: { name: 'Granola', status: 401, code: 'UNAUTHORIZED' },
      });
      expect(await status()).toBe('needs_reauth');
      expect(told.text).not.toContain(goodKey);
      vendor.act('restore-key', { key: goodKey });
      expect((await execute({ entity: 'notes', action: 'list' })).status).toBe(200);
      expect(await status()).toBe('active');
    });
  });

  describe('a vendor', () => {
    test('that has no such record says so', async () => {
      const told = await execute({
        entity: 'notes',
        action: 'get',
        params: { note_id: 'not_aaaaaaaaaaaaaa' },
      });
      expect(told.status).toBe(404);
      expect(told.body).toMatchObject({ code: 'record_not_found', vendor: { status: 404 } });
    });

    test('that asks to wait longer than the caller will, is quoted', async () => {
      service.sandbox.control.faults.add({ vendor: 'granola', status: 429, retryAfter: 120 });
      const told = await execute({ entity: 'notes', action: 'list' });
      expect(told.status).toBe(429);
      expect(told.body.code).toBe('vendor_rate_limited');
      expect(told.headers['retry-after']).toBe('120');
      expect(await status()).toBe('active');
    });

    test('that fails once is asked again', async () => {
      service.sandbox.control.faults.add({ vendor: 'granola', status: 500, count: 1 });
      expect((await execute({ entity: 'notes', action: 'list' })).status).toBe(200);
      expect(vendorCalls()).toBe(2);
    });

    test('is not kept busy by a caller who left', async () => {
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

  test('tells nobody the credentials: not the answer, not the log', () => {
    expect(service.logged()).not.toContain(goodKey);
    expect(service.logged()).toContain('"route":"/api/v1/integrations/connectors/{id}/execute"');
  });
});
