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

/** Rows deleted by one statement: other work gets its turn in between, and no statement runs into its time limit. */
const deletedAtOnce = 5_000;

/** Records of one table, ready to be written. */
export interface PreparedPage {
  /** For each column its values, as {@link columnArray} writes them. */
  readonly columns: readonly string[];
}

/**
 * Makes a page ready for {@link writePage}: a good part of the work, and one that can be done while the page before is written. Of
 * several records with one key the last counts; a record without its key cannot be told apart from others and is left out.
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

/** Prepares records and writes them, see {@link writePage}. */
export async function upsertRecords(
  db: Kysely<Tables>,
  table: RecordTable,
  connector: ConnectorRef,
  generation: number,
  records: readonly SearchRecord[],
): Promise<number | null> {
  return writePage(db, table, connector, generation, preparePage(table, records));
}

/**
 * Writes a page of records: new ones are added, known ones (by primary key) replaced, in one statement. All carry the generation.
 * @param generation number of the walk: what a full walk did not write again has vanished, see {@link removeVanished}.
 * @returns how many were written; null when the connector was deleted, and nothing was written.
 */
export async function writePage(
  db: Kysely<Tables>,
  table: RecordTable,
  connector: ConnectorRef,
  generation: number,
  { columns }: PreparedPage,
): Promise<number | null> {
  const { statement } = writerOf(table);
  const { rows: told } = await db.executeQuery<{ exists: boolean; written: number }>(
    CompiledQuery.raw(statement, [connector.organizationId, connector.id, generation, ...columns]),
  );
  const [result] = told;
  return result?.exists ? result.written : null;
}

/** Deletes a connector's records that a full walk of this generation did not see. Returns how many. */
export async function removeVanished(
  db: Kysely<Tables>,
  table: RecordTable,
  connectorId: string,
  generation: number,
): Promise<number> {
  return deleteInSteps(db, table, connectorId, sql`and ${sql.id(generationColumn)} < ${generation}`);
}

/** Deletes all records of a connector in some tables. Returns how many. */
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
 * Deletes the records of connectors that are gone. A trigger notes each deleted connector, however it was deleted; a note goes when
 * nothing of the connector is left. Safe to run twice at once, and to stop anywhere.
 * @returns how many connectors were cleared.
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
 * Tells the planner what a table holds. Worth its second after a first walk; a PostgreSQL server comes to it by itself within
 * minutes, the embedded engine never.
 */
export async function analyzeRecords(db: Kysely<Tables>, table: RecordTable): Promise<void> {
  await sql`analyze ${sql.id(table.name)}`.execute(db);
}

/**
 * Gives back the room of what walks rewrote, once it is a fifth of the table. A PostgreSQL server comes to it by itself; in the embedded
 * engine nobody else does, and a table would grow by its own size with every full walk. Everybody waits meanwhile: some twenty seconds
 * for a million records rewritten.
 * @param maintenance the database without the limit of a request's statements.
 */
export async function vacuumRecords(maintenance: Kysely<Tables>, table: RecordTable): Promise<void> {
  // What was counted is published every second or so; this does it now.
  await sql`select pg_stat_force_next_flush()`.execute(maintenance);
  const { rows } = await sql`
    select from pg_stat_user_tables where relid = ${table.name}::regclass and n_dead_tup * 4 > n_live_tup`.execute(
    maintenance,
  );
  if (rows.length > 0) await sql`vacuum ${sql.id(table.name)}`.execute(maintenance);
}

/** How many records of a connector there are. */
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
        limit ${deletedAtOnce} for update))`.execute(db);
    count += Number(numAffectedRows);
    if (numAffectedRows === 0n) return count;
  }
}

/** What writes into one table, made once. */
interface Writer {
  readonly statement: string;
  readonly fields: readonly FieldColumn[];
  /** The values of a record, in the order of the fields. */
  readonly read: (record: SearchRecord) => readonly ColumnValue[];
  /** Null when a part that must be there is not. */
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
 * A page in one statement, an array for each field. The connector's row is held for as long, so that a deletion of the connector comes
 * before, and nothing is written, or after, and finds the records to delete.
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
