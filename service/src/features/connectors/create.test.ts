import { expect, test } from 'vitest';
import { connectorsPath, useConnectorHarness } from '../../../test/connector-harness.ts';
import { readDatabaseContents } from '../../../test/database-contents.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { firstKind, secondKind } from '../../../test/second-kind.ts';

onPostgresOrEachEngineInFull('creating a connector', database => {
  const harness = useConnectorHarness(database);
  const { create, vendorCalls } = harness;

  test('verifies the credentials, stores the connector, and never returns or logs the credentials', async () => {
    const response = await create();
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.any(String),
      name: 'Sales notes',
      customer_name: 'acme',
      connector_type: 'granola',
      definition_id: firstKind.definitionId,
      auth_method: 'api_key',
      status: 'active',
      replication_config: null,
      access: 'write',
      sync: {
        status: 'building',
        entities: {
          notes: {
            title: 'Meeting notes',
            state: 'waiting',
            records: 0,
            last_synced_at: null,
            last_error: null,
            last_error_code: null,
            retry_at: null,
          },
        },
        progress: 0,
        next_sync_at: null,
      },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(vendorCalls()).toBe(1);
    expect(
      (await harness.service.ask('GET', `${connectorsPath}/${response.body.id}`, { token: harness.token }))
        .body,
    ).toMatchObject(response.body);
    const rows = await database().kysely.selectFrom('connectors').selectAll().execute();
    for (const row of rows) expect(Buffer.from(row.credentials).includes('grn_')).toBe(false);
    expect(harness.service.logged()).not.toContain(goodKey);
  });

  test.each([
    ['a wrong key', 'grn_wrong', 401],
    ['a revoked key', 'grn_sandbox_revoked', 401],
    ['a key whose plan excludes the API', 'grn_sandbox_noplan', 403],
  ])('reports %s as an error in its field, and stores nothing', async (_title, api_key, status) => {
    const before = await readDatabaseContents(database());
    const response = await create({ credentials: { api_key } });
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({
      code: 'credentials_refused',
      errors: [{ path: 'credentials.api_key', message: expect.stringContaining('Granola') }],
      vendor: { name: 'Granola', status },
    });
    expect(await readDatabaseContents(database())).toEqual(before);
    expect(response.text + harness.service.logged()).not.toContain(api_key);
  });

  test.each([
    ['no key', {}, 'credentials.api_key'],
    ['an empty key', { api_key: ' ' }, 'credentials.api_key'],
    ['a number', { api_key: 7 }, 'credentials.api_key'],
    ['a key with a line break', { api_key: 'a\r\nb' }, 'credentials.api_key'],
    ['an unknown field', { api_key: goodKey, secret: 'x' }, 'credentials.secret'],
  ])('rejects credentials with %s without calling the vendor', async (_title, credentials, invalidPath) => {
    const response = await create({ credentials });
    expect(response.status).toBe(422);
    expect(response.body.code).toBe('invalid_credentials');
    expect(response.body.errors.map(({ path }: { path: string }) => path)).toEqual([invalidPath]);
    expect(vendorCalls()).toBe(0);
  });

  test('rejects an unknown setting and a setting with the wrong type', async () => {
    const unknown = await create({ replication_config: { folder: 'x' } });
    expect(unknown.body.errors).toEqual([{ path: 'replication_config.folder', message: expect.any(String) }]);
    const wrong = await create({ connector_type: secondKind.key, replication_config: { folder: 7 } });
    expect(wrong.body.errors).toEqual([{ path: 'replication_config.folder', message: expect.any(String) }]);
    expect(
      (await create({ connector_type: secondKind.key, replication_config: { folder: 'x' } })).status,
    ).toBe(201);
  });

  test.each(['meeting-ledger', 'Meeting Ledger', 'MEETING_LEDGER', 'meetingledger', ' meeting ledger '])(
    'accepts the connector type %j',
    async connector_type => {
      expect((await create({ connector_type })).body.connector_type).toBe('meeting-ledger');
    },
  );

  test('accepts a definition id, alone or with a matching connector type', async () => {
    const { definitionId: definition_id, key } = secondKind;
    expect((await create({ connector_type: undefined, definition_id })).body.connector_type).toBe(key);
    expect((await create({ connector_type: key, definition_id: definition_id.toUpperCase() })).status).toBe(
      201,
    );
    const disagreeing = await create({ definition_id });
    expect(disagreeing.status).toBe(400);
    expect(disagreeing.body.errors[0].path).toBe('definition_id');
  });

  test.each([
    ['an unknown type', { connector_type: 'gmail' }, 422, 'connector_type'],
    [
      'an unknown id',
      { connector_type: undefined, definition_id: crypto.randomUUID() },
      422,
      'definition_id',
    ],
    ['neither type nor id', { connector_type: undefined }, 400, 'connector_type'],
    ['no credentials', { credentials: undefined }, 400, 'credentials'],
    ['no customer', { customer_name: undefined }, 400, 'customer_name'],
  ])('rejects %s', async (_title, changes, status, invalidPath) => {
    const response = await create(changes);
    expect(response.status).toBe(status);
    expect(response.body.errors).toEqual([{ path: invalidPath, message: expect.any(String) }]);
    expect(vendorCalls()).toBe(0);
  });

  test('creates the connector for the customer that a scoped token belongs to', async () => {
    const scoped = await harness.service.customerToken(harness.token, { customer_name: 'beta' });
    expect((await create({ customer_name: undefined }, scoped)).body.customer_name).toBe('beta');
    expect((await create({ customer_name: 'beta' }, scoped)).status).toBe(201);
    expect((await create({ customer_name: 'acme' }, scoped)).body.code).toBe('customer_not_allowed');
  });

  test('does not recreate a customer that was deleted during verification', async () => {
    const scoped = await harness.service.customerToken(harness.token, { customer_name: 'leaving' });
    const held = harness.service.holdVendorRequest();
    const creating = create({ customer_name: undefined }, scoped);
    const release = await held;
    expect(
      (await harness.service.ask('DELETE', '/api/v1/customers/leaving', { token: harness.token })).status,
    ).toBe(204);
    release();
    expect((await creating).body.code).toBe('token_invalid');
    expect(
      (await harness.service.ask('GET', '/api/v1/customers', { token: harness.token })).body.data,
    ).toEqual([]);
  });

  test('reports a vendor failure rather than rejected credentials', async () => {
    harness.service.sandbox.control.faults.add({ vendor: 'granola', status: 429, retryAfter: 900 });
    const before = await readDatabaseContents(database());
    const response = await create();
    expect(response.status).toBe(429);
    expect(response.body.code).toBe('vendor_rate_limited');
    expect(response.headers['retry-after']).toBe('900');
    expect(await readDatabaseContents(database())).toEqual(before);
  });
});
