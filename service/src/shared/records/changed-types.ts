/**
 * The columns of fields whose type has changed. A process decides when it starts which ones it uses, and keeps to it:
 *
 * - It writes the columns of all types, converted, so that processes with either version of the kind find what the other has stored.
 * - Its searches of a connector read the column of another type until its own is filled: until a full run, in which only processes
 *   took part that know the column, has stored all records.
 * - It does not use the column of another type any more if its own is filled for all connectors and no process with an earlier version
 *   of the kind runs. Once all processes do without the column, it is dropped.
 */
import type { Kind } from '@connector-auth/connectors/kind';
import { sql, type Kysely } from 'kysely';
import { untilUnlocked } from '../../platform/database/schema-locks.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { silentLog, type Log } from '../../platform/log/log.ts';
import { knownByAll } from '../../platform/notifications/liveness.ts';
import { changeSchema, noteColumn, readColumns } from './ensure.ts';
import { RecordTables, type FieldColumn, type RecordTable } from './record-table.ts';

/**
 * Reads which columns the record tables have, and returns the tables as this process uses them.
 * @throws Error with a message for the operator if the type of a key has changed.
 */
export async function readRecordTables(db: Kysely<Tables>, kinds: readonly Kind[]): Promise<RecordTables> {
  return new RecordTables(kinds, await readColumns(db));
}

/** Same as {@link readRecordTables}, but first ends the use of columns that are no longer needed, and drops those of earlier starts. */
export async function openRecordTables(
  db: Kysely<Tables>,
  kinds: readonly Kind[],
  log: Log = silentLog,
): Promise<RecordTables> {
  await dropUnusedColumns(db, log);
  const tables = await readRecordTables(db, kinds);
  const changed = tables.all.filter(({ others }) => others.length > 0);
  if (changed.length === 0) return tables;
  await untilUnlocked(log, () =>
    changeSchema(db, async transaction => {
      for (const table of changed) {
        for (const other of table.others) {
          if (!(await isNeeded(transaction, table, other)))
            await sql.raw(noteColumn(table, other, 'unused')).execute(transaction);
        }
      }
      return true;
    }),
  );
  return readRecordTables(db, kinds);
}

/** Returns whether a process may read the column of another type of a field, now or until the column of its own type is filled. */
async function isNeeded(db: Kysely<Tables>, table: RecordTable, other: FieldColumn): Promise<boolean> {
  const { name, kind, entity } = table;
  const own = table.fields.get(other.field)?.column ?? '';
  const { rows } = await sql`
    select from added_record_columns as own
      left join added_record_columns as other on other.table_name = ${name} and other.column_name = ${other.column}
    where own.table_name = ${name} and own.column_name = ${own} and own.unused_version is null
      and own.declared_version > coalesce(other.declared_version, 0) and ${knownByAll(sql`own.declared_version`)}
      and not exists (
        select from synced_entities join connectors
          on connectors.organization_id = synced_entities.organization_id and connectors.id = connector_id
        where kind = ${kind} and entity = ${entity} and records > 0 and columns_version < own.added_version)`.execute(
    db,
  );
  return rows.length === 0;
}

/**
 * Drops the columns that no process uses any more. Leaves out those of tables that this role does not own, and those whose table is in
 * use for longer than a change may wait: the next start drops them.
 */
export async function dropUnusedColumns(db: Kysely<Tables>, log: Log = silentLog): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from added_record_columns
      join pg_class on relname = table_name and relnamespace = current_schema()::regnamespace
      join pg_attribute on attrelid = pg_class.oid and attname = column_name and not attisdropped
    where unused_version is not null and pg_has_role(relowner, 'usage') and ${knownByAll(sql`unused_version`)}`.execute(
    db,
  );
  for (const { table, column } of rows) {
    try {
      const isDropped = await changeSchema(db, async transaction => {
        const { rows: unused } = await sql`
          select from added_record_columns
          where table_name = ${table} and column_name = ${column} and unused_version is not null`.execute(
          transaction,
        );
        // A process that has started since may use the column again.
        if (unused.length === 0) return false;
        await sql`alter table ${sql.id(table)} drop column if exists ${sql.id(column)}`.execute(transaction);
        return true;
      });
      if (isDropped === true) log.info('record_column_dropped', { table, column });
    } catch (error) {
      log.info('record_column_not_dropped', { table, column, error });
    }
  }
}
