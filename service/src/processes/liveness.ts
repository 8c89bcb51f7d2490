import { randomInt } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';

/** Marks our advisory locks of two numbers among those of others. */
const lockClass = 1_129_270_869;

/** A number for this process; no other one has it, as good as certainly. */
export function chooseLivenessId(): number {
  return randomInt(2 ** 31 - 1);
}

/** The statement by which a connection makes a number present: until it ends, whatever ends it. */
export function holdLivenessId(id: number): string {
  return `select pg_advisory_lock(${lockClass}, ${id})`;
}

/** Whether a number is present: whether the process that chose it is connected to the database. */
export function isAlive(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from pg_locks
    where locktype = 'advisory' and objsubid = 2 and granted and classid = ${lockClass}::oid and objid = ${id}::oid
      and database = (select oid from pg_database where datname = current_database()))`;
}
