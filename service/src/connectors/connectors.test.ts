import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { connectorsPath, useConnectorHarness } from '../../test/connector-harness.ts';
import { onEachEngine } from '../../test/engines.ts';
import { goodKey } from '../../test/example-requests.ts';
import { firstKind, secondKind } from '../../test/second-kind.ts';
import { setStatus } from '../repositories/connectors.ts';

const secondKey = 'grn_sandbox_second';

onEachEngine('connectors', database => {
  const harness = useConnectorHarness(database);
  const { create, vendorCalls } = harness;

  describe('listing', () => {
    const ids = async (query = '', as = harness.token): Promise<string[]> => {
      const told = await harness.service.ask('GET', `${connectorsPath}${query}`, { token: as });
      return told.body.data.map(({ id }: { id: string }) => id);
    };

    const walk = async (limit: number): Promise<string[]> => {
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

    test('shows the newest first, page by page, and filters by customer and kind', async () => {
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
      expect(await ids('?customer_name=nobody')).toEqual([]);
      expect(await ids('?connector_type=Granola')).toEqual(made.slice(2));
      expect(await ids(`?definition_id=${secondKind.definitionId}&customer_name=beta`)).toEqual([made[1]]);
      expect(await walk(2)).toEqual(made);
    });

    test('pages through connectors of the same moment, each once', async () => {
      const made: string[] = [];
      for (let count = 0; count < 7; count += 1) made.push((await create()).body.id);
      await sql`update connectors set created_at = '2026-01-01T00:00:00.123Z'`.execute(database().kysely);
      expect(await walk(3)).toEqual(made.sort().toReversed());
    });

    test('shows a token its own customer and its own sources only', async () => {
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
      const told = await harness.service.ask('GET', `${connectorsPath}?connector_type=granola`, {
        token: narrow,
      });
      expect(told.body.code).toBe('source_not_allowed');
      expect(
        (await harness.service.ask('GET', `${connectorsPath}?connector_type=gmail`, { token: harness.token }))
          .body.code,
      ).toBe('unknown_connector_type');
    });
  });

  describe('changing', () => {
    const patch = (id: string, body: unknown) =>
      harness.service.ask('PATCH', `${connectorsPath}/${id}`, { token: harness.token, body });

    test('renames without asking the vendor', async () => {
      const { body: created } = await create();
      harness.service.sandbox.control.requests.clear();
      const told = await patch(created.id, { name: 'Renamed' });
      expect(told.body).toEqual({ ...created, name: 'Renamed', updated_at: expect.any(String) });
      expect(Date.parse(told.body.updated_at)).toBeGreaterThanOrEqual(Date.parse(created.updated_at));
      expect(vendorCalls()).toBe(0);
    });

    test.each([
      ['nothing', {}],
      ['only replace_account', { replace_account: true }],
      ['another customer', { customer_name: 'beta' }],
      ['another kind', { name: 'x', connector_type: 'granola' }],
    ])('refuses %s', async (_title, body) => {
      const { body: created } = await create();
      expect((await patch(created.id, body)).status).toBe(400);
    });

    test('takes new credentials in place once the vendor accepts them, and keeps the old ones otherwise', async () => {
      const { body: created } = await create();
      const refused = await patch(created.id, { credentials: { api_key: 'grn_wrong' } });
      expect(refused.body).toMatchObject({
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
      const told = await patch(created.id, { name: 'New key', credentials: { api_key: secondKey } });
      harness.service.sandbox.control.vendor('granola').act('restore-key', { key: goodKey });
      expect(told.body).toMatchObject({ id: created.id, name: 'New key', status: 'active' });
      expect(
        (await harness.service.ask('POST', `${connectorsPath}/${created.id}/check`, { token: harness.token }))
          .body.status,
      ).toBe('healthy');
    });

    test('notices another vendor account, and changes over only when told to', async () => {
      const { body: created } = await create({
        connector_type: secondKind.key,
        replication_config: { folder: 'x' },
      });
      expect((await patch(created.id, { credentials: { api_key: 'grn_sandbox_personal' } })).status).toBe(
        200,
      );
      const told = await patch(created.id, { credentials: { api_key: secondKey } });
      expect(told.status).toBe(409);
      expect(told.body.code).toBe('different_account');
      const replaced = await patch(created.id, {
        credentials: { api_key: secondKey },
        replace_account: true,
      });
      expect(replaced.status).toBe(200);
      expect((await patch(created.id, { credentials: { api_key: goodKey } })).body.code).toBe(
        'different_account',
      );
    });

    test('survives several new credentials at the same moment', async () => {
      const { body: created } = await create();
      const told = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          patch(created.id, { credentials: { api_key: index % 2 ? goodKey : secondKey } }),
        ),
      );
      expect(told.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
      const row = await database()
        .kysely.selectFrom('connectors')
        .select('credentials_version')
        .executeTakeFirst();
      expect(row?.credentials_version).toBe(9);
    });
  });

  describe('checking', () => {
    test('says whether the vendor accepts the credentials, and notes it', async () => {
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
      const told = await check();
      expect(told.status).toBe(200);
      expect(told.body).toMatchObject({ status: 'unhealthy', error: expect.stringContaining('Granola') });
      expect(await status()).toBe('needs_reauth');
      harness.service.sandbox.control.vendor('granola').act('restore-key', { key: goodKey });
      expect((await check()).body.status).toBe('healthy');
      expect(await status()).toBe('active');
    });

    test('says nothing of the credentials when the vendor fails', async () => {
      const { body: created } = await create();
      harness.service.sandbox.control.faults.add({ vendor: 'granola', status: 429, retryAfter: 900 });
      const told = await harness.service.ask('POST', `${connectorsPath}/${created.id}/check`, {
        token: harness.token,
      });
      expect(told.body.code).toBe('vendor_rate_limited');
      expect(
        (await harness.service.ask('GET', `${connectorsPath}/${created.id}`, { token: harness.token })).body
          .status,
      ).toBe('active');
    });

    test('does not judge new credentials by what the vendor said of old ones', async () => {
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

  test('deleting leaves nothing of the connector, and the customer', async () => {
    const { body: created } = await create();
    const { body: kept } = await create();
    expect(
      (await harness.service.ask('DELETE', `${connectorsPath}/${created.id}`, { token: harness.token }))
        .status,
    ).toBe(204);
    expect(
      (await harness.service.ask('DELETE', `${connectorsPath}/${created.id}`, { token: harness.token }))
        .status,
    ).toBe(404);
    const list = await harness.service.ask('GET', connectorsPath, { token: harness.token });
    expect(list.body.data).toEqual([kept]);
    expect(
      (await harness.service.ask('GET', '/api/v1/customers', { token: harness.token })).body.data,
    ).toHaveLength(1);
  });

  test('a grant that was moved to another row in the database does not open', async () => {
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
    const told = await harness.service.ask('POST', `${connectorsPath}/${mine.id}/check`, {
      token: harness.token,
    });
    expect(told.status).toBe(500);
    expect(told.body).toMatchObject({ code: 'internal_error', detail: expect.not.stringContaining('seal') });
    expect(harness.service.logged()).toContain('"problem":"internal_error"');
  });
});
