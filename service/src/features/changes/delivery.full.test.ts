/** What is delivered, in which order, and when: at every interleaving of transactions, and after crashes. */
import { createHash } from 'node:crypto';
import { stringifyJson } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { sql, type ControlledTransaction, type Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { engines, makeDatabase, openTestDatabase, type TestDatabase } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { startPostgres, type PostgresServer } from '../../../test/postgres.ts';
import { kindWith } from '../../../test/record-fixtures.ts';
import { startKillableService } from '../../../test/service-process.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { ensureRecordTables } from '../../shared/records/ensure.ts';
import { RecordTables } from '../../shared/records/record-table.ts';
import { preparePage, writePage } from '../../shared/records/store.ts';

vi.setConfig({ testTimeout: 900_000, hookTimeout: 240_000 });

const kind: Kind = kindWith('delivered', {
  things: {
    fields: { id: 'integer', value: 'integer' },
    primaryKey: ['id'],
    indexed: [],
    text: [],
    sync: { incremental: false, run: () => (async function* () {})() },
  },
});
const tables = new RecordTables([kind]);
const [table] = tables.all;
if (table === undefined) throw new Error('No table');

/** Returns all orders in which processes can make their steps. Each number is a step of that process. */
function interleavings(steps: readonly number[]): number[][] {
  if (steps.every(left => left === 0)) return [[]];
  return steps.flatMap((left, process) =>
    left === 0 ? [] : interleavings(steps.with(process, left - 1)).map(others => [process, ...others]),
  );
}

describe('on a PostgreSQL server that writes asynchronous commits to disk only when it must', () => {
  let server: PostgresServer;
  let database: Database;
  let service: TestService;
  let token: string;
  let organizationId: string;
  /** Each writer has a connector, because a lease allows only one for each. */
  let ids: string[];
  let cursor: string;
  /** What the reader has stored, by connector. */
  let mirror: Map<string, number>;

  beforeAll(async () => {
    server = await startPostgres({ wal_writer_delay: '10s', wal_writer_flush_after: '1GB' });
    database = await openTestDatabase({ databaseUrl: `${server.url}/postgres` });
    await ensureRecordTables(database.kysely, tables);
    service = await startTestService(database, { kinds: [kind] });
    const own = await service.addApplication('own', ['Own']);
    [organizationId = ''] = own.organizationIds;
    token = await service.tokenOf(own);
  });
  afterAll(async () => {
    await service.close();
    await database.close();
    await server.stop();
  });
  beforeEach(async () => {
    mirror = new Map();
    ids = [];
    for (const name of ['one', 'two', 'three']) {
      const credentials = { api_key: goodKey };
      const body = { customer_name: name, connector_type: kind.key, name, credentials };
      const created = await service.ask('POST', '/api/v1/integrations/connectors', { token, body });
      ids.push(created.body.id);
    }
    await sql`update synced_entities set records = 1`.execute(database.kysely);
    cursor = (await ask('now')).cursor;
  });

  const ask = async (from: string, options = '') => {
    const path = `/api/v1/integrations/changes?cursor=${from}${options}`;
    const response = await service.ask('GET', path, { token });
    if (response.status !== 200) throw new Error(response.text);
    return response.body;
  };
  const read = async (options = '') => {
    const page = await ask(cursor, options);
    for (const { connector_id, record } of page.changes) mirror.set(connector_id, record.value);
    ({ cursor } = page);
    return page;
  };
  const readAll = async () => {
    while ((await read()).has_more);
  };
  const write = async (transaction: Transaction<Tables>, id: string, value: number) => {
    await sql`set local synchronous_commit = off`.execute(transaction);
    const target = { connector: { organizationId, id }, seenRun: null };
    await writePage(transaction, table, target, preparePage(table, [{ id: 1, value }]));
  };
  const stored = async () => {
    const { rows } = await sql<{ id: string; value: number }>`
      select "$connector" as id, value from ${sql.id(table.name)} where "$organization" = ${organizationId}
        and "$connector" = any(${ids}::uuid[])`.execute(database.kysely);
    return new Map(rows.map(({ id, value }) => [id, value]));
  };

  test('a reader gets each committed change of three writers, on disk, at every interleaving', async () => {
    // The reader reads once at any time, and again at the end.
    const orders = interleavings([2, 2, 2, 1]);
    expect(orders).toHaveLength(630);
    const committed = new Map<string, number>();
    /** Where the log of the server was after the commit of each value. */
    const positions = new Map<number, bigint>();
    let value = 0;
    const walPosition = async (name: 'insert' | 'flush') => {
      const { rows } = await sql<{ bytes: string }>`
        select pg_wal_lsn_diff(${sql.raw(`pg_current_wal_${name}_lsn()`)}, '0/0')::text as bytes`.execute(
        database.kysely,
      );
      return BigInt(rows[0]?.bytes ?? 0);
    };
    const readAndCheck = async () => {
      const page = await read();
      const flushed = page.changes.length === 0 ? 0n : await walPosition('flush');
      for (const { connector_id, record } of page.changes) {
        expect(record.value).toBe(committed.get(connector_id));
        expect(positions.get(record.value)).toBeLessThanOrEqual(flushed);
      }
    };
    for (const [number, order] of orders.entries()) {
      const open = new Map<number, { transaction: ControlledTransaction<Tables>; value: number }>();
      for (const process of order) {
        const id = ids[process];
        if (id === undefined) {
          await readAndCheck();
          continue;
        }
        const begun = open.get(process);
        if (begun === undefined) {
          const transaction = await database.kysely.startTransaction().execute();
          value += 1;
          await write(transaction, id, value);
          open.set(process, { transaction, value });
        } else if (process === 2 && number % 2 === 0) {
          await begun.transaction.rollback().execute();
        } else {
          await begun.transaction.commit().execute();
          committed.set(id, begun.value);
          positions.set(begun.value, await walPosition('insert'));
        }
      }
      await readAndCheck();
      expect(mirror, order.join(' ')).toEqual(committed);
    }
    expect(await stored()).toEqual(committed);
  });

  test('a transaction that does not end holds back newer changes, and the response says for how long', async () => {
    const [first = '', second = ''] = ids;
    const other = await database.kysely.startTransaction().execute();
    await write(other, first, 1);
    const another = await database.kysely.startTransaction().execute();
    await write(another, second, 2);
    await another.commit().execute();
    expect((await read()).changes).toEqual([]);
    await sql`update change_feed set horizon_at = horizon_at - interval '1 hour'`.execute(database.kysely);
    const held = await read();
    expect(held.changes).toEqual([]);
    expect(held.horizon_age_seconds).toBeGreaterThanOrEqual(3_600);
    await other.commit().execute();
    await readAll();
    expect(mirror).toEqual(
      new Map([
        [first, 1],
        [second, 2],
      ]),
    );
    expect((await read()).horizon_age_seconds).toBeLessThan(3_600);
  });

  test('a reader never has what the server loses in a crash', async () => {
    let value = 0;
    let lost = 0;
    for (let round = 0; round < 6; round += 1) {
      const stop = new AbortController();
      const writing = ids.map(async id => {
        while (!stop.signal.aborted) {
          value += 1;
          const mine = value;
          await database.kysely.transaction().execute(transaction => write(transaction, id, mine));
        }
      });
      const reading = (async () => {
        while (!stop.signal.aborted) await read('&wait_seconds=1');
      })();
      const settled = Promise.allSettled([...writing, reading]);
      const before = value;
      await until(() => expect(value).toBeGreaterThan(before + 150));
      const latest = value;
      await server.crash();
      stop.abort();
      await settled;
      const after = await until(stored);
      for (const [id, delivered] of mirror) {
        expect(after.get(id) ?? 0, `round ${round}`).toBeGreaterThanOrEqual(delivered);
      }
      if (Math.max(0, ...after.values()) < latest - ids.length) lost += 1;
      await until(readAll);
      expect(mirror, `round ${round}`).toEqual(await until(stored));
    }
    // Otherwise, the test would prove nothing.
    expect(lost).toBeGreaterThan(0);
  });
});

describe.each(engines)('on %s', engine => {
  let sandbox: RunningSandbox;
  let place: TestDatabase;
  beforeAll(async () => {
    sandbox = await startSandbox();
    place = await makeDatabase(engine);
  });
  afterAll(async () => {
    await sandbox.close();
    await place.remove();
  });

  const hashOf = (record: unknown): string =>
    createHash('sha256').update(stringifyJson(record)).digest('hex');

  test('a mirror equals what search returns, although the service is killed while it syncs', async () => {
    const service = await startKillableService(place.location, sandbox.url);
    let { client } = service;
    const first = client.call('listChanges', { query: { cursor: 'now' } });
    let { cursor } = await first;
    const credentials = { api_key: 'grn_sandbox_large' };
    const { id } = await client.connectors.create({
      customer_name: 'acme',
      connector_type: 'granola',
      name: 'Notes',
      credentials,
    });
    const mirror = new Map<string, string>();
    for (const wanted of [300, 1_500, 3_000, 5_000]) {
      for await (const change of client.changes({ cursor })) {
        if (change.operation === 'upsert') mirror.set(change.id, hashOf(change.record));
        else expect.fail(change.operation);
        ({ cursor } = change);
        if (mirror.size >= wanted) break;
      }
      if (wanted === 5_000) break;
      await service.kill();
      ({ client } = service);
    }
    for await (const change of client.changes({ cursor }, { waitSeconds: 0 })) {
      if (change.operation === 'upsert') mirror.set(change.id, hashOf(change.record));
    }
    const found = new Map<string, string>();
    for (let next: string | null = null, hasMore = true; hasMore;) {
      const { result } = await client.execute(id, {
        entity: 'notes',
        action: 'search',
        params: { query: {}, limit: 1000, ...(next === null ? {} : { cursor: next }) },
      });
      const { data, meta } = result as {
        data: { id: string }[];
        meta: { cursor: string | null; has_more: boolean };
      };
      for (const record of data) found.set(record.id, hashOf(record));
      ({ cursor: next, has_more: hasMore } = meta);
    }
    expect(found.size).toBe(5_000);
    expect(mirror).toEqual(found);

    await client.connectors.delete(id);
    for await (const change of client.changes({ cursor })) {
      expect(change).toMatchObject({ operation: 'disconnect', connector_id: id });
      break;
    }
    await service.stop();
  });
});
