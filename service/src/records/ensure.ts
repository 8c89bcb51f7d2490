import { sql, type Kysely } from 'kysely';
import { schemaLock } from '../database/migrate.ts';
import type { Tables } from '../database/tables.ts';
import {
  connectorColumn,
  generationColumn,
  quote,
  textCollation,
  type FieldColumn,
  type RecordTable,
  type RecordTables,
} from './record-table.ts';

/**
 * Makes the record tables, columns and indexes that the database lacks. Forward only: what a declaration no longer has is left where
 * it is, for a build that still reads it. Several processes may start at once; they take turns with each other and with migrations.
 * @throws Error in words for the operator when a column has another type than this build declares.
 */
export async function ensureRecordTables(db: Kysely<Tables>, tables: RecordTables): Promise<void> {
  await db.transaction().execute(async transaction => {
    // An index on a table that is full may take longer than a statement usually may, and so may waiting for who makes it.
    await sql`set local statement_timeout = 0`.execute(transaction);
    await sql`select pg_advisory_xact_lock(${schemaLock})`.execute(transaction);
    const present = await readPresent(transaction);
    for (const statement of tables.all.flatMap(table => missing(table, present))) {
      await sql.raw(statement).execute(transaction);
    }
  });
}

/** What there is: column types by table and column, and names of indexes. */
interface Present {
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

function missing(table: RecordTable, present: Present): string[] {
  const columns = present.columns.get(table.name);
  const fields = [...table.fields.values()];
  return [
    ...(columns === undefined
      ? [createTable(table, fields)]
      : fields.filter(field => !hasColumn(table, field, columns)).map(field => addColumn(table, field))),
    ...table.indexes
      .filter(({ name }) => !present.indexes.has(name))
      .map(({ name, definition }) => `create ${definition.replace('%', () => quote(name))}`),
  ];
}

function hasColumn(table: RecordTable, field: FieldColumn, columns: ReadonlyMap<string, string>): boolean {
  const type = columns.get(field.column);
  if (type !== undefined && type !== field.sqlType) {
    throw new Error(
      `${table.name} keeps ${field.field} as ${type}, and this build declares it as ${field.sqlType}. Start the build that made it, or a newer one.`,
    );
  }
  return type !== undefined;
}

function createTable(table: RecordTable, fields: readonly FieldColumn[]): string {
  const columns = [
    `${quote(connectorColumn)} uuid not null`,
    `${quote(generationColumn)} bigint not null`,
    ...fields.map(field => `${columnDefinition(field)}${field.isNullable ? '' : ' not null'}`),
  ];
  return `create table ${quote(table.name)} (${columns.join(', ')})`;
}

/** A column that comes later is empty until the next walk, in the key too. */
function addColumn(table: RecordTable, field: FieldColumn): string {
  return `alter table ${quote(table.name)} add column ${columnDefinition(field)}`;
}

function columnDefinition({ column, sqlType, type }: FieldColumn): string {
  return `${quote(column)} ${sqlType}${type === 'string' ? ` collate ${textCollation}` : ''}`;
}
