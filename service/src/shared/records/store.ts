import { CompiledQuery, sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { ConnectorRef } from '../repositories/connectors.ts';
import { columnArray } from './column-array.ts';
import { columnValueOf, type ColumnValue } from './column-value.ts';
import {
  connectorColumn,
  generationColumn,
  quote,
  type FieldColumn,
  type RecordTable,
  type RecordTables,
} from './record-table.ts';

type SearchRecord = Readonly<Record<string, unknown>>;

/**
 * Maximum number of rows per delete statement, so that each statement finishes within the timeout and other
 * work can run in between.
 */
const maxDeletedRows = 5_000;

/** The connector to which a page belongs, and the full run that found the page. */
export interface WriteTarget {
  readonly connector: ConnectorRef;
  readonly generation: number;
}

/** A page of records that is prepared for {@link writePage}. */
export interface PreparedPage {
  /** One PostgreSQL array literal per column, created by {@link columnArray}. */
  readonly columns: readonly string[];
}

/**
 * Prepares a page for {@link writePage}. Preparing a page accounts for much of the total time, and can be
 * done while the previous page is being written. If several records have the same key, keeps the last one.
 * Drops records without a key.
 */
export function preparePage(table: RecordTable, records: readonly SearchRecord[]): PreparedPage {
  const { fields, read, keyOf } = writerOf(table);
  const rows = new Map<string, readonly ColumnValue[]>();
  for (const record of records) {
    const row = read(record);
    const key = keyOf(row);
    if (key !== null) rows.set(key, row);
  }
  const distinct = [...rows.values()];
  return {
    columns: fields.map((field, position) =>
      columnArray(
        field,
        distinct.map(row => row[position] ?? null),
      ),
    ),
  };
}

/** Prepares and writes a page; see {@link writePage}. */
export async function upsertRecords(
  db: Kysely<Tables>,
  table: RecordTable,
  target: WriteTarget,
  records: readonly SearchRecord[],
): Promise<number | null> {
  return (await writePage(db, table, target, preparePage(table, records)))?.written ?? null;
}

/** How many records a page had, and how many of them were not stored before. */
export interface WrittenPage {
  readonly written: number;
  readonly added: number;
}

/**
 * Inserts the new records of a page and replaces existing ones, in one statement.
 * @param target its `generation` is the number of the full run, used by {@link removeVanished}.
 * @returns null if nothing was written because the connector was deleted.
 */
export async function writePage(
  db: Kysely<Tables>,
  table: RecordTable,
  { connector, generation }: WriteTarget,
  { columns }: PreparedPage,
): Promise<WrittenPage | null> {
  const { statement } = writerOf(table);
  const { rows } = await db.executeQuery<WrittenPage & { exists: boolean }>(
    CompiledQuery.raw(statement, [connector.organizationId, connector.id, generation, ...columns]),
  );
  const [result] = rows;
  return result?.exists ? result : null;
}

/**
 * Deletes the records that the full run with this generation did not find. Returns the number of deleted
 * records.
 * @param onDeleted called in the transaction of each step with the number of records that it deleted.
 */
export async function removeVanished(
  db: Kysely<Tables>,
  table: RecordTable,
  connectorId: string,
  generation: number,
  onDeleted?: (transaction: Transaction<Tables>, count: number) => Promise<void>,
): Promise<number> {
  const narrowing = sql`and ${sql.id(generationColumn)} < ${generation}`;
  return deleteInSteps(db, table, connectorId, { narrowing, onDeleted });
}

/** Deletes a connector's records from the given tables. Returns the number of deleted records. */
export async function deleteRecords(
  db: Kysely<Tables>,
  tables: readonly RecordTable[],
  connectorId: string,
): Promise<number> {
  let count = 0;
  for (const table of tables) count += await deleteInSteps(db, table, connectorId);
  return count;
}

/**
 * Deletes the records of deleted connectors, which a trigger adds to `deleted_connectors`. Can be interrupted
 * at any time, and several processes can run it concurrently.
 * @returns the number of connectors whose records were deleted.
 */
export async function deleteOrphans(db: Kysely<Tables>, tables: RecordTables): Promise<number> {
  const { rows } = await sql<{ id: string; kind: string }>`
    select id, kind from deleted_connectors order by deleted_at`.execute(db);
  for (const { id, kind } of rows) {
    await deleteRecords(db, tables.ofKind(kind), id);
    await sql`delete from deleted_connectors where id = ${id}`.execute(db);
  }
  return rows.length;
}

/**
 * Updates a table's planner statistics, which takes about a second. This pays off after a first run, because
 * PostgreSQL would not update them until minutes later, and PGlite would never do so.
 */
export async function analyzeRecords(db: Kysely<Tables>, table: RecordTable): Promise<void> {
  // Waiting for an index that is being built would be a deadlock, because building waits for older statements.
  await sql`analyze (skip_locked) ${sql.id(table.name)}`.execute(db);
}

/**
 * Vacuums a table if at least a fifth of its rows are dead. PostgreSQL does this automatically; in PGlite,
 * each full run would otherwise grow a table by its full size. Blocks all other PGlite queries for about
 * twenty seconds per million rewritten records.
 * @param maintenance a database handle with the time limit for maintenance.
 */
export async function vacuumRecords(maintenance: Kysely<Tables>, table: RecordTable): Promise<void> {
  // PostgreSQL updates its row counts only about once per second.
  await sql`select pg_stat_force_next_flush()`.execute(maintenance);
  const { rows } = await sql`
    select from pg_stat_user_tables where relid = ${table.name}::regclass and n_dead_tup * 4 > n_live_tup`.execute(
    maintenance,
  );
  if (rows.length > 0) await sql`vacuum ${sql.id(table.name)}`.execute(maintenance);
}

export async function countRecords(
  db: Kysely<Tables>,
  table: RecordTable,
  connectorId: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.id(table.name)} where ${sql.id(connectorColumn)} = ${connectorId}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

async function deleteInSteps(
  db: Kysely<Tables>,
  table: RecordTable,
  connectorId: string,
  {
    narrowing = sql``,
    onDeleted,
  }: {
    readonly narrowing?: RawBuilder<unknown>;
    readonly onDeleted?: Parameters<typeof removeVanished>[4];
  } = {},
): Promise<number> {
  const deleteStep = (): Promise<number> =>
    db.transaction().execute(async transaction => {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.id(table.name)} where ctid = any(array(
          select ctid from ${sql.id(table.name)}
          where ${sql.id(connectorColumn)} = ${connectorId} ${narrowing}
          limit ${maxDeletedRows} for update))`.execute(transaction);
      const count = Number(numAffectedRows);
      if (count > 0) await onDeleted?.(transaction, count);
      return count;
    });
  for (let total = 0; ;) {
    const count = await deleteStep();
    total += count;
    if (count === 0) return total;
  }
}

/** The upsert statement and conversions for a table, created once per table. */
interface Writer {
  readonly statement: string;
  readonly fields: readonly FieldColumn[];
  /** Returns the column values of a record, in field order. */
  readonly read: (record: SearchRecord) => readonly ColumnValue[];
  /** Returns the key of a record, or null if a required part is missing. */
  readonly keyOf: (row: readonly ColumnValue[]) => string | null;
}

const writers = new WeakMap<RecordTable, Writer>();

function writerOf(table: RecordTable): Writer {
  const known = writers.get(table);
  if (known) return known;
  const fields = [...table.fields.values()];
  const columns = fields.map(field => ({ name: field.field, convert: columnValueOf(field) }));
  const key = table.key.map(part => ({ position: fields.indexOf(part), isNullable: part.isNullable }));
  const writer: Writer = {
    statement: upsertStatement(table),
    fields,
    read: record => columns.map(({ name, convert }) => convert(record[name])),
    keyOf: row => {
      const parts = key.map(({ position, isNullable }) => ({ value: row[position] ?? null, isNullable }));
      if (parts.some(({ value, isNullable }) => value === null && !isNullable)) return null;
      return JSON.stringify(parts.map(({ value }) => value));
    },
  };
  writers.set(table, writer);
  return writer;
}

/**
 * Returns the statement that upserts a page, with one array parameter per field. The statement locks the
 * connector's row, so a concurrent deletion of the connector either comes first, and nothing is written, or
 * comes later, and also deletes these records. PostgreSQL sets `xmax` only of rows that replace another one.
 */
function upsertStatement(table: RecordTable): string {
  const fields = [...table.fields.values()];
  const columns = fields.map(({ column }) => quote(column));
  const keyColumns = [connectorColumn, ...table.key.map(({ column }) => column)].map(quote);
  const generation = quote(generationColumn);
  const updates = [
    generation,
    ...fields.filter(field => !table.key.includes(field)).map(({ column }) => quote(column)),
  ];
  return `
    with connector as (
      select id from connectors where organization_id = $1 and id = $2 for key share
    ), written as (
      insert into ${quote(table.name)} (${[quote(connectorColumn), generation, ...columns].join(', ')})
      select connector.id, $3::bigint, page.*
      from connector, unnest(${fields.map(({ sqlType }, position) => `$${position + 4}::${sqlType}[]`).join(', ')}) as page
      on conflict (${keyColumns.join(', ')}) do update
      set ${updates.map(column => `${column} = excluded.${column}`).join(', ')}
      returning xmax = 0 as is_new
    )
    select exists (select from connector) as exists, count(*) as written, count(*) filter (where is_new) as added
    from written`;
}
