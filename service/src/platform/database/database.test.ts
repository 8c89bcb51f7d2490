import { ConnectorAuthError } from '@connector-auth/api';
import { sql, type RawBuilder } from 'kysely';
import { expect, inject, test } from 'vitest';
import { onEachEngine, openTestDatabase } from '../../../test/engines.ts';
import { until } from '../../../test/until.ts';
import { jsonb } from './values.ts';

onEachEngine('the database', (database, engine) => {
  test('the database reports its engine and responds to a ping', async () => {
    expect(database().engine).toBe(engine);
    await database().ping();
  });

  test('returns the same values on both engines', async () => {
    const { rows } = await sql`
      select 7::int8 as small, 9007199254740993::int8 as large, ${9223372036854775807n}::int8 as largest,
        timestamptz '2026-01-31 12:00:00.123+02' as moment, date '2026-01-31' as day, 1.50::numeric as exact,
        ${Buffer.from([0, 255])}::bytea as bytes, ${['a', 'b,"c']}::text[] as texts, true as yes, null as nothing,
        array[7, null, 9007199254740993]::int8[] as integers, array['2026-01-31']::date[] as days,
        array[1.50]::numeric[] as exacts, '{}'::int8[] as none,
        ${jsonb({ id: 1234567890123456789n, list: [1, 'é'] })} as document,
        current_setting('TimeZone') as zone`.execute(database().kysely);
    expect(rows).toEqual([
      {
        small: 7,
        large: 9007199254740993n,
        largest: 9223372036854775807n,
        moment: new Date('2026-01-31T10:00:00.123Z'),
        day: '2026-01-31',
        exact: '1.50',
        bytes: Buffer.from([0, 255]),
        texts: ['a', 'b,"c'],
        yes: true,
        nothing: null,
        integers: [7, null, 9007199254740993n],
        days: ['2026-01-31'],
        exacts: ['1.50'],
        none: [],
        document: { id: 1234567890123456789n, list: [1, 'é'] },
        zone: 'UTC',
      },
    ]);
  });

  test("rejects a failed statement with PostgreSQL's own error", async () => {
    await expect(sql`select 1 / 0`.execute(database().kysely)).rejects.toMatchObject({
      name: 'error',
      code: '22012',
    });
  });

  test('rolls back a transaction whose callback throws', async () => {
    const { kysely } = database();
    await sql`create table drafts (id int primary key)`.execute(kysely);
    const failure = new Error('changed my mind');
    await expect(
      kysely.transaction().execute(async transaction => {
        await sql`insert into drafts values (1)`.execute(transaction);
        throw failure;
      }),
    ).rejects.toBe(failure);
    expect((await sql`select * from drafts`.execute(kysely)).rows).toEqual([]);
  });

  if (engine === 'postgres') {
    test('rejects queries with overloaded when the server closes the connection, then reconnects', async () => {
      const { kysely } = database();
      const dropped = sql`select pg_terminate_backend(pg_backend_pid())`.execute(kysely);
      await expect(dropped).rejects.toMatchObject({ code: 'overloaded' });
      const transaction = kysely.transaction().execute(async transaction => {
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(transaction);
      });
      await expect(transaction).rejects.toMatchObject({ code: 'overloaded' });
      await database().ping();
    });
  }

  if (engine === 'postgres') {
    test('ends a transaction that takes too long in total', async () => {
      const { url } = inject('postgres');
      const limited = await openTestDatabase(
        { databaseUrl: `${url}/postgres` },
        { appliesMigrations: false, transactionTimeoutMs: 50 },
      );
      const transaction = limited.kysely.transaction().execute(async transaction => {
        for (;;) await sql`select pg_sleep(0.02)`.execute(transaction);
      });
      await expect(transaction).rejects.toMatchObject({ code: 'overloaded' });
      await limited.ping();
      await limited.close();
    });
  }

  test('returns the number of rows that a statement changed', async () => {
    const { kysely } = database();
    await sql`create table counted (id int)`.execute(kysely);
    const inserted = await sql`insert into counted select generate_series(1, 3)`.execute(kysely);
    expect(inserted.numAffectedRows).toBe(3n);
  });

  test('hides the writes of a transaction until it is committed', async () => {
    const { kysely } = database();
    await sql`create table seen (id int)`.execute(kysely);
    const written = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const transaction = kysely.transaction().execute(async transaction => {
      await sql`insert into seen values (1)`.execute(transaction);
      written.resolve();
      await mayCommit.promise;
    });
    await written.promise;
    // This waits for the transaction on PGlite but not on PostgreSQL; neither may show uncommitted rows.
    const early = sql<{ count: number }>`select count(*) from seen`.execute(kysely);
    if (engine === 'postgres') expect((await early).rows).toEqual([{ count: 0 }]);
    mayCommit.resolve();
    await transaction;
    if (engine === 'pglite') expect((await early).rows).toEqual([{ count: 1 }]);
  });
});

onEachEngine(
  'a busy database',
  (database, engine) => {
    const slow = sql`select count(*) from generate_series(1, 1000000000)`;
    /** Runs a statement again while it exceeds the time limit, as on a busy machine, where PGlite first has to restart. */
    const untilInTime = (statement: RawBuilder<unknown>) => until(() => statement.execute(database().kysely));

    test('rejects a statement that exceeds its time limit with 503 overloaded, and executes the next one', async () => {
      const failure = await slow.execute(database().kysely).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ConnectorAuthError);
      expect(failure).toMatchObject({ code: 'overloaded', status: 503, retryAfterSeconds: 1 });
      expect(failure).toHaveProperty('message', 'The database query timed out; try again in a moment');
      await untilInTime(sql`select 1`);
    });

    test('keeps committed rows when a later statement is cancelled', async () => {
      const { kysely } = database();
      await untilInTime(sql`create table if not exists committed (id int primary key)`);
      await untilInTime(sql`insert into committed values (1) on conflict do nothing`);
      const lost = kysely.transaction().execute(async transaction => {
        await sql`insert into committed values (2)`.execute(transaction);
        await slow.execute(transaction);
      });
      await expect(lost).rejects.toMatchObject({ code: 'overloaded' });
      expect((await untilInTime(sql`select id from committed`)).rows).toEqual([{ id: 1 }]);
    });

    test('does not block the event loop while a slow statement runs', async () => {
      const failure = slow.execute(database().kysely).catch((error: unknown) => error);
      let turns = 0;
      const counting = setInterval(() => turns++, 1);
      await failure;
      clearInterval(counting);
      // If the statement blocked the event loop, the timer would fire only once, at the end.
      expect(turns).toBeGreaterThan(5);
    });

    test('rejects queries immediately when the connection queue is full', async () => {
      const { kysely } = database();
      const capacity = (engine === 'pglite' ? 1 : 2) + 3;
      const release = Promise.withResolvers<void>();
      const blocker = kysely.transaction().execute(() => release.promise);
      const others = Array.from({ length: capacity - 1 }, () => sql`select 1`.execute(kysely));
      await expect(sql`select 1`.execute(kysely)).rejects.toMatchObject({ code: 'overloaded' });
      release.resolve();
      await Promise.all([blocker, ...others]);
    });
  },
  { statementTimeoutMs: 500, maxConnections: 2, maxWaiting: 3 },
);

onEachEngine(
  'a database with many queries of requests without a token',
  (database, engine) => {
    const share = engine === 'pglite' ? 1 : 4;
    /** Occupies the whole share of requests without a token until released. */
    const occupyShare = async () => {
      const mayEnd = Promise.withResolvers<void>();
      const begun = Array.from({ length: share }, () => Promise.withResolvers<void>());
      const transactions = begun.map(({ resolve }) =>
        database()
          .anonymous.transaction()
          .execute(() => (resolve(), mayEnd.promise)),
      );
      await Promise.all(begun.map(({ promise }) => promise));
      return async () => {
        mayEnd.resolve();
        await Promise.all(transactions);
      };
    };

    if (engine === 'postgres') {
      test('lets requests without a token use four fifths of the connections, and leaves the rest to others', async () => {
        const release = await occupyShare();
        let hasRun = false;
        const waiting = sql`select 1`.execute(database().anonymous).then(() => (hasRun = true));
        for (let count = 0; count < 5; count += 1) await sql`select 1`.execute(database().kysely);
        const hasRunEarly = hasRun;
        await release();
        expect(await waiting).toBe(true);
        expect(hasRunEarly).toBe(false);
      });

      test('lets operators sign in while requests without a token use their whole share', async () => {
        const release = await occupyShare();
        await sql`select 1`.execute(database().operators);
        await release();
      });
    }

    test('rejects a query of a request without a token at once while 100 others are waiting', async () => {
      const { anonymous } = database();
      const release = await occupyShare();
      const waiting = Array.from({ length: 100 }, () => sql`select 1`.execute(anonymous));
      const rejected = sql`select 1`.execute(anonymous).catch((error: unknown) => error);
      await release();
      await Promise.all(waiting);
      expect(await rejected).toMatchObject({
        code: 'overloaded',
        message: 'Too many requests without a token are waiting for the database; try again in a moment',
      });
      await sql`select 1`.execute(anonymous);
    });

    test('frees the connection of a request without a token whose query fails', async () => {
      const { anonymous } = database();
      for (let count = 0; count <= share; count += 1) {
        await expect(sql`select 1 / 0`.execute(anonymous)).rejects.toMatchObject({ code: '22012' });
      }
      await sql`select 1`.execute(anonymous);
    });
  },
  { maxConnections: 5 },
);
