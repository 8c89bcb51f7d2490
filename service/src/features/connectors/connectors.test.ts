import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { connectorsPath, useConnectorHarness } from '../../../test/connector-harness.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { firstKind, secondKind } from '../../../test/second-kind.ts';
import { jsonb } from '../../platform/database/values.ts';
import { setStatus } from '../../shared/repositories/connectors.ts';

const secondKey = 'grn_sandbox_second';

onPostgresOrEachEngineInFull('connectors', database => {
  const harness = useConnectorHarness(database);
  const { create, vendorCalls } = harness;

  test('logs who created, used, reconnected and deleted which connector, without its credentials', async () => {
    const { service, token } = harness;
    const { id } = (await create()).body;
    const path = `${connectorsPath}/${id}`;
    const body = { credentials: { api_key: secondKey } };
    expect((await service.ask('PATCH', path, { token, body })).status).toBe(200);
    expect((await service.ask('POST', `${path}/check`, { token })).status).toBe(200);
    expect((await service.ask('DELETE', path, { token })).status).toBe(204);
    const lines = service
      .logged()
      .split('\n')
      .filter(line => line.includes(id))
      // Each log line is a JSON object.
      .map(line => JSON.parse(line) as Record<string, unknown>)
      .filter(({ event, route }) => event !== 'request' || String(route).endsWith('/check'));
    const subject = { connector_id: id, kind: firstKind.key, customer_id: expect.any(String) };
    const caller = { application_id: expect.any(String), caller: 'application' };
    expect(lines).toMatchObject([
      { event: 'connector_created', ...subject, ...caller },
      { event: 'connector_reconnected', ...subject, ...caller },
      { event: 'change_recorded', action: 'connector.reconnected' },
      { event: 'request', status: 200, ...subject },
      { event: 'connector_deleted', ...subject, ...caller },
      { event: 'change_recorded', action: 'connector.deleted' },
    ]);
    expect(service.logged()).not.toContain(secondKey);
  });

  describe('listing', () => {
    const ids = async (query = '', as = harness.token): Promise<string[]> => {
      const response = await harness.service.ask('GET', `${connectorsPath}${query}`, { token: as });
      return response.body.data.map(({ id }: { id: string }) => id);
    };

    const listAllPages = async (limit: number): Promise<string[]> => {
      const seen: string[] = [];
      let query = `?limit=${limit}`;
      for (;;) {
        const { body } = await harness.service.ask('GET', `${connectorsPath}${query}`, {
          token: harness.token,
        });
        expect(body.data.length).toBeLessThanOrEqual(limit);
        seen.push(...body.data.map(({ id }: { id: string }) => id));
        if (!body.meta.has_more) return seen;
        query = `?limit=${limit}&cursor=${encodeURIComponent(body.meta.cursor)}`;
      }
    };

    test('lists the newest connectors first, page by page, filtered by customer and kind', async () => {
      const made: string[] = [];
      for (let count = 0; count < 5; count += 1) {
        const changes = {
          customer_name: count % 2 ? 'beta' : 'acme',
          connector_type: count < 3 ? firstKind.key : secondKind.key,
        };
        made.unshift((await create(changes)).body.id);
      }
      expect(await ids()).toEqual(made);
      expect(await ids('?customer_name=acme')).toEqual([made[0], made[2], made[4]]);
      expect(await ids('?customer_name=unknown')).toEqual([]);
      expect(await ids('?connector_type=Granola')).toEqual(made.slice(2));
      expect(await ids(`?definition_id=${secondKind.definitionId}&customer_name=beta`)).toEqual([made[1]]);
      expect(await listAllPages(2)).toEqual(made);
    });

    test('lists the connectors with a status, or that changed since a time', async () => {
      const made: string[] = [];
      for (let count = 0; count < 4; count += 1) made.unshift((await create()).body.id);
      const [latest = '', disabled = '', frozen = '', oldest = ''] = made;
      const db = database().kysely;
      await sql`update connectors set updated_at = '2026-01-01T00:00:00.123Z'`.execute(db);
      await sql`update connectors set disabled_at = now(), status = 'needs_reauth' where id = ${disabled}`.execute(
        db,
      );
      await sql`update connectors set incident_id = gen_random_uuid() where id = ${frozen}`.execute(db);
      await sql`update connectors set status = 'needs_reauth', updated_at = '2026-01-02' where id = ${oldest}`.execute(
        db,
      );
      expect(await ids('?status=active')).toEqual([latest]);
      expect(await ids('?status=disabled')).toEqual([disabled]);
      expect(await ids('?status=frozen')).toEqual([frozen]);
      expect(await ids('?status=needs_reauth')).toEqual([oldest]);
      expect(await ids('?changed_since=2026-01-01T00:00:00.123Z')).toEqual(made);
      expect(await ids('?changed_since=2026-01-01T00:00:00.124Z')).toEqual([oldest]);
      expect(await ids('?changed_since=2026-01-01T00:00:00.124Z&status=active')).toEqual([]);
      const invalid = await harness.service.ask('GET', `${connectorsPath}?status=broken`, {
        token: harness.token,
      });
      expect(invalid.body).toMatchObject({ code: 'malformed_request', errors: [{ path: 'status' }] });
    });

    test('lists each connector once if several have the same creation time', async () => {
      const made: string[] = [];
      for (let count = 0; count < 7; count += 1) made.push((await create()).body.id);
      await sql`update connectors set created_at = '2026-01-01T00:00:00.123Z'`.execute(database().kysely);
      expect(await listAllPages(3)).toEqual(made.sort().toReversed());
    });

    test('lists only the connectors of the customer and sources that a token allows', async () => {
      const first = (await create()).body.id;
      const second = (await create({ connector_type: secondKind.key })).body.id;
      await create({ customer_name: 'beta' });
      const scoped = await harness.service.customerToken(harness.token, { customer_name: 'acme' });
      const narrow = await harness.service.customerToken(harness.token, {
        customer_name: 'acme',
        allowed_sources: [secondKind.key],
      });
      expect(await ids('', scoped)).toEqual([second, first]);
      expect(await ids('?customer_name=acme', scoped)).toEqual([second, first]);
      expect(await ids('', narrow)).toEqual([second]);
      const response = await harness.service.ask('GET', `${connectorsPath}?connector_type=granola`, {
        token: narrow,
      });
      expect(response.body.code).toBe('source_not_allowed');
      expect(
        (await harness.service.ask('GET', `${connectorsPath}?connector_type=gmail`, { token: harness.token }))
          .body.code,
      ).toBe('unknown_connector_type');
    });
  });

  describe('changing', () => {
    const patch = (id: string, body: unknown) =>
      harness.service.ask('PATCH', `${connectorsPath}/${id}`, { token: harness.token, body });

    test('renames a connector without calling the vendor', async () => {
      const { body: created } = await create();
      harness.service.sandbox.control.requests.clear();
      const response = await patch(created.id, { name: 'Renamed' });
      expect(response.body).toEqual({ ...created, name: 'Renamed', updated_at: expect.any(String) });
      expect(Date.parse(response.body.updated_at)).toBeGreaterThanOrEqual(Date.parse(created.updated_at));
      expect(vendorCalls()).toBe(0);
    });

    test.each([
      ['nothing', {}],
      ['only replace_account', { replace_account: true }],
      ['another customer', { customer_name: 'beta' }],
      ['another kind', { name: 'x', connector_type: 'granola' }],
    ])('rejects %s', async (_title, body) => {
      const { body: created } = await create();
      expect((await patch(created.id, body)).status).toBe(400);
    });

    test('replaces credentials if the vendor accepts the new ones, and keeps the old ones otherwise', async () => {
      const { body: created } = await create();
      const rejected = await patch(created.id, { credentials: { api_key: 'grn_wrong' } });
      expect(rejected.body).toMatchObject({
        code: 'credentials_refused',
        errors: [{ path: 'credentials.api_key', message: expect.any(String) }],
      });
      expect(
        (await harness.service.ask('POST', `${connectorsPath}/${created.id}/check`, { token: harness.token }))
          .body.status,
      ).toBe('healthy');

      harness.service.sandbox.control.vendor('granola').act('revoke-key', { key: goodKey });
      expect(
        (await harness.service.ask('POST', `${connectorsPath}/${created.id}/check`, { token: harness.token }))
          .body.status,
      ).toBe('unhealthy');
      const response = await patch(created.id, { name: 'New key', credentials: { api_key: secondKey } });
      harness.service.sandbox.control.vendor('granola').act('restore-key', { key: goodKey });
      expect(response.body).toMatchObject({ id: created.id, name: 'New key', status: 'active' });
      expect(
        (await harness.service.ask('POST', `${connectorsPath}/${created.id}/check`, { token: harness.token }))
          .body.status,
      ).toBe('healthy');
    });

    test('detects a different vendor account, and switches only with replace_account', async () => {
      const { body: created } = await create({
        connector_type: secondKind.key,
        replication_config: { folder: 'x' },
      });
      expect((await patch(created.id, { credentials: { api_key: 'grn_sandbox_personal' } })).status).toBe(
        200,
      );
      const response = await patch(created.id, { credentials: { api_key: secondKey } });
      expect(response.status).toBe(409);
      expect(response.body.code).toBe('different_account');
      const { current, given } = response.body.accounts;
      expect([typeof current, typeof given, current === given]).toEqual(['string', 'string', false]);
      const replaced = await patch(created.id, {
        credentials: { api_key: secondKey },
        replace_account: true,
      });
      expect(replaced.status).toBe(200);
      expect((await patch(created.id, { credentials: { api_key: goodKey } })).body.code).toBe(
        'different_account',
      );
    });

    test('changes only the settings that are named, and resets those that are null', async () => {
      const { body: created } = await create({
        connector_type: secondKind.key,
        replication_config: { folder: 'x', depth: 3 },
      });
      expect(created.replication_config).toEqual({ folder: 'x', depth: 3 });
      const settingsAfter = async (changes: object) => (await patch(created.id, changes)).body;
      const renamed = await settingsAfter({ replication_config: { folder: 'y' }, name: 'Renamed' });
      expect(renamed).toMatchObject({ name: 'Renamed', replication_config: { folder: 'y', depth: 3 } });
      expect(await settingsAfter({ replication_config: {} })).toEqual(renamed);
      const reset = await settingsAfter({ replication_config: { folder: null } });
      expect(reset.replication_config).toEqual({ depth: 3 });
      const credentials = { api_key: goodKey };
      const both = await settingsAfter({ replication_config: { depth: null, folder: 'z' }, credentials });
      expect(both.replication_config).toEqual({ folder: 'z' });
      const list = await harness.service.ask('GET', connectorsPath, { token: harness.token });
      expect(list.body.data).toMatchObject([{ id: created.id, replication_config: { folder: 'z' } }]);
      expect((await create()).body.replication_config).toBeNull();
    });

    test.each([
      ['settings', {}],
      ['credentials and settings', { credentials: { api_key: goodKey } }],
    ])('keeps both of two concurrent changes, one of settings and one of %s', async (_title, more) => {
      const { body: created } = await create({ connector_type: secondKind.key });
      // Both requests read the settings before one of them is stored.
      harness.service.sandbox.control.faults.add({ vendor: 'granola', latencyMs: 200 });
      const responses = await Promise.all([
        patch(created.id, { replication_config: { folder: 'y' } }),
        patch(created.id, { replication_config: { depth: 2 }, ...more }),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      const { body } = await patch(created.id, { name: 'Renamed' });
      expect(body.replication_config).toEqual({ folder: 'y', depth: 2 });
    });

    test.each([
      ['of a wrong type', secondKind.key, { folder: 7 }],
      ['that are unknown', secondKind.key, { folders: 'x' }],
      ['of a kind that has none', firstKind.key, { folder: 'x' }],
    ])('rejects settings %s', async (_title, connector_type, replication_config) => {
      const { body: created } = await create({ connector_type });
      const { status, body } = await patch(created.id, { name: 'Renamed', replication_config });
      expect([status, body.code]).toEqual([422, 'invalid_credentials']);
      expect(body.errors[0].path).toMatch(/^replication_config\./);
      expect((await patch(created.id, { name: 'Other' })).body.replication_config).toEqual(
        created.replication_config,
      );
    });

    test('keeps the settings if the vendor cannot verify new ones', async () => {
      const { body: created } = await create({
        connector_type: secondKind.key,
        replication_config: { folder: 'x' },
      });
      harness.service.sandbox.control.faults.add({ vendor: 'granola', status: 429, retryAfter: 900 });
      const response = await patch(created.id, { replication_config: { folder: 'y' } });
      expect(response.body.code).toBe('vendor_rate_limited');
      expect((await patch(created.id, { name: 'Renamed' })).body.replication_config).toEqual({ folder: 'x' });
    });

    test('replaces credentials and settings together, and keeps settings if only credentials are replaced', async () => {
      const { body: created } = await create({ connector_type: secondKind.key });
      const both = { credentials: { api_key: goodKey }, replication_config: { folder: 'y' } };
      expect((await patch(created.id, both)).body.replication_config).toEqual({ folder: 'y' });
      const only = await patch(created.id, { credentials: { api_key: 'grn_sandbox_personal' } });
      expect(only.body.replication_config).toEqual({ folder: 'y' });
    });

    test('shows and changes settings that an earlier version stored in the grant only', async () => {
      const { body: created } = await create({
        connector_type: secondKind.key,
        replication_config: { folder: 'x' },
      });
      await database().kysely.updateTable('connectors').set({ settings: null }).execute();
      const shown = await patch(created.id, { name: 'Renamed' });
      expect(shown.body.replication_config).toEqual({ folder: 'x' });
      const changed = await patch(created.id, { replication_config: { folder: 'y' } });
      expect(changed.body.replication_config).toEqual({ folder: 'y' });
    });

    test('drops stored settings that are no longer valid, instead of reporting them', async () => {
      const stored = { folder: 7, depth: 3, constructor: 'x' };
      const credentials = { api_key: goodKey };
      for (const [changes, kept] of [
        [{ replication_config: { depth: 4 } }, { depth: 4 }],
        [{ replication_config: { folder: 'y' } }, { folder: 'y', depth: 3 }],
        [{ credentials }, { depth: 3 }],
        [{ credentials, replication_config: { depth: null } }, {}],
      ]) {
        const { body: created } = await create({ connector_type: secondKind.key });
        await database()
          .kysely.updateTable('connectors')
          .set({ settings: jsonb(stored) })
          .execute();
        const wrong = await patch(created.id, { replication_config: { depth: 10 } });
        expect(wrong.body.errors).toMatchObject([{ path: 'replication_config.depth' }]);
        expect((await patch(created.id, changes)).body.replication_config).toEqual(kept);
      }
    });

    test('verifies credentials again if the settings changed during their verification', async () => {
      const { service } = harness;
      const { body: created } = await create({ connector_type: secondKind.key });
      service.sandbox.control.requests.clear();
      const held = service.holdVendorRequest();
      const changes = { credentials: { api_key: secondKey }, replace_account: true };
      const changing = patch(created.id, { ...changes, replication_config: { depth: 2 } });
      const release = await held;
      await database()
        .kysely.updateTable('connectors')
        .set({ settings: jsonb({ folder: 'y' }) })
        .execute();
      release();
      expect((await changing).body.replication_config).toEqual({ folder: 'y', depth: 2 });
      expect(vendorCalls()).toBe(2);
    });

    test('lists connectors of earlier versions whose grant can no longer be decrypted', async () => {
      const { body: created } = await create({
        connector_type: secondKind.key,
        replication_config: { folder: 'x' },
      });
      await database()
        .kysely.updateTable('connectors')
        .set({ settings: null, credentials: Buffer.from('unreadable') })
        .execute();
      const list = await harness.service.ask('GET', connectorsPath, { token: harness.token });
      expect(list.body.data).toMatchObject([{ id: created.id, replication_config: null }]);
    });

    test('handles concurrent changes to the credentials', async () => {
      const { body: created } = await create();
      const response = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          patch(created.id, { credentials: { api_key: index % 2 ? goodKey : secondKey } }),
        ),
      );
      expect(response.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
      const row = await database()
        .kysely.selectFrom('connectors')
        .select('credentials_version')
        .executeTakeFirst();
      expect(row?.credentials_version).toBe(9);
    });
  });

  describe('checking', () => {
    test('reports whether the vendor accepts the credentials, and updates the status', async () => {
      const { body: created } = await create();
      const check = () =>
        harness.service.ask('POST', `${connectorsPath}/${created.id}/check`, { token: harness.token });
      const status = async () =>
        (await harness.service.ask('GET', `${connectorsPath}/${created.id}`, { token: harness.token })).body
          .status;
      expect((await check()).body).toEqual({
        status: 'healthy',
        error: null,
        checked_entity: 'notes',
        checked_action: 'list',
      });
      harness.service.sandbox.control.vendor('granola').act('revoke-key', { key: goodKey });
      const response = await check();
      expect(response.status).toBe(200);
      expect(response.body).toMatchObject({ status: 'unhealthy', error: expect.stringContaining('Granola') });
      expect(await status()).toBe('needs_reauth');
      harness.service.sandbox.control.vendor('granola').act('restore-key', { key: goodKey });
      expect((await check()).body.status).toBe('healthy');
      expect(await status()).toBe('active');
    });

    test('leaves the status unchanged if the vendor fails during a check', async () => {
      const { body: created } = await create();
      harness.service.sandbox.control.faults.add({ vendor: 'granola', status: 429, retryAfter: 900 });
      const response = await harness.service.ask('POST', `${connectorsPath}/${created.id}/check`, {
        token: harness.token,
      });
      expect(response.body.code).toBe('vendor_rate_limited');
      expect(
        (await harness.service.ask('GET', `${connectorsPath}/${created.id}`, { token: harness.token })).body
          .status,
      ).toBe('active');
    });

    test('does not apply the result of checking old credentials to new credentials', async () => {
      const { body: created } = await create();
      const { kysely } = database();
      const row = await kysely.selectFrom('connectors').selectAll().executeTakeFirstOrThrow();
      await harness.service.ask('PATCH', `${connectorsPath}/${created.id}`, {
        token: harness.token,
        body: { credentials: { api_key: secondKey } },
      });
      const judged = { organizationId: row.organization_id, id: row.id };
      await setStatus(kysely, judged, row.credentials_version, 'needs_reauth');
      expect(
        (await harness.service.ask('GET', `${connectorsPath}/${created.id}`, { token: harness.token })).body
          .status,
      ).toBe('active');
    });
  });

  test('deletes a connector completely but keeps its customer', async () => {
    const { body: created } = await create();
    const { body: remaining } = await create();
    expect(
      (await harness.service.ask('DELETE', `${connectorsPath}/${created.id}`, { token: harness.token }))
        .status,
    ).toBe(204);
    expect(
      (await harness.service.ask('DELETE', `${connectorsPath}/${created.id}`, { token: harness.token }))
        .status,
    ).toBe(404);
    const list = await harness.service.ask('GET', connectorsPath, { token: harness.token });
    expect(list.body.data).toEqual([remaining]);
    expect(
      (await harness.service.ask('GET', '/api/v1/customers', { token: harness.token })).body.data,
    ).toHaveLength(1);
  });

  test('rejects a grant that was moved from another row', async () => {
    const { body: mine } = await create();
    const { body: theirs } = await create({ customer_name: 'beta', credentials: { api_key: secondKey } });
    const { kysely } = database();
    const row = await kysely
      .selectFrom('connectors')
      .select('credentials')
      .where('id', '=', theirs.id)
      .executeTakeFirstOrThrow();
    await kysely
      .updateTable('connectors')
      .set({ credentials: row.credentials })
      .where('id', '=', mine.id)
      .execute();
    const response = await harness.service.ask('POST', `${connectorsPath}/${mine.id}/check`, {
      token: harness.token,
    });
    expect(response.status).toBe(500);
    expect(response.body).toMatchObject({
      code: 'internal_error',
      detail: expect.not.stringContaining('seal'),
    });
    expect(harness.service.logged()).toContain('"problem":"internal_error"');
  });
});
