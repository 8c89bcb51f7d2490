import { describe, expect, test } from 'vitest';
import { connectorsPath, useConnectorHarness } from '../../../test/connector-harness.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { secondKind } from '../../../test/second-kind.ts';

const page = 'https://app.example';
const ofSecondKind = { connector_type: secondKind.key };
const everyAction = ['list', 'get', 'search', 'update', 'create', 'check'];

onPostgresOrEachEngineInFull('the access of a connector', database => {
  const harness = useConnectorHarness(database);
  const { create, vendorCalls } = harness;

  const mint = (more: object = {}): Promise<string> =>
    harness.service.customerToken(harness.token, {
      customer_name: 'acme',
      allowed_actions: everyAction,
      allowed_management: ['create', 'reconnect', 'rename', 'settings'],
      ...more,
    });
  const createAs = async (more?: object): Promise<string> => {
    const { status, body } = await create(ofSecondKind, await mint(more));
    expect(status).toBe(201);
    return body.id;
  };
  const accessOf = async (id: string): Promise<unknown> =>
    (await harness.service.ask('GET', `${connectorsPath}/${id}`, { token: harness.token })).body.access;
  const execute = (id: string, action: string, token: string, origin?: string) =>
    harness.service.ask('POST', `${connectorsPath}/${id}/execute`, {
      token,
      headers: origin === undefined ? {} : { origin },
      body: { entity: 'echoes', action, ...(action === 'get' ? { params: { number: 7 } } : {}) },
    });
  const patch = (id: string, body: object, token: string) =>
    harness.service.ask('PATCH', `${connectorsPath}/${id}`, { token, body });

  test('is that of the token that creates it, and write by default', async () => {
    expect(await accessOf(await createAs({ access: 'read' }))).toBe('read');
    expect(await accessOf(await createAs({ access: 'write' }))).toBe('write');
    expect(await accessOf(await createAs())).toBe('write');
    const { body } = await create(ofSecondKind);
    expect(body.access).toBe('write');
  });

  test('is not that of another token for a repeated request', async () => {
    const createWith = async (access: string) =>
      harness.service.ask('POST', connectorsPath, {
        token: await mint({ access }),
        headers: { 'idempotency-key': 'access' },
        body: { ...ofSecondKind, name: 'Notes', credentials: { api_key: goodKey } },
      });
    expect((await createWith('write')).body.access).toBe('write');
    expect((await createWith('read')).body.code).toBe('idempotency_key_reused');
  });

  test('is write for connectors that an earlier version stores', async () => {
    const id = await createAs({ access: 'read' });
    const { kysely } = database();
    const { access: _access, ...row } = await kysely
      .selectFrom('connectors')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const copy = crypto.randomUUID();
    await kysely
      .insertInto('connectors')
      .values({ ...row, id: copy, settings: null })
      .execute();
    expect(await accessOf(copy)).toBe('write');
  });

  test.each(['create', 'update'])('rejects %s for every token if it is read', async action => {
    const id = await createAs({ access: 'read' });
    const tokens = [
      [harness.token],
      [await mint()],
      [await mint({ access: 'write' })],
      [await mint({ allowed_origin: page }), page],
    ] as const;
    const calls = vendorCalls();
    for (const [token, origin] of tokens) {
      const response = await execute(id, action, token, origin);
      expect([response.status, response.body.code]).toEqual([403, 'action_not_allowed']);
      expect(response.body.detail).toMatch(/reconnect it with a token whose access is write/);
    }
    expect(vendorCalls()).toBe(calls);
  });

  test('lets a connector that only reads run the other actions', async () => {
    const id = await createAs({ access: 'read' });
    const response = await execute(id, 'get', harness.token);
    expect(response.status, response.text).toBe(200);
    expect((await execute(id, 'delete', harness.token)).body.code).toBe('unknown_action');
  });

  test('lets a connector whose access is write change data', async () => {
    const id = await createAs();
    expect((await execute(id, 'create', await mint({ access: 'read' }))).status).toBe(200);
  });

  describe('after a reconnect', () => {
    const reconnect = { credentials: { api_key: goodKey } };

    test('is that of the token that reconnects it', async () => {
      const id = await createAs({ access: 'read' });
      expect((await patch(id, reconnect, await mint())).body.access).toBe('write');
      expect((await execute(id, 'create', harness.token)).status).toBe(200);
      expect((await patch(id, reconnect, await mint({ access: 'read' }))).body.access).toBe('read');
      expect((await execute(id, 'create', harness.token)).body.code).toBe('action_not_allowed');
    });

    test('is unchanged if an application token reconnects it', async () => {
      const id = await createAs({ access: 'read' });
      expect((await patch(id, reconnect, harness.token)).body.access).toBe('read');
    });

    test('is unchanged if the vendor rejects the new credentials', async () => {
      const id = await createAs({ access: 'read' });
      const rejected = await patch(id, { credentials: { api_key: 'wrong' } }, await mint());
      expect(rejected.status).toBe(422);
      expect(await accessOf(id)).toBe('read');
    });
  });

  test('is unchanged by a new name and by new settings', async () => {
    const id = await createAs({ access: 'read' });
    expect((await patch(id, { name: 'Other' }, await mint())).body.access).toBe('read');
    const settings = { replication_config: { folder: 'sales' } };
    expect((await patch(id, settings, await mint())).body.access).toBe('read');
  });

  test('is what the definition of a source announces', async () => {
    const path = `/api/v1/integrations/definitions/sources/${secondKind.definitionId}`;
    const levelFor = async (token: string): Promise<unknown> =>
      (await harness.service.ask('GET', path, { token })).body.access.level;
    expect(await levelFor(await mint({ access: 'read' }))).toBe('read');
    expect(await levelFor(await mint())).toBe('write');
    expect(await levelFor(harness.token)).toBe('write');
  });
});
