import { sql, type Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Returns whether a time is in the future, by the database's clock, which all processes share. */
export async function isInFuture(db: Kysely<Tables>, time: Date): Promise<boolean> {
  const { rows } = await sql<{ isLater: boolean }>`
    select ${time}::timestamptz > now() as "isLater"`.execute(db);
  return rows[0]?.isLater === true;
}
