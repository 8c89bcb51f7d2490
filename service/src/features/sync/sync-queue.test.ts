import { sql, type Kysely, type Transaction } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { onEachEngine } from '../../../test/engines.ts';
import { kindWith } from '../../../test/record-fixtures.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { createKindRegistry } from '../../shared/definitions/registry.ts';
import { pauseRun, releaseAbandonedLeases, releaseAllLeases } from '../../shared/repositories/sync-state.ts';
import { findHeads, reconcileQueue, takeFirst, type AtLimit, type EntityLease } from './sync-queue.ts';

const search = {
  fields: { id: 'integer' } as const,
  primaryKey: ['id'],
  indexed: [],
  text: [],
  sync: { incremental: false, run: async function* () {} },
};
const entities = ['a', 'b', 'c', 'd', 'e'];
const kindOf = (key: string, names: readonly string[]) =>
  kindWith(key, Object.fromEntries(names.map(name => [name, search])));
const kinds = createKindRegistry([kindOf('first', entities), kindOf('second', entities)]);
const options = { kinds, columnsVersion: 0, leaseSeconds: 60, intervalMinutes: 60, fullSyncHours: 24 };

/** An id that is the same for the same name. */
const idOf = (name: string) => sql<string>`md5(${name})::uuid`;

onEachEngine('the sync queue', (database, engine) => {
  afterEach(async () => {
    await database().kysely.deleteFrom('organizations').execute();
    // Nothing that was deleted stays in the queue.
    expect((await sql`select from sync_queue`.execute(database().kysely)).rows).toEqual([]);
  });

  /**
   * Creates organizations whose customers have connectors of both kinds in turn, of which all entities are due since so
   * many minutes as the number of the customer.
   */
  const fill = async (counts: {
    organizations: number;
    customers: number;
    connectors: number;
  }): Promise<void> => {
    const { organizations, customers, connectors } = counts;
    const db = database().kysely;
    await sql`insert into organizations (id, name)
      select md5('o' || o)::uuid, 'o' || o from generate_series(1, ${organizations}::int) o`.execute(db);
    await sql`insert into customers (organization_id, id, name)
      select md5('o' || o)::uuid, md5('o' || o || 'c' || c)::uuid, 'c' || c
      from generate_series(1, ${organizations}::int) o, generate_series(1, ${customers}::int) c`.execute(db);
    await sql`insert into connectors (organization_id, id, customer_id, kind, name, auth_method, credentials)
      select md5('o' || o)::uuid, md5('o' || o || 'c' || c || 'n' || n)::uuid, md5('o' || o || 'c' || c)::uuid,
        case n % 2 when 1 then 'first' else 'second' end, 'n' || n, 'key', ''
      from generate_series(1, ${organizations}::int) o, generate_series(1, ${customers}::int) c,
        generate_series(1, ${connectors}::int) n`.execute(db);
    await sql`insert into synced_entities (organization_id, connector_id, entity, due_at)
      select organization_id, connectors.id, entity, now() - make_interval(mins => substr(customers.name, 2)::int)
      from connectors join customers using (organization_id) cross join unnest(${entities}::text[]) as entity
      where customers.id = customer_id`.execute(db);
  };

  const take = async (atLimit?: AtLimit, holder = 1): Promise<EntityLease | 'none' | 'not_due'> => {
    const db = database().kysely;
    for (const head of await findHeads(db, kinds, atLimit)) {
      const taken = await db
        .transaction()
        .execute(transaction => takeFirst(transaction, head, holder, options));
      if (taken !== 'none') return taken;
    }
    return 'none';
  };
  const takeLease = async (atLimit?: AtLimit): Promise<EntityLease> => {
    const taken = await take(atLimit);
    if (typeof taken === 'string') throw new Error(taken);
    return taken;
  };
  /** Runs statements as an older process would, which does not know the queue. */
  const write = (statement: ReturnType<typeof sql>) => statement.execute(database().kysely);
  const nameOf = async ({ customerId }: EntityLease) => {
    const { name } = await database()
      .kysely.selectFrom('customers')
      .select('name')
      .where('id', '=', customerId)
      .executeTakeFirstOrThrow();
    return name;
  };

  test('customers get time slices in turn, whatever the number of their connectors and kinds', async () => {
    await fill({ organizations: 1, customers: 3, connectors: 4 });
    const taken: string[] = [];
    for (let count = 0; count < 9; count += 1) {
      const lease = await takeLease();
      taken.push(await nameOf(lease));
      await pauseRun(database().kysely, lease);
    }
    expect(taken).toEqual(['c3', 'c2', 'c1', 'c3', 'c2', 'c1', 'c3', 'c2', 'c1']);
  });

  test('up to three entities of a connector are synced at once, each by one process', async () => {
    await fill({ organizations: 1, customers: 1, connectors: 1 });
    const leases = [await takeLease(), await takeLease(), await takeLease()];
    expect(new Set(leases.map(({ entity }) => entity)).size).toBe(3);
    expect(await take()).toBe('none');
    const [first] = leases;
    if (first !== undefined) await pauseRun(database().kysely, first);
    // The other two have waited longer than the one whose time slice has just ended.
    expect(leases.map(({ entity }) => entity)).not.toContain((await takeLease()).entity);
    expect(await take()).toBe('none');
  });

  test('leaves the last time slice to other organizations and kinds', async () => {
    await fill({ organizations: 2, customers: 2, connectors: 2 });
    const one = await takeLease();
    const other = await takeLease({ organizations: [one.organizationId], kinds: [one.kind] });
    expect(other.organizationId).not.toBe(one.organizationId);
    expect(other.kind).not.toBe(one.kind);
  });

  test('takes entities and kinds that this version cannot sync only once, and a newer version finds them', async () => {
    await fill({ organizations: 1, customers: 2, connectors: 2 });
    await write(sql`delete from synced_entities where entity <> 'a'`);
    const older = createKindRegistry([kindOf('first', ['b', 'c'])]);
    const db = database().kysely;
    const takeByOlder = async () => {
      const [head] = await findHeads(db, older);
      if (head === undefined) return 'none';
      return db
        .transaction()
        .execute(transaction => takeFirst(transaction, head, 1, { ...options, kinds: older }));
    };
    expect([await takeByOlder(), await takeByOlder(), await takeByOlder()]).toEqual([
      'not_due',
      'not_due',
      'none',
    ]);
    await reconcileQueue(db, older, 100);
    expect(await takeByOlder()).toBe('none');
    await reconcileQueue(db, kinds, 100);
    expect((await findHeads(db, kinds)).map(({ kind }) => kind).sort()).toEqual(['first', 'second']);
  });

  test('reconciliation finds what is due and missing, in steps by key', async () => {
    await fill({ organizations: 2, customers: 3, connectors: 2 });
    const db = database().kysely;
    await write(sql`update connectors set status = 'needs_reauth' where customer_id = ${idOf('o1c1')}`);
    await write(sql`delete from sync_queue`);
    let position;
    for (let step = 0; step < 3; step += 1) position = await reconcileQueue(db, kinds, 5, position);
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from sync_queue`.execute(db);
    expect(rows).toEqual([{ count: 10 }]);
  });

  test('what a process that dies had leased is due when its lease ends', async () => {
    await fill({ organizations: 1, customers: 1, connectors: 1 });
    const lease = await takeLease();
    await write(sql`update synced_entities set lease_until = now() - interval '1 s'
      where entity = ${lease.entity}`);
    await write(
      sql`update synced_entities set due_at = now() + interval '1 h' where entity <> ${lease.entity}`,
    );
    expect((await takeLease()).entity).toBe(lease.entity);
    await releaseAllLeases(database().kysely);
    expect((await takeLease()).entity).toBe(lease.entity);
  });

  test(
    'follows everything that changes what is due, also if an older process writes it',
    { timeout: 300_000 },
    async () => {
      await fill({ organizations: 2, customers: 2, connectors: 3 });
      const db = database().kysely;
      let seed = 20261127;
      /** Returns a number below `count`, the same in each run of the test. */
      const random = (count: number): number => {
        seed = (seed * 1103515245 + 12345) % 2 ** 31;
        return Math.floor((seed / 2 ** 31) * count);
      };
      const connector = () =>
        sql`id = md5('o' || ${random(2) + 1}::int || 'c' || ${random(2) + 1}::int || 'n' || ${random(3) + 1}::int)::uuid`;
      const entity = () => {
        const places = [random(2), random(2), random(3)].map(place => place + 1);
        return sql`connector_id = md5('o' || ${places[0]}::int || 'c' || ${places[1]}::int || 'n' || ${places[2]}::int)::uuid
        and entity = ${entities[random(5)]}`;
      };
      const later = () => sql`now() + make_interval(mins => ${random(60) + 1}::int)`;
      const changes: (() => ReturnType<typeof sql>)[] = [
        () => sql`update synced_entities set due_at = now() where ${entity()}`,
        () => sql`update synced_entities set due_at = ${later()} where ${entity()}`,
        () => sql`update synced_entities set due_at = ${later()}, resume_at = null`,
        () => sql`update synced_entities set resume_at = ${later()} where ${entity()}`,
        () => sql`update synced_entities set resume_at = null where ${entity()}`,
        () =>
          sql`update synced_entities set lease_id = gen_random_uuid(), lease_until = ${later()} where ${entity()}`,
        () =>
          sql`update synced_entities set lease_id = gen_random_uuid(), lease_until = ${later()} where ${entity()}`,
        () => sql`update synced_entities set lease_id = null, lease_until = null where ${entity()}`,
        () => sql`update connectors set status = 'needs_reauth' where ${connector()}`,
        () => sql`update connectors set status = 'active'`,
        () => sql`update connectors set disabled_at = now() where ${connector()}`,
        () => sql`update connectors set disabled_at = null`,
        () => sql`update connectors set incident_id = ${idOf('incident')} where kind = 'first'`,
        () => sql`update connectors set incident_id = null`,
        () => sql`update connectors set delete_at = ${later()} where ${connector()}`,
        () => sql`update connectors set delete_at = null`,
        () => sql`update organizations set disabled_at = now() where name = 'o1'`,
        () => sql`update organizations set disabled_at = null where name = 'o1'`,
      ];
      for (let step = 0; step < 150; step += 1) {
        await write(changes[random(changes.length)]?.() ?? sql`select`);
        // Enabling an organization queues all of its customers. Workers then find out which are due.
        await write(sql`select refresh_sync_queue(organization_id, customer_id, kind) from sync_queue`);
        expect(await queueOf(db), `step ${step}`).toEqual(await expectedQueue(db));
      }
      await write(sql`delete from connectors where kind = 'second'`);
      await write(sql`delete from customers where name = 'c2'`);
      expect(await queueOf(db)).toEqual(await expectedQueue(db));
    },
  );

  // PGlite counts no rows that are read. Filling the tables takes seconds.
  if (engine === 'pglite' || process.env['TEST_FULL'] === undefined) return;
  describe('with many entities', () => {
    const largest = 2_500;

    test(
      'what a poll and a take read does not depend on how much is due or broken',
      { timeout: 600_000 },
      async () => {
        const readings: Record<string, number>[] = [];
        for (const customers of [100, largest]) {
          const isSmall = customers < largest;
          await fill({ organizations: 4, customers, connectors: 4 });
          // Half of the connectors are broken, among them all that have waited longest.
          await write(sql`update connectors set status = 'needs_reauth' from customers
            where customers.organization_id = connectors.organization_id and customers.id = customer_id
              and substr(customers.name, 2)::int > ${customers / 2}::int`);
          for (const table of ['sync_queue', 'synced_entities', 'connectors', 'customers', 'organizations']) {
            await write(sql`vacuum analyze ${sql.table(table)}`);
          }
          const lease = await takeLease();
          const atLimit = { organizations: [lease.organizationId], kinds: [lease.kind] };
          readings.push({
            poll: await rowsRead(isSmall, db => findHeads(db, kinds)),
            last: await rowsRead(isSmall, db => findHeads(db, kinds, atLimit)),
            take: await rowsRead(isSmall, async db => {
              const [head] = await findHeads(db, kinds);
              if (head !== undefined) expect(await takeFirst(db, head, 1, options)).toBeTypeOf('object');
            }),
            abandoned: await rowsRead(isSmall, releaseAbandonedLeases),
            reconciled: await rowsRead(isSmall, db => reconcileQueue(db, kinds, 20)),
          });
          await database().kysely.deleteFrom('organizations').execute();
        }
        // A statement that reads what is due, or what is broken, reads at least four times as many rows.
        const [few = {}, many = {}] = readings;
        for (const [name, rows] of Object.entries(many)) {
          expect(rows, name).toBeLessThan(2 * (few[name] ?? NaN) + 10);
        }
      },
    );

    /** Returns how many rows statements read. Fails if they read a whole table. */
    const rowsRead = (
      isSmall: boolean,
      work: (db: Transaction<Tables>) => Promise<unknown>,
    ): Promise<number> =>
      database()
        .kysely.transaction()
        .execute(async transaction => {
          const count = async () => {
            // Counts what this connection has read and not yet reported, also in functions and triggers.
            const { rows } = await sql<{ whole: number; indexed: number }>`
              select sum(seq_tup_read)::int as whole, sum(idx_tup_fetch)::int as indexed
              from pg_stat_xact_user_tables
              where relname in ('sync_queue', 'synced_entities', 'connectors', 'customers')`.execute(
              transaction,
            );
            return rows[0] ?? { whole: NaN, indexed: NaN };
          };
          // Reading a few pages whole would be cheaper than using an index.
          if (isSmall) await sql`set local enable_seqscan = off`.execute(transaction);
          const before = await count();
          await work(transaction);
          const after = await count();
          expect(after.whole - before.whole).toBe(0);
          return after.indexed - before.indexed;
        });
  });
});

interface QueueRow {
  readonly customer: string;
  readonly kind: string;
  /** Null if the customer waits. */
  readonly dueAt: Date | null;
  readonly firstJobAt: Date;
}

async function queueOf(db: Kysely<Tables>): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    select customer_id as customer, kind, case when due_at <= now() then null else due_at end as "dueAt",
      first_job_at as "firstJobAt"
    from sync_queue order by customer_id, kind`.execute(db);
  return rows;
}

/** Derives the queue from the tables in which the state is stored. */
async function expectedQueue(db: Kysely<Tables>): Promise<QueueRow[]> {
  const { rows } = await sql<{
    customer: string;
    kind: string;
    connector: string;
    next: Date;
    leaseUntil: Date | null;
    now: Date;
  }>`
    select customer_id as customer, kind, connectors.id as connector, coalesce(resume_at, due_at) as next,
      lease_until as "leaseUntil", now()::timestamptz(3) as now
    from organizations join connectors on connectors.organization_id = organizations.id
      join synced_entities on connector_id = connectors.id
    where status = 'active' and connectors.disabled_at is null and incident_id is null and delete_at is null
      and organizations.disabled_at is null
    order by customer_id, kind, connectors.id`.execute(db);
  const byCustomer = Map.groupBy(rows, ({ customer, kind }) => `${customer} ${kind}`);
  return [...byCustomer.values()].flatMap(ofCustomer => {
    const times = [...Map.groupBy(ofCustomer, ({ connector }) => connector).values()].flatMap(ofConnector => {
      const leased = ofConnector.filter(({ leaseUntil }) => leaseUntil !== null);
      const free = ofConnector.filter(({ leaseUntil }) => leaseUntil === null);
      return [
        ...leased.map(({ next, leaseUntil }) => Math.max(next.getTime(), leaseUntil?.getTime() ?? 0)),
        ...(leased.length < 3 ? free.map(({ next }) => next.getTime()) : []),
      ];
    });
    const [{ customer, kind, now }] = ofCustomer as [(typeof ofCustomer)[number]];
    const first = Math.min(...times);
    const firstJob = Math.min(...ofCustomer.map(({ next }) => next.getTime()));
    return [
      {
        customer,
        kind,
        dueAt: first <= now.getTime() ? null : new Date(first),
        firstJobAt: new Date(firstJob),
      },
    ];
  });
}
