import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';

const path = '/api/v1/integrations/connectors';

onPostgresOrEachEngineInFull('a connector that was just used', database => {
  let service: TestService;
  let token: string;
  let id: string;
  const execute = (as = token, connector = id) =>
    service.ask('POST', `${path}/${connector}/execute`, {
      token: as,
      body: { entity: 'notes', action: 'list' },
    });
  const change = (statement: RawBuilder<unknown>) => statement.execute(database().kysely);

  beforeAll(async () => {
    service = await startTestService(database());
    token = await service.tokenOf(await service.addApplication('own', ['Own']));
  });
  beforeEach(async () => {
    service.sandbox.control.reset();
    const body = {
      customer_name: 'acme',
      connector_type: 'granola',
      name: 'Notes',
      credentials: { api_key: goodKey },
    };
    id = (await service.ask('POST', path, { token, body })).body.id;
    expect((await execute()).status).toBe(200);
  });
  afterAll(() => service.close());

  test('is not read again until the database reports a change', async () => {
    await change(sql`alter table connectors disable trigger user`);
    await change(sql`update connectors set disabled_at = now() where id = ${id}`);
    expect((await execute()).status).toBe(200);
    await change(sql`alter table connectors enable trigger user`);
    await change(sql`update connectors set name = 'Changed' where id = ${id}`);
    expect((await execute()).body.code).toBe('connector_disabled');
  });

  test.each([
    ['disabled', sql`update connectors set disabled_at = now()`, 'connector_disabled'],
    ['frozen', sql`update connectors set incident_id = gen_random_uuid()`, 'connector_frozen'],
    ['deleted', sql`delete from connectors`, 'connector_not_found'],
    ['deleted with its customer', sql`delete from customers`, 'connector_not_found'],
  ])('stops at once when it is %s', async (_what, statement, code) => {
    await change(statement);
    expect((await execute()).body.code).toBe(code);
  });

  test('stops at once when more connectors than are reported one by one are disabled', async () => {
    await change(sql`insert into connectors (organization_id, id, customer_id, kind, name, auth_method, credentials)
      select organization_id, gen_random_uuid(), customer_id, kind, name, auth_method, credentials
      from connectors, generate_series(1, 200) where id = ${id}`);
    await change(sql`update connectors set disabled_at = now()`);
    expect((await execute()).body.code).toBe('connector_disabled');
    await change(sql`delete from connectors`);
  });

  test('uses the new credentials at once when it is reconnected', async () => {
    const body = { credentials: { api_key: 'grn_sandbox_second' } };
    const { id: before } = (await execute()).body.result[0];
    const changed = await service.ask('PATCH', `${path}/${id}`, { token, body });
    expect(changed.status, changed.text).toBe(200);
    expect((await execute()).body.result[0].id).not.toBe(before);
  });

  test('is not found by another customer or organization', async () => {
    const other = await service.customerToken(token, { customer_name: 'other' });
    expect((await execute(other)).body.code).toBe('connector_not_found');
    const foreign = await service.tokenOf(await service.addApplication('foreign', ['Foreign']));
    expect((await execute(foreign)).body.code).toBe('connector_not_found');
    const same = await service.customerToken(token, { customer_name: 'acme' });
    expect((await execute(same)).status).toBe(200);
    expect((await execute(same, id.toUpperCase())).status).toBe(200);
  });
});
