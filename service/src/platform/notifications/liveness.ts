import { randomInt } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';

/**
 * The class of the two-key advisory locks for liveness ids, which separates them from other locks in the
 * database.
 */
const lockClass = 1_129_270_869;

/** The class of the locks that say which columns of the record tables a process knows. */
const columnsClass = 1_129_270_870;

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
  return sql<boolean>`exists (select from pg_locks as alive where ${isHeld('alive', lockClass)} and objid = ${id}::oid)`;
}

/** Returns an SQL statement that says up to which version this process knows the columns, until the connection closes. */
export function holdColumnsVersion(version: number): string {
  return `select pg_advisory_lock_shared(${columnsClass}, ${version})`;
}

/** Returns an SQL expression for whether all connected processes know the columns up to a version. Those of earlier versions do not. */
export function knownByAll(version: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`not exists (select from pg_locks as alive where ${isHeld('alive', lockClass)} and not exists (
    select from pg_locks as known
    where ${isHeld('known', columnsClass)} and known.pid = alive.pid and known.objid::bigint >= ${version}))`;
}

function isHeld(alias: string, lockClass: number): RawBuilder<boolean> {
  const lock = (column: string) => sql.id(alias, column);
  return sql<boolean>`${lock('locktype')} = 'advisory' and ${lock('objsubid')} = 2 and ${lock('granted')}
    and ${lock('classid')} = ${lockClass}::oid
    and ${lock('database')} = (select oid from pg_database where datname = current_database())`;
}
