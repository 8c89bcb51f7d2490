import { randomInt } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';

/** Distinguishes these two-key advisory locks from others in the database. */
const lockClass = 1_129_270_869;

/** Returns a random number that practically no other process has. */
export function chooseLivenessId(): number {
  return randomInt(2 ** 31 - 1);
}

/** Returns the statement by which a connection marks a liveness id as alive until the connection ends. */
export function holdLivenessId(id: number): string {
  return `select pg_advisory_lock(${lockClass}, ${id})`;
}

/** Returns SQL for whether the process with a liveness id is connected to the database. */
export function isAlive(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from pg_locks
    where locktype = 'advisory' and objsubid = 2 and granted and classid = ${lockClass}::oid and objid = ${id}::oid
      and database = (select oid from pg_database where datname = current_database()))`;
}
