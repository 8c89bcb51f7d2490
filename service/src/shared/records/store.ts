import { CompiledQuery, sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { ConnectorRef } from '../repositories/connectors.ts';
import { deleteChangesOf } from '../repositories/record-changes.ts';
import { columnArray } from './column-array.ts';
import { columnValueOf, type ColumnValue } from './column-value.ts';
import {
  connectorColumn,
  generationColumn,
  ofConnector,
  ofConnectorText,
  organizationColumn,
  quote,
  tenantColumns,
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

/** Maximum number of vanished records that are read at once. */
const maxVanishedRows = 50_000;

/** The connector to which a page belongs. */
export interface WriteTarget {
  readonly connector: ConnectorRef;
  /** Identifies the records that the current full run has seen. Null for an incremental run. */
  readonly seenRun: string | null;
  /** The columns that no full run has filled yet, see {@link findNewColumns}. Default: none. */
  readonly newColumns?: readonly string[];
  /** Whether hardly any record of the page is stored already, because no run has finished or found any. Default: false. */
  readonly isFirst?: boolean;
  /** Whether the commit does not wait until it is durable. Default: false. */
  readonly delaysCommit?: boolean;
}

/** A page of records that is prepared for {@link writePage}. */
export interface PreparedPage {
  /** The number of records. */
  readonly count: number;
  /** One PostgreSQL array literal per column, created by {@link columnArray}. */
  readonly columns: readonly string[];
}

/**
 * Prepares a page for {@link writePage}. Preparing a page accounts for much of the total time, and can be
 * done while the previous page is being written. If several records have the same key, keeps the last one.
 * Drops records without a key.
 */
export function preparePage(table: RecordTable, records: readonly SearchRecord[]): PreparedPage {
  const { columns, key } = writerOf(table);
  const byKey = new Map<string, SearchRecord>();
  for (const record of records) {
    const values = keyOf(key, record);
    if (values !== null) byKey.set(JSON.stringify(values), record);
  }
  const kept = [...byKey.values()];
  return {
    count: kept.length,
    columns: columns.map(({ field, convert }) =>
      columnArray(field, kept, record => convert(record[field.field])),
    ),
  };
}

/** The keys of records, prepared for {@link deleteByKeys}: the values of the key's parts for each record. */
export type PreparedKeys = readonly (readonly ColumnValue[])[];

/** Prepares the keys of records. Drops records without a key. */
export function prepareKeys(table: RecordTable, records: readonly SearchRecord[]): PreparedKeys {
  const { key } = writerOf(table);
  return records.flatMap(record => {
    const values = keyOf(key, record);
    return values === null ? [] : [values];
  });
}

/** Returns the values of a record's key, or null if a required part is missing. */
function keyOf(key: readonly Column[], record: SearchRecord): readonly ColumnValue[] | null {
  const values = key.map(({ field, convert }) => convert(record[field.field]));
  return values.some((value, part) => value === null && key[part]?.field.isNullable !== true) ? null : values;
}

/** Deletes the records with the given keys. Returns the number of deleted records. */
export async function deleteByKeys(
  db: Kysely<Tables>,
  table: RecordTable,
  { organizationId, id }: ConnectorRef,
  keys: PreparedKeys,
): Promise<number> {
  let total = 0;
  for (let start = 0; start < keys.length; start += maxDeletedRows) {
    const step = keys.slice(start, start + maxDeletedRows);
    const columns = table.key.map((field, part) => columnArray(field, step, values => values[part] ?? null));
    const statement = CompiledQuery.raw(writerOf(table).deleteByKey, [organizationId, id, ...columns]);
    const { rows } = await db.executeQuery<{ count: number }>(statement);
    total += rows[0]?.count ?? 0;
  }
  return total;
}

/** Prepares and writes a page. Returns the number of records, or null if the connector was deleted. */
export async function upsertRecords(
  db: Kysely<Tables>,
  table: RecordTable,
  target: WriteTarget,
  records: readonly SearchRecord[],
): Promise<number | null> {
  const page = preparePage(table, records);
  return (await writePage(db, table, target, page)) ? page.count : null;
}

/**
 * Returns the columns that were added to a table after the last complete full run of a connector began. A value in them is
 * not a change of the record.
 */
export async function findNewColumns(
  db: Kysely<Tables>,
  table: RecordTable,
  connector: ConnectorRef,
): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from added_record_columns join synced_entities on added_at >= fields_since
    where table_name = ${table.name} and organization_id = ${connector.organizationId}
      and connector_id = ${connector.id} and entity = ${table.entity} order by column_name`.execute(db);
  return rows.map(({ name }) => name);
}

/** The parts of a page's statement that store where the run is. By default, a page has none, and needs no lease. */
export interface PageSaving {
  /**
   * Selects and locks the connector, without a row if nothing may be written. The ids of its organization and its own are
   * the first parameters.
   */
  readonly connector: RawBuilder<unknown>;
  /** Stores where the run is. `connector` is the row above, `counts` how many records were `written` and `added`. */
  readonly save: RawBuilder<unknown>;
}

/**
 * Inserts the new records of a page and replaces the changed ones, in one statement. Does not write records that are
 * stored already, but stores that the full run has seen them. Adds the keys of changed records to the change feed.
 * @returns false if nothing was written, because the connector was deleted or the lease of `saving` was lost.
 */
export async function writePage(
  db: Kysely<Tables>,
  table: RecordTable,
  { connector, seenRun, newColumns = [], isFirst = false, delaysCommit = false }: WriteTarget,
  { columns }: PreparedPage,
  saving?: PageSaving,
): Promise<boolean> {
  const { insert, upsert } = writerOf(table);
  const known = isFirst ? insert : upsert;
  const written = newColumns.length === 0 ? known : upsertParts(table, newColumns);
  const ofConnector =
    saving?.connector ??
    sql`select organization_id, id, customer_id, kind from connectors
      where organization_id = ${connector.organizationId} and id = ${connector.id} for key share`;
  const fields = writtenColumns(table);
  const pageOf = (parts: readonly FieldColumn[]) => {
    const unnested = parts.map(part => {
      const array = sql`${columns[fields.indexOf(part)]}::${sql.raw(part.sqlType)}[]`;
      return sql`unnest(${array}) as ${sql.id(part.column)}`;
    });
    // As one function with several arrays, PostgreSQL would first store the rows of each.
    return sql`(select ${sql.join(unnested)}) as page`;
  };
  const { rows } = await sql<{ exists: boolean }>`
    with connector as (${ofConnector}), page as (select * from ${pageOf(fields)}), seen as (
      insert into seen_records (organization_id, connector_id, entity, run, key_hashes)
      select organization_id, id, ${table.entity}, ${seenRun}::uuid,
        array(select ${sql.raw(keyHash('page', table))} from ${pageOf(table.key)})
      from connector where ${seenRun}::uuid is not null
    ), ${sql.raw(written)}, counts as (
      select count(*) as written, count(*) filter (where is_new) as added from written
    ) ${saving ? sql`, saved as (${saving.save})` : sql``}
    select exists (select from connector) as exists
    ${delaysCommit ? sql`, set_config('synchronous_commit', 'off', true)` : sql``} from counts`.execute(db);
  return rows[0]?.exists === true;
}

/**
 * Deletes the records that a full run has not seen. Returns the number of deleted records. The caller ensures that the
 * run has seen all records of the vendor.
 * @param onDeleted called in the transaction of each step with the number of records that it deleted.
 */
export async function removeVanished(
  db: Kysely<Tables>,
  table: RecordTable,
  run: { readonly connector: ConnectorRef; readonly seenRun: string },
  onDeleted?: OnDeleted,
): Promise<number> {
  const { connector, seenRun } = run;
  const { findVanished } = writerOf(table);
  for (let total = 0; ;) {
    const keys = await db.transaction().execute(async transaction => {
      // The planner assumes few seen records, for which it may choose a loop in a loop.
      await sql`set local enable_nestloop = off`.execute(transaction);
      const parameters = [connector.organizationId, connector.id, table.entity, seenRun];
      const found = await transaction.executeQuery<Record<string, ColumnValue>>(
        CompiledQuery.raw(findVanished, parameters),
      );
      return found.rows.map(row => table.key.map(({ column }) => row[column] ?? null));
    });
    let deleted = 0;
    for (let start = 0; start < keys.length; start += maxDeletedRows) {
      const step = keys.slice(start, start + maxDeletedRows);
      deleted += await inDeletion(
        db,
        transaction => deleteByKeys(transaction, table, connector, step),
        onDeleted,
      );
    }
    total += deleted;
    // A delete skips the records that are being moved, to which `fillOrganizations` adds the organization.
    if (deleted === 0 || (deleted === keys.length && keys.length < maxVanishedRows)) return total;
  }
}

/**
 * Deletes a connector's records from the given tables. Returns the number of deleted records. Adds them to the change feed unless the
 * connector was deleted.
 * @param connector its `organizationId` is null if an older version has deleted the connector.
 */
export async function deleteRecords(
  db: Kysely<Tables>,
  tables: readonly RecordTable[],
  { organizationId, id }: { readonly organizationId: string | null; readonly id: string },
  onDeleted?: OnDeleted,
): Promise<number> {
  let total = 0;
  for (const table of tables) {
    const isOfConnector =
      organizationId === null
        ? sql`${sql.id(connectorColumn)} = ${id}`
        : ofConnector(table, table.name, { organizationId, id });
    const statement = sql`
      with deleted as (
        delete from ${sql.id(table.name)} where ctid = any(array(
          select ctid from ${sql.id(table.name)}
          where ${isOfConnector}
          limit ${maxDeletedRows} for update))
        returning ${sql.raw(keyColumns(table))}
      ), connector as (
        select organization_id, id, customer_id, kind from connectors
        where organization_id = ${organizationId}::uuid and id = ${id}::uuid
      ), logged as (${sql.raw(logStatement(table, `'${table.entity}'`, 'deleted'))})
      select count(*)::integer as count from deleted`.compile(db);
    for (let count; count !== 0; total += count) count = await deleteStep(db, statement, onDeleted);
  }
  return total;
}

/**
 * Deletes the records of deleted connectors, which a trigger adds to `deleted_connectors`, and their changes. Can be interrupted
 * at any time, and several processes can run it concurrently.
 * @returns the number of connectors whose records were deleted.
 */
export async function deleteOrphans(db: Kysely<Tables>, tables: RecordTables): Promise<number> {
  const { rows } = await sql<{ id: string; kind: string; organizationId: string | null }>`
    select id, kind, organization_id as "organizationId" from deleted_connectors order by deleted_at`.execute(
    db,
  );
  for (const { id, kind, organizationId } of rows) {
    await deleteRecords(db, tables.ofKind(kind), { organizationId, id });
    if (organizationId !== null) await deleteUndeclared(db, tables, { organizationId, id });
    if (organizationId !== null) await deleteChangesOf(db, { organizationId, id });
    await sql`delete from deleted_connectors where id = ${id}`.execute(db);
  }
  return rows.length;
}

/**
 * Deletes a deleted connector's records from the tables that no kind declares at present: its kind may not be loaded, or no longer
 * have the entity.
 */
async function deleteUndeclared(
  db: Kysely<Tables>,
  tables: RecordTables,
  connector: ConnectorRef,
): Promise<void> {
  const declared = tables.all.map(({ name }) => name);
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = ${organizationColumn}
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname like 'records\\_%'
      and relname <> all(${declared}::text[])`.execute(db);
  for (const { name } of rows) {
    const statement = sql`
      with deleted as (
        delete from ${sql.id(name)} where ctid = any(array(
          select ctid from ${sql.id(name)}
          where ${sql.id(organizationColumn)} = ${connector.organizationId} and ${sql.id(connectorColumn)} = ${connector.id}
          limit ${maxDeletedRows} for update))
        returning 1
      ) select count(*)::integer as count from deleted`.compile(db);
    while ((await deleteStep(db, statement)) > 0);
  }
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
export async function vacuumRecords(maintenance: Kysely<Tables>, table: string): Promise<void> {
  // PostgreSQL updates its row counts only about once per second.
  await sql`select pg_stat_force_next_flush()`.execute(maintenance);
  const { rows } = await sql`
    select from pg_stat_user_tables where relid = ${table}::regclass and n_dead_tup * 4 > n_live_tup`.execute(
    maintenance,
  );
  if (rows.length > 0) await sql`vacuum ${sql.id(table)}`.execute(maintenance);
}

export async function countRecords(
  db: Kysely<Tables>,
  table: RecordTable,
  connector: ConnectorRef,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.id(table.name)} where ${ofConnector(table, table.name, connector)}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

type OnDeleted = (transaction: Transaction<Tables>, count: number) => Promise<void>;

function deleteStep(db: Kysely<Tables>, statement: CompiledQuery, onDeleted?: OnDeleted): Promise<number> {
  const run = async (transaction: Transaction<Tables>): Promise<number> => {
    const { rows } = await transaction.executeQuery<{ count: number }>(statement);
    return rows[0]?.count ?? 0;
  };
  return inDeletion(db, run, onDeleted);
}

function inDeletion(
  db: Kysely<Tables>,
  run: (transaction: Transaction<Tables>) => Promise<number>,
  onDeleted?: OnDeleted,
): Promise<number> {
  return db.transaction().execute(async transaction => {
    const count = await run(transaction);
    if (count > 0) await onDeleted?.(transaction, count);
    return count;
  });
}

/** The statements and conversions for a table, created once per table. */
interface Writer {
  readonly insert: string;
  readonly upsert: string;
  readonly findVanished: string;
  readonly deleteByKey: string;
  /** In the order of the values in a page. */
  readonly columns: readonly Column[];
  readonly key: readonly Column[];
}

interface Column {
  readonly field: FieldColumn;
  readonly convert: (value: unknown) => ColumnValue;
}

const writers = new WeakMap<RecordTable, Writer>();

/** The order of the values in a page. */
function writtenColumns({ fields, others }: RecordTable): readonly FieldColumn[] {
  return [...fields.values(), ...others];
}

function writerOf(table: RecordTable): Writer {
  const known = writers.get(table);
  if (known) return known;
  const toColumn = (field: FieldColumn): Column => ({ field, convert: columnValueOf(field) });
  const writer: Writer = {
    insert: upsertParts(table, [], true),
    upsert: upsertParts(table),
    findVanished: findVanishedStatement(table),
    deleteByKey: deleteByKeyStatement(table),
    columns: writtenColumns(table).map(toColumn),
    key: table.key.map(toColumn),
  };
  writers.set(table, writer);
  return writer;
}

/**
 * Returns the part of a page's statement that upserts its records and logs their keys. The statement locks the
 * connector's row, so a concurrent deletion of the connector either comes first, and nothing is written, or
 * comes later, and also deletes these records. PostgreSQL sets `xmax` only of rows that replace another one.
 *
 * Records are compared before the insert, because `on conflict` would lock each stored row, which writes it. They are
 * compared byte by byte, because equal decimals can have different scales.
 * @param isFirst whether to compare only records that conflict. For the records of a new connector, which the planner's
 * statistics do not know, it may choose an index that contains the key only after another field, and read all of them for each.
 */
function upsertParts(table: RecordTable, newColumns: readonly string[] = [], isFirst = false): string {
  const fields = writtenColumns(table);
  const conflictColumns = [...tenantColumns(table), ...table.key.map(({ column }) => column)].map(quote);
  const updates = [
    quote(organizationColumn),
    ...fields.filter(field => !table.key.includes(field)).map(({ column }) => quote(column)),
  ];
  const isStoredWith = (compared: readonly FieldColumn[]): string =>
    storedRow(table, `record_image_eq(${rowOf('stored', compared)}, ${rowOf('page', compared)})`);
  const known = fields.filter(({ column }) => !newColumns.includes(column));
  // A record that differs only in new columns is written, but not changed.
  const changed =
    newColumns.length === 0
      ? 'written'
      : `(select ${keyColumns(table)} from page where ${isStoredWith(known)} is not true) as changed`;
  return `
    written as (
      insert into ${quote(table.name)} as stored (${[organizationColumn, connectorColumn, generationColumn].map(quote).join(', ')}, ${fields.map(({ column }) => quote(column)).join(', ')})
      select connector.organization_id, connector.id, 0, page.*
      from connector, page
      ${isFirst ? '' : `where ${isStoredWith(fields)} is not true`}
      on conflict (${conflictColumns.join(', ')}) do update
      set ${updates.map(column => `${column} = excluded.${column}`).join(', ')}
      ${isFirst ? `where not record_image_eq(${rowOf('stored', fields)}, ${rowOf('excluded', fields)})` : ''}
      returning xmax = 0 as is_new, ${keyColumns(table)}
    ), logged as (${logStatement(table, `'${table.entity}'`, changed)})`;
}

/** Returns the statement for the keys of stored records that a run has not seen. An index can answer it. */
function findVanishedStatement(table: RecordTable): string {
  const columns = table.key.map(({ column }) => `stored.${quote(column)}`);
  return `
    select ${columns.join(', ')} from ${quote(table.name)} as stored
    where ${ofConnectorText(table, 'stored')} and not exists (
      select from (
        select unnest(key_hashes) as hash from seen_records
        where organization_id = $1 and connector_id = $2 and entity = $3 and run = $4
      ) as seen where hash = ${keyHash('stored', table)})
    limit ${maxVanishedRows}`;
}

/** Returns the statement that deletes the records with the given keys, with one array parameter per key part. */
function deleteByKeyStatement(table: RecordTable): string {
  const arrays = table.key.map(({ sqlType }, position) => `$${position + 3}::${sqlType}[]`);
  return `
    with deleted as (
      delete from ${quote(table.name)} where ${ofConnectorText(table, table.name)} and ctid = any(array(
        select ${storedRow(table, 'stored.ctid')}
        from unnest(${arrays.join(', ')}) as page(${keyColumns(table)})))
      returning ${keyColumns(table)}
    ), connector as (
      select organization_id, id, customer_id, kind from connectors where organization_id = $1 and id = $2
    ), logged as (${logStatement(table, `'${table.entity}'`, 'deleted')})
    select count(*)::integer as count from deleted`;
}

function keyColumns({ key }: RecordTable): string {
  return key.map(({ column }) => quote(column)).join(', ');
}

/**
 * Returns the statement that adds records to the log of the change feed.
 * @param entity an SQL expression for the entity.
 * @param changed the name of a table expression with the keys of the records.
 */
function logStatement({ key }: RecordTable, entity: string, changed: string): string {
  return `
      insert into record_changes (organization_id, customer_id, connector_id, kind, entity, keys, key_count)
      select organization_id, customer_id, id, kind, ${entity}, keys, key_count from connector, (
        select array[${key.map(({ column }) => `array_agg(${quote(column)}::text)`).join(', ')}] as keys, count(*)::integer as key_count
        from ${changed}
      ) as changes where key_count > 0`;
}

/**
 * Returns a subquery for an expression of the stored record with the key of `page`. A condition for equal or null parts
 * could not use the index, so each combination of parts that are null has a condition of its own. The limit prevents the planner
 * from reading all records of the connector instead.
 */
export function storedRow(table: RecordTable, expression: string, connector?: string): string {
  const combinations = table.key.reduce<readonly (readonly string[])[]>(
    (found, { column, isNullable }) => {
      const [stored, given] = [`stored.${quote(column)}`, `page.${quote(column)}`];
      const conditions = [`${stored} = ${given}`];
      if (isNullable) conditions.push(`${stored} is null and ${given} is null`);
      return found.flatMap(others => conditions.map(condition => [...others, condition]));
    },
    [[ofConnectorText(table, 'stored', connector)]],
  );
  const selects = combinations.map(
    conditions =>
      `select ${expression} from ${quote(table.name)} as stored where ${conditions.join(' and ')}`,
  );
  return `(${selects.join(' union all ')} limit 1)`;
}

function rowOf(alias: string, fields: readonly FieldColumn[]): string {
  return `row(${fields.map(({ column }) => `${alias}.${quote(column)}`).join(', ')})`;
}

/** Hashes the text of a key, because PostgreSQL's hash of a bigint has only 32 different bits. */
function keyHash(alias: string, { key }: RecordTable): string {
  return `hashtextextended(${rowOf(alias, key)}::text, 0)`;
}
