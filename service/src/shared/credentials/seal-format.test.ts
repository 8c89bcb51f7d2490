import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { readSealFormat } from './seal-format.ts';

onPostgresOrEachEngineInFull('the format of sealed values', database => {
  const clock = { now: () => Date.now() };
  const hourLater = { now: () => Date.now() + 3_700_000 };
  /** Makes the database look as if an earlier version had created it a moment before. */
  const createEarlier = () =>
    sql`update migrations set applied_at = applied_at - interval '1 second' where name like '0001%'`.execute(
      database().kysely,
    );

  test('seals values of a new database in the newest format', async () => {
    expect((await readSealFormat(database().kysely, clock))()).toBe(2);
  });

  test('seals values in the previous format for an hour after an update', async () => {
    await createEarlier();
    expect((await readSealFormat(database().kysely, clock))()).toBe(1);
    expect((await readSealFormat(database().kysely, hourLater))()).toBe(2);
  });
});
