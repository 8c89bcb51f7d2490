import { randomInt } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';

/**
 * The class of the two-key advisory locks for liveness ids, which separates them from other locks in the
 * database.
 */
const lockClass = 1_129_270_869;

/** Returns a random id that is practically unique among processes. */
export function chooseLivenessId(): number {
  return randomInt(2 ** 31 - 1);
}

/** Returns an SQL statement that marks a liveness id as alive until the connection closes. */
export function holdLivenessId(id: number): string {
  return `select pg_advisory_lock(${lockClass}, ${id})`;
}

/** Returns an SQL expression for whether the process with this liveness id is connected to the database. */
export function isAlive(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from pg_locks
    where locktype = 'advisory' and objsubid = 2 and granted and classid = ${lockClass}::oid and objid = ${id}::oid
      and database = (select oid from pg_database where datname = current_database()))`;
}
