import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { connectorsPath, useConnectorHarness } from '../../../test/connector-harness.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { firstKind, secondKind } from '../../../test/second-kind.ts';
import { adminToken } from '../../../test/test-service.ts';

const path = '/api/v1/admin/connectors';

onPostgresOrEachEngineInFull("the operators' connectors", database => {
  const harness = useConnectorHarness(database);
  let other: string;
  beforeAll(async () => {
    other = await harness.service.tokenOf(await harness.service.addApplication('other', ['Other']));
  });

  const ask = (method: string, rest = '', body?: unknown) =>
    harness.service.ask(method, `${path}${rest}`, { token: adminToken, body });
  const create = async (changes: Readonly<Record<string, unknown>> = {}, as?: string): Promise<string> => {
    const { status, body, text } = await harness.create(changes, as);
    expect(status, text).toBe(201);
    return body.id;
  };
  const list = async (query: Readonly<Record<string, string>> = {}) => {
    const response = await ask('GET', `?${new URLSearchParams(query).toString()}`);
    expect(response.status, response.text).toBe(200);
    return response.body;
  };
  const ids = async (query?: Readonly<Record<string, string>>): Promise<string[]> =>
    (await list(query)).data.map(({ id }: { id: string }) => id);
  const names = async (query?: Readonly<Record<string, string>>): Promise<string[]> =>
    (await list(query)).data.map(({ name }: { name: string }) => name);
  const allPages = async (query: Readonly<Record<string, string>>): Promise<string[]> => {
    const seen: string[] = [];
    for (let cursor: string | null = null; ;) {
      const { data, meta } = await list(cursor === null ? query : { ...query, cursor });
      seen.push(...data.map(({ id }: { id: string }) => id));
      if (!meta.has_more) return seen;
      cursor = meta.cursor;
    }
  };
  const set = (id: string, assignments: ReturnType<typeof sql>) =>
    sql`update connectors set ${assignments} where id = ${id}`.execute(database().kysely);

  describe('listing', () => {
    test('shows the connectors of all organizations, newest first, without their credentials', async () => {
      const first = await create();
      const second = await create({ customer_name: 'beta' }, other);
      const { data, meta } = await list();
      expect(meta).toEqual({ cursor: null, has_more: false });
      expect(data.map(({ id }: { id: string }) => id)).toEqual([second, first]);
      expect(data[0]).toEqual({
        id: second,
        name: 'Sales notes',
        organization: { id: expect.any(String), name: 'Other' },
        customer: { id: expect.any(String), name: 'beta' },
        connector_type: firstKind.key,
        auth_method: 'api_key',
        status: 'active',
        state: 'syncing',
        disabled_at: null,
        incident_id: null,
        last_error: null,
        last_synced_at: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      });
    });

    test('finds a part of a name in any case and language', async () => {
      for (const name of ['Sales notes', 'Verkäufe GROẞ', 'Продажи', '売上']) await create({ name });
      expect(await names({ search: 'ALES n' })).toEqual(['Sales notes']);
      expect(await names({ search: 'KÄUF' })).toEqual(['Verkäufe GROẞ']);
      expect(await names({ search: 'ПРОДАЖ' })).toEqual(['Продажи']);
      expect(await names({ search: '上' })).toEqual(['売上']);
      expect(await names({ search: 'nothing' })).toEqual([]);
    });

    test.each(['%', '_', '\\', "'", '%%', '\\%', '\\_'])('searches %s literally', async text => {
      await create({ name: `a${text}b` });
      await create({ name: 'a b' });
      expect(await names({ search: text })).toEqual([`a${text}b`]);
      expect(await names({ search: `A${text}B` })).toEqual([`a${text}b`]);
    });

    test('filters by organization, customer, kind and status together', async () => {
      const mine = await create({ customer_name: 'acme' });
      const beta = await create({ customer_name: 'beta', connector_type: secondKind.key });
      const theirs = await create({ customer_name: 'acme' }, other);
      const { data } = await list();
      const [{ organization, customer }] = data;
      expect(await ids({ organization_id: organization.id })).toEqual([theirs]);
      expect(await ids({ customer_id: customer.id })).toEqual([theirs]);
      expect(await ids({ customer_name: 'acme' })).toEqual([theirs, mine]);
      expect(await ids({ connector_type: 'Meeting Ledger' })).toEqual([beta]);
      expect(await ids({ customer_name: 'acme', connector_type: secondKind.key })).toEqual([]);
      expect(await ids({ organization_id: randomUUID() })).toEqual([]);
      expect((await ask('GET', '?connector_type=unknown')).body.code).toBe('unknown_connector_type');
    });

    test('filters by the derived status: frozen, then disabled, then the status of the grant', async () => {
      const active = await create();
      const rejected = await create();
      const disabled = await create();
      const frozen = await create();
      await set(rejected, sql`status = 'needs_reauth'`);
      await set(disabled, sql`status = 'needs_reauth', disabled_at = now()`);
      await set(frozen, sql`disabled_at = now(), incident_id = gen_random_uuid()`);
      expect(await ids({ status: 'active' })).toEqual([active]);
      expect(await ids({ status: 'needs_reauth' })).toEqual([rejected]);
      expect(await ids({ status: 'disabled' })).toEqual([disabled]);
      expect(await ids({ status: 'frozen' })).toEqual([frozen]);
      const statuses = (await list()).data.map(({ status }: { status: string }) => status);
      expect(statuses).toEqual(['frozen', 'disabled', 'needs_reauth', 'active']);
    });

    test.each(['name', 'created_at', 'updated_at'])(
      'lists each connector once if it is sorted by %s and many are equal',
      async key => {
        const made: string[] = [];
        for (let count = 0; count < 7; count++)
          made.push(await create({ name: count % 2 ? 'Same' : 'same' }));
        await sql`update connectors set created_at = '2026-01-01T00:00:00.123Z',
          updated_at = '2026-01-01T00:00:00.123Z'`.execute(database().kysely);
        made.sort();
        expect(await allPages({ sort: key, limit: '2' })).toEqual(made);
        expect(await allPages({ sort: `-${key}`, limit: '3' })).toEqual(made.toReversed());
      },
    );

    test('filters by the state that it shows, whatever the sync of each entity is', async () => {
      const later = sql`now() + interval '1 hour'`;
      const syncs = [
        { last_error: 'x', resume_at: later },
        { last_error: 'x', lease_id: randomUUID(), lease_until: later },
        { last_synced_at: sql`now()`, lease_id: randomUUID(), lease_until: later },
        { last_synced_at: sql`now()`, resume_at: sql`now()` },
        { last_synced_at: sql`now()`, resume_at: later },
        { last_synced_at: sql`now()`, due_at: sql`now()` },
        { last_synced_at: null },
        { last_synced_at: sql`now()` },
      ];
      const pairs = syncs.flatMap((one, index) => syncs.slice(index).map(two => [one, two]));
      for (const pair of [[], ...pairs]) {
        const connector_id = await create();
        const rows = database().kysely;
        const { organization_id } = await rows
          .deleteFrom('synced_entities')
          .where('connector_id', '=', connector_id)
          .returning('organization_id')
          .executeTakeFirstOrThrow();
        for (const [index, sync] of pair.entries()) {
          const entity = `entity_${index}`;
          // The types of the table do not know expressions in unions.
          const row = { organization_id, connector_id, entity, due_at: later, ...sync } as never;
          await rows.insertInto('synced_entities').values(row).execute();
        }
      }
      const paused = await create();
      await ask('POST', `/${paused}/disable`);
      const { data } = await list({ limit: '100' });
      const shown = Object.groupBy<string, { id: string; state: string }>(
        data,
        ({ state }: { state: string }) => state,
      );
      const states = ['failing', 'partly_failing', 'limited', 'syncing', 'current', 'connected'];
      expect(Object.keys(shown).sort()).toEqual([...states, 'paused'].sort());
      for (const state of states) {
        expect(await ids({ status: state, limit: '100' }), state).toEqual(shown[state]?.map(({ id }) => id));
      }
    });

    test('sorts by name without regard to case, and by the last change', async () => {
      const second = await create({ name: 'beta' });
      const first = await create({ name: 'Alpha' });
      const third = await create({ name: 'Äther' });
      expect(await ids({ sort: 'name' })).toEqual([first, second, third]);
      await harness.service.ask('PATCH', `${connectorsPath}/${second}`, {
        token: harness.token,
        body: { name: 'gamma' },
      });
      expect((await ids({ sort: '-updated_at' }))[0]).toBe(second);
    });

    test('continues after the last connector of a page if connectors are added and deleted in between', async () => {
      const made: string[] = [];
      for (const name of ['a', 'b', 'c', 'd', 'e']) made.push(await create({ name }));
      const { data, meta } = await list({ sort: 'name', limit: '2' });
      expect(data.map(({ id }: { id: string }) => id)).toEqual(made.slice(0, 2));
      await create({ name: 'aa' });
      await ask('DELETE', `/${made[1]}`);
      await ask('DELETE', `/${made[2]}`);
      expect(await ids({ sort: 'name', limit: '2', cursor: meta.cursor })).toEqual(made.slice(3));
    });

    test.each([
      ['of another sort order', (cursor: string) => ({ sort: 'created_at', cursor })],
      ['that was changed', (cursor: string) => ({ sort: 'name', cursor: `x${cursor}` })],
      [
        'with text that PostgreSQL cannot store',
        () => ({
          sort: 'name',
          cursor: Buffer.from(JSON.stringify(['a\0', randomUUID()])).toString('base64url'),
        }),
      ],
    ])('rejects a cursor %s', async (_title, change) => {
      for (const name of ['a', 'b']) await create({ name });
      const { meta } = await list({ sort: 'name', limit: '1' });
      const response = await ask('GET', `?${new URLSearchParams(change(meta.cursor)).toString()}`);
      expect([response.status, response.body.code]).toEqual([400, 'malformed_request']);
    });

    test('pages through names of the maximum length', async () => {
      for (const letter of ['売', '"', '\\']) await create({ name: letter.repeat(200) });
      expect(await allPages({ sort: 'name', limit: '1' })).toHaveLength(3);
    });
  });

  describe('showing one', () => {
    test('returns the sync of each entity, and the most recent error', async () => {
      const id = await create();
      await sql`update synced_entities set last_error = 'The vendor is down', failures = 4,
        resume_at = '2030-01-01T00:00:00Z', records = 7 where connector_id = ${id}`.execute(
        database().kysely,
      );
      const { body } = await ask('GET', `/${id}`);
      expect(body).toMatchObject({ id, last_error: 'The vendor is down', last_synced_at: null });
      expect(Object.values(body.entities)[0]).toEqual({
        state: 'failed',
        records: 7,
        last_synced_at: null,
        last_error: 'The vendor is down',
        last_error_code: null,
        retry_at: '2030-01-01T00:00:00.000Z',
        next_sync_at: '2030-01-01T00:00:00.000Z',
        failures: 4,
      });
      expect((await list()).data).toMatchObject([{ id, last_error: 'The vendor is down' }]);
    });

    test('returns no next sync while the connector is disabled', async () => {
      const id = await create();
      const { entities } = (await ask('POST', `/${id}/disable`)).body;
      expect(Object.values<{ next_sync_at: unknown }>(entities).map(each => each.next_sync_at)).not.toContain(
        expect.any(String),
      );
    });

    test.each([
      ['GET', ''],
      ['POST', '/sync'],
      ['POST', '/disable'],
      ['POST', '/enable'],
      ['DELETE', ''],
    ])('returns 404 for %s …%s of an unknown connector', async (method, action) => {
      const response = await ask(method, `/${randomUUID()}${action}`);
      expect([response.status, response.body.code]).toEqual([404, 'connector_not_found']);
    });

    test.each(['application', 'scoped'])('rejects an %s token', async kind => {
      const id = await create();
      const token =
        kind === 'application'
          ? harness.token
          : await harness.service.customerToken(harness.token, { customer_name: 'acme' });
      for (const rest of ['', `/${id}`]) {
        const response = await harness.service.ask('GET', `${path}${rest}`, { token });
        expect(response.status).toBe(401);
        expect(response.text).not.toContain(id);
      }
    });
  });

  describe('changing', () => {
    const execute = (id: string) =>
      harness.service.ask('POST', `${connectorsPath}/${id}/execute`, {
        token: harness.token,
        body: { entity: 'notes', action: 'list' },
      });

    test('disables a connector once, and enables it again', async () => {
      const id = await create();
      const disabled = (await ask('POST', `/${id}/disable`)).body;
      expect(disabled).toMatchObject({ id, status: 'disabled', disabled_at: expect.any(String) });
      expect((await ask('POST', `/${id}/disable`)).body).toEqual(disabled);
      expect((await execute(id)).body.code).toBe('connector_disabled');
      expect((await ask('POST', `/${id}/enable`)).body).toMatchObject({
        status: 'active',
        disabled_at: null,
      });
      expect((await ask('POST', `/${id}/enable`)).status).toBe(200);
      expect((await execute(id)).status).toBe(200);
    });

    test('enabling a frozen connector leaves it frozen', async () => {
      const id = await create();
      await set(id, sql`disabled_at = now(), incident_id = gen_random_uuid()`);
      expect((await ask('POST', `/${id}/enable`)).body).toMatchObject({
        status: 'frozen',
        disabled_at: null,
      });
    });

    test('makes all entities due for a sync', async () => {
      const id = await create();
      await sql`update synced_entities set due_at = '2030-01-01T00:00:00Z' where connector_id = ${id}`.execute(
        database().kysely,
      );
      const { status, body } = await ask('POST', `/${id}/sync`);
      expect(status).toBe(200);
      for (const { next_sync_at } of Object.values<{ next_sync_at: string }>(body.entities)) {
        expect(Date.parse(next_sync_at)).toBeLessThanOrEqual(Date.now() + 1_000);
      }
    });

    test.each([
      ['disabled', sql`disabled_at = now()`],
      ['frozen', sql`incident_id = gen_random_uuid()`],
    ] as const)('does not sync a %s connector', async (status, assignments) => {
      const id = await create();
      await set(id, assignments);
      const response = await ask('POST', `/${id}/sync`);
      expect([response.status, response.body.code]).toEqual([403, `connector_${status}`]);
    });

    test('deletes a connector and its sync, but not a frozen one', async () => {
      const id = await create();
      await set(id, sql`incident_id = gen_random_uuid()`);
      expect((await ask('DELETE', `/${id}`)).body.code).toBe('connector_frozen');
      await set(id, sql`incident_id = null, disabled_at = now()`);
      expect((await ask('DELETE', `/${id}`)).status).toBe(204);
      expect((await ask('GET', `/${id}`)).status).toBe(404);
      const { rows } = await sql`select from synced_entities where connector_id = ${id}`.execute(
        database().kysely,
      );
      expect(rows).toEqual([]);
    });

    test('logs which operator changed which connector', async () => {
      const id = await create();
      for (const action of ['disable', 'enable']) await ask('POST', `/${id}/${action}`);
      await ask('DELETE', `/${id}`);
      const lines = harness.service
        .logged()
        .split('\n')
        .filter(line => line.includes(id) && line.includes('"caller":"admin"'))
        // Each log line is a JSON object.
        .map(line => JSON.parse(line) as Record<string, unknown>)
        .filter(({ event }) => event !== 'request');
      expect(lines.map(({ event }) => event)).toEqual([
        'connector_disabled',
        'connector_enabled',
        'connector_deleted',
      ]);
      expect(lines[0]).toMatchObject({ connector_id: id, admin_key_id: null, kind: firstKind.key });
    });
  });
});
