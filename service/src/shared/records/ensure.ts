import { sql, type Kysely } from 'kysely';
import { schemaLock } from '../../platform/database/migrate.ts';
import { explainMissingRights } from '../../platform/database/schema-rights.ts';
import type { Tables } from '../../platform/database/tables.ts';
import {
  connectorColumn,
  generationColumn,
  organizationColumn,
  quote,
  setOlder,
  textCollation,
  type FieldColumn,
  type RecordTable,
  type RecordTables,
} from './record-table.ts';

/**
 * Creates missing record tables, columns and indexes. Never deletes any, because older versions may still use
 * them. Several processes can call this concurrently: they wait for each other and for migrations.
 * @throws Error with a message for the operator if the type of a column differs from the declared type.
 */
export async function ensureRecordTables(db: Kysely<Tables>, tables: RecordTables): Promise<void> {
  await db.transaction().execute(async transaction => {
    // Indexing a large table, or waiting for another process to do so, can exceed the statement timeout.
    await sql`set local statement_timeout = 0`.execute(transaction);
    await sql`select pg_advisory_xact_lock(${schemaLock})`.execute(transaction);
    const changes = await pendingRecordChanges(transaction, tables);
    await explainMissingRights(
      changes.map(({ name }) => name),
      async () => {
        for (const { statement } of changes) await sql.raw(statement).execute(transaction);
      },
    );
  });
  await recognizeOlderTables(db, tables);
}

/**
 * Sets which tables were created by an older version and are not ready for keys that begin with the organization: some
 * records have none, or the index is not built yet.
 */
export async function recognizeOlderTables(db: Kysely<Tables>, tables: RecordTables): Promise<void> {
  const { rows } = await sql<{ table: string; index: string }>`
    select records.relname as table, pg_index.indexrelid::regclass::text as index
    from pg_class as records
    join pg_attribute on attrelid = records.oid and attname = ${organizationColumn}
    join pg_index on indrelid = records.oid and indisunique and indisvalid
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname like 'records\_%'
      and (attnotnull or relname in (select name from filled_record_tables))`.execute(db);
  const ready = new Set(rows.map(({ table, index }) => `${table} ${index}`));
  for (const table of tables.all) {
    // The first index is the one on the key.
    setOlder(table, !ready.has(`${table.name} ${table.indexes[0]?.name}`));
  }
}

/** A table, column or index of the record tables that is missing. */
export interface RecordChange {
  /** Such as `table records_gong_calls`. */
  readonly name: string;
  readonly statement: string;
}

/**
 * Returns what {@link ensureRecordTables} would create, in order. Changes nothing.
 * @throws Error with a message for the operator, as `ensureRecordTables` does.
 */
export async function pendingRecordChanges(
  db: Kysely<Tables>,
  tables: RecordTables,
): Promise<readonly RecordChange[]> {
  const present = await readPresent(db);
  return tables.all.flatMap(table => missing(table, present));
}

interface Present {
  /** Column types, keyed by table and column name. */
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly indexes: ReadonlySet<string>;
}

async function readPresent(db: Kysely<Tables>): Promise<Present> {
  const { rows } = await sql<{ table: string; column: string; type: string }>`
    select relname as table, attname as column, format_type(atttypid, null) as type
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname like 'records\_%'
      and attnum > 0 and not attisdropped`.execute(db);
  const columns = new Map<string, Map<string, string>>();
  for (const { table, column, type } of rows) {
    columns.set(table, (columns.get(table) ?? new Map<string, string>()).set(column, type));
  }
  const indexes = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'i'`.execute(db);
  return { columns, indexes: new Set(indexes.rows.map(({ name }) => name)) };
}

function missing(table: RecordTable, present: Present): RecordChange[] {
  const columns = present.columns.get(table.name);
  const fields = [...table.fields.values()];
  return [
    ...(columns === undefined
      ? [{ name: `table ${table.name}`, statement: createTable(table, fields) }]
      : fields
          .filter(field => !hasColumn(table, field, columns))
          .map(field => ({
            name: `column ${field.column} of ${table.name}`,
            statement: addColumn(table, field),
          }))),
    ...(columns === undefined || columns.has(organizationColumn)
      ? []
      : [
          {
            name: `column ${organizationColumn} of ${table.name}`,
            statement: addOrganization(table),
          },
        ]),
    ...table.indexes
      .filter(({ name }) => !present.indexes.has(name))
      .map(({ name, definition }) => ({
        name: `index ${name}`,
        statement: `create ${definition.replace('%', () => quote(name))}`,
      })),
  ];
}

function hasColumn(table: RecordTable, field: FieldColumn, columns: ReadonlyMap<string, string>): boolean {
  const type = columns.get(field.column);
  if (type !== undefined && type !== field.sqlType) {
    throw new Error(
      `Column ${field.column} of table ${table.name} has type ${type}, but this version declares ${field.sqlType}. Run the version that created the column, or a newer one.`,
    );
  }
  return type !== undefined;
}

function createTable(table: RecordTable, fields: readonly FieldColumn[]): string {
  const columns = [
    `${quote(organizationColumn)} uuid not null`,
    `${quote(connectorColumn)} uuid not null`,
    `${quote(generationColumn)} bigint not null`,
    ...fields.map(field => `${columnDefinition(field)}${field.isNullable ? '' : ' not null'}`),
  ];
  // Counting records and finding vanished ones reads only an index if the table was vacuumed recently.
  return `create table ${quote(table.name)} (${columns.join(', ')}) with (fillfactor = 90,
    autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05)`;
}

/** Allows null even in key columns, because an added column is null until the next full run. */
function addColumn(table: RecordTable, field: FieldColumn): string {
  return `alter table ${quote(table.name)} add column ${columnDefinition(field)}`;
}

/** The records that are stored already get their organization in the background, see `fillOrganizations`. */
function addOrganization({ name }: RecordTable): string {
  const column = quote(organizationColumn);
  return `alter table ${quote(name)} add column ${column} uuid;
    create trigger fill_record_organization before insert on ${quote(name)}
      for each row when (new.${column} is null) execute function fill_record_organization()`;
}

function columnDefinition({ column, sqlType, type }: FieldColumn): string {
  return `${quote(column)} ${sqlType}${type === 'string' ? ` collate ${textCollation}` : ''}`;
}
