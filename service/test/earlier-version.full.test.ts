/**
 * A database that an earlier version has filled is migrated, while statements of that version continue on it. The fixture is
 * made by `earlier-version/record.ts`.
 */
import { kinds } from '@connector-auth/connectors';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { Client, DatabaseError } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RecordTables } from '../src/shared/records/record-table.ts';
import { connectorsPath } from './connector-harness.ts';
import { createEarlierSchema, fixture } from './earlier-version/fixture.ts';
import type { RecordedValue } from './earlier-version/record-statements.ts';
import { makeEmptyDatabase } from './engines.ts';
import { application, environmentOf, startServiceHere, type ServiceHere } from './service-process.ts';
import { adminToken } from './test-service.ts';
import { until } from './until.ts';

/** Moves the fixture's times to the present, so that nothing in it has expired. */
const shiftMs = Date.now() - fixture.madeAt;

/** The tables of records that the earlier version has filled. */
const recordTables = new RecordTables(kinds).all.filter(({ name }) => name in fixture.rows);

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

test.each(['while this version migrates it and starts', 'while this version syncs'])(
  'statements of an earlier version succeed on its database %s, and lose nothing',
  { timeout: 600_000 },
  async when => {
    const { location, remove } = await makeEmptyDatabase('postgres');
    if (!('databaseUrl' in location)) throw new Error('A PostgreSQL server has a URL');
    const client = new Client({ connectionString: location.databaseUrl });
    await client.connect();
    await load(client, location.databaseUrl);
    const before = await readIds(client);
    const start = () =>
      startServiceHere({
        ...environmentOf(location),
        ...application,
        ADMIN_TOKEN: adminToken,
        SANDBOX_URL: sandbox.url,
        VENDOR_RATE_LIMITS: 'off',
      });
    let service: ServiceHere;
    let failures: readonly string[];
    if (when === 'while this version syncs') {
      service = await start();
      failures = await replay(client);
    } else {
      [service, failures] = await Promise.all([start(), replay(client)]);
    }
    expect(failures).toEqual([]);

    // What the earlier version stored before and after the migration is synced by this version. The sandbox has forgotten the
    // tokens that it issued for OAuth.
    const syncedFrom = new Date();
    await client.query('update synced_entities set due_at = now(), full_run_at = null');
    await until(async () => {
      const { rows } = await client.query(
        `select customers.name, kind, entity, last_error from synced_entities
         join connectors on connectors.id = connector_id join customers on customers.id = customer_id
         where connectors.name <> 'By OAuth' and (last_synced_at is null or last_synced_at < $1)`,
        [syncedFrom],
      );
      expect(rows).toEqual([]);
    });
    expect(await readIds(client)).toEqual(expect.arrayContaining(before));
    expect(await findIncomplete(client)).toEqual([]);

    // oxlint-disable-next-line typescript/no-explicit-any -- the test asserts the shape that it reads
    const ask = async (path: string, token: string, body?: object): Promise<any> => {
      const response = await fetch(service.url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      expect(response.ok, path).toBe(true);
      return await response.json();
    };
    const { access_token: token } = await ask('/api/v1/account/applications/token', '', {
      client_id: application.BOOTSTRAP_CLIENT_ID,
      client_secret: application.BOOTSTRAP_CLIENT_SECRET,
    });
    for (const customer of ['first', 'third']) {
      const { data } = await ask(`${connectorsPath}?customer_name=${customer}`, token);
      const connector = data.find((one: { connector_type: string }) => one.connector_type === 'granola');
      const execute = (action: string, params: object) =>
        ask(`${connectorsPath}/${connector.id}/execute`, token, { entity: 'notes', action, params });
      const listed = await execute('list', { page_size: 30 });
      const [{ id }] = listed.result;
      const found = await execute('search', { query: { filter: { eq: { id } } } });
      expect(found.result.data).toMatchObject([{ id }]);
    }
    const { data: entries } = await ask('/api/v1/admin/audit?limit=100', adminToken);
    expect(entries.length).toBeGreaterThan(50);
    await service.close();
    await client.end();
    await remove();
  },
);

/** Creates the database as the earlier version left it. */
async function load(client: Client, connectionString: string): Promise<void> {
  await createEarlierSchema(client, connectionString);
  // Neither triggers nor foreign keys: the rows are complete.
  await client.query(`set session_replication_role = replica`);
  for (const [table, rows] of Object.entries(fixture.rows)) {
    const { rows: columns } = await client.query<{ name: string; isTime: boolean }>(
      `select quote_ident(attname) as name, atttypid = 'timestamptz'::regtype as "isTime"
       from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    );
    const values = columns.map(({ name, isTime }) =>
      isTime ? `${name} + ${shiftMs} * interval '1 ms'` : name,
    );
    await client.query(`delete from ${table}`);
    await client.query(
      `insert into ${table} (${columns.map(({ name }) => name).join(', ')}) overriding system value
       select ${values.join(', ')} from json_populate_recordset(null::${table}, $1)`,
      [rows],
    );
  }
  const { rows: sequences } = await client.query<{ statement: string }>(
    `select format('select setval(%L, (select coalesce(max(%I), 0) + 1 from %s))',
       pg_get_serial_sequence(attrelid::regclass::text, attname), attname, attrelid::regclass) as statement
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'public'::regnamespace and attidentity <> ''`,
  );
  for (const { statement } of sequences) await client.query(statement);
  await client.query(`set session_replication_role = origin`);
}

/** Sends the recorded statements in their order, and returns the errors. */
async function replay(client: Client): Promise<string[]> {
  const failures: string[] = [];
  for (const transaction of fixture.transactions) {
    for (const [position, ...values] of transaction) {
      const text = fixture.texts[position] ?? '';
      try {
        await client.query(text, values.map(decode));
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        const { code, message, detail, where } = error;
        failures.push([code, message, text.slice(0, 300), detail, where].join('; '));
      }
    }
  }
  return failures;
}

function decode(value: RecordedValue): unknown {
  if (value === null || typeof value === 'string') return value;
  return 'time' in value ? new Date(value.time + shiftMs) : Buffer.from(value.bytes, 'base64');
}

/** Reads the id of each row of tenants and operators, and the keys of their records, as `table id`. */
async function readIds(client: Client): Promise<string[]> {
  const tables = [
    'admin_keys',
    'application_secrets',
    'applications',
    'audit_entries',
    'connect_links',
    'connectors',
    'customers',
    'organizations',
    'token_revocations',
  ].map(name => ({ name, key: name === 'token_revocations' ? 'not_before' : 'id' }));
  const records = recordTables.map(({ name, key }) => ({
    name,
    key: `("$connector", ${key.map(({ column }) => `"${column}"`).join(', ')})`,
  }));
  const { rows } = await client.query<{ id: string }>(
    [...tables, ...records]
      .map(({ name, key }) => `select '${name} ' || ${key}::text as id from ${name}`)
      .join(' union all '),
  );
  return rows.map(({ id }) => id);
}

/** Returns rows that lack what this version needs, although statements of the earlier version wrote them. */
async function findIncomplete(client: Client): Promise<unknown[]> {
  const records = recordTables.flatMap(({ name, kind, entity }) => [
    `select '${name} without organization' as problem, "$connector"::text as id from ${name}
      where "$organization" is distinct from (select organization_id from connectors where id = "$connector")`,
    `select '${name} not counted', connector_id::text from synced_entities join connectors on id = connector_id
      where kind = '${kind}' and entity = '${entity}' and records <> (
        select count(*) from ${name} where "$connector" = connector_id)`,
  ]);
  const { rows } = await client.query(
    [
      ...records,
      `select 'not queued', id::text from connectors where status = 'active' and not exists (
         select from sync_queue where sync_queue.organization_id = connectors.organization_id
           and sync_queue.customer_id = connectors.customer_id and sync_queue.kind = connectors.kind)`,
      `select 'not counted', key from vendor_quota_usage group by key having sum(used) <> (
         select sum(used) from vendor_quota_totals as totals
         where totals.key = vendor_quota_usage.key and organization_id = '')`,
    ].join(' union all '),
  );
  return rows;
}
