import { CompiledQuery, sql, type Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
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
 * Rows per delete statement, so that it finishes within the statement timeout and other work can run in
 * between.
 */
const maxDeletedRows = 5_000;

/** Whose records a page has, and which full run they belong to. */
export interface WriteTarget {
  readonly connector: ConnectorRef;
  readonly generation: number;
}

/** Records of one table, prepared for {@link writePage}. */
export interface PreparedPage {
  /** The values of each column, as {@link columnArray} writes them. */
  readonly columns: readonly string[];
}

/**
 * Prepares a page for {@link writePage}, which takes much of the time and can be done while the previous page
 * is written. Of several records with the same key, keeps the last one. Drops records without a key.
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

/** Prepares and writes a page, see {@link writePage}. */
export async function upsertRecords(
  db: Kysely<Tables>,
  table: RecordTable,
  target: WriteTarget,
  records: readonly SearchRecord[],
): Promise<number | null> {
  return writePage(db, table, target, preparePage(table, records));
}

/**
 * Inserts new records of a page and replaces existing ones, in one statement.
 * @param target its `generation` is the number of the full run, for {@link removeVanished}.
 * @returns the number of records written; null, with nothing written, if the connector was deleted.
 */
export async function writePage(
  db: Kysely<Tables>,
  table: RecordTable,
  { connector, generation }: WriteTarget,
  { columns }: PreparedPage,
): Promise<number | null> {
  const { statement } = writerOf(table);
  const { rows } = await db.executeQuery<{ exists: boolean; written: number }>(
    CompiledQuery.raw(statement, [connector.organizationId, connector.id, generation, ...columns]),
  );
  const [result] = rows;
  return result?.exists ? result.written : null;
}

/** Deletes the records that the full run of this generation did not find. Returns how many. */
export async function removeVanished(
  db: Kysely<Tables>,
  table: RecordTable,
  connectorId: string,
  generation: number,
): Promise<number> {
  return deleteInSteps(db, table, connectorId, sql`and ${sql.id(generationColumn)} < ${generation}`);
}

/** Deletes a connector's records in these tables. Returns how many. */
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
 * Deletes the records of deleted connectors, which a trigger lists in `deleted_connectors`. Can be
 * interrupted at any time, and run by several processes at the same time.
 * @returns the number of connectors.
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
 * Updates the planner's statistics of a table, which takes about a second. After a first run it is worth
 * that: PostgreSQL would do so only after minutes, and PGlite never.
 */
export async function analyzeRecords(db: Kysely<Tables>, table: RecordTable): Promise<void> {
  await sql`analyze ${sql.id(table.name)}`.execute(db);
}

/**
 * Vacuums a table when a fifth of its rows are dead. PostgreSQL does so by itself; in PGlite, a table would
 * grow by its size with every full run. Blocks PGlite's other queries, for about twenty seconds per million
 * rewritten records.
 * @param maintenance the database without a statement timeout.
 */
export async function vacuumRecords(maintenance: Kysely<Tables>, table: RecordTable): Promise<void> {
  // PostgreSQL publishes its counts about every second.
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
  narrowing = sql``,
): Promise<number> {
  for (let count = 0; ;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.id(table.name)} where ctid = any(array(
        select ctid from ${sql.id(table.name)}
        where ${sql.id(connectorColumn)} = ${connectorId} ${narrowing}
        limit ${maxDeletedRows} for update))`.execute(db);
    count += Number(numAffectedRows);
    if (numAffectedRows === 0n) return count;
  }
}

/** Prepared once per table. */
interface Writer {
  readonly statement: string;
  readonly fields: readonly FieldColumn[];
  /** The values of a record, in the order of the fields. */
  readonly read: (record: SearchRecord) => readonly ColumnValue[];
  /** Returns null if a required part of the key is missing. */
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
 * Writes the upsert of a page, with one array per field. It locks the connector's row, so that the connector
 * is deleted either before, and nothing is written, or after, and the records are found and deleted.
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
      returning 1
    )
    select exists (select from connector) as exists, (select count(*) from written) as written`;
}
