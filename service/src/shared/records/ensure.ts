import { sql, type Kysely } from 'kysely';
import { limitLockWait, schemaLock, untilUnlocked } from '../../platform/database/schema-locks.ts';
import { explainMissingRights } from '../../platform/database/schema-rights.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { silentLog, type Log } from '../../platform/log/log.ts';
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
 * Creates missing record tables with their indexes, and adds missing columns to existing ones. Leaves missing indexes
 * of existing tables to {@link buildMissingIndexes}. Never deletes anything, because older versions may still use it.
 * Several processes can call this concurrently: they wait for each other and for migrations.
 * @throws Error with a message for the operator if the type of a column differs from the declared type.
 */
export async function ensureRecordTables(
  db: Kysely<Tables>,
  tables: RecordTables,
  log: Log = silentLog,
): Promise<void> {
  while ((await untilUnlocked(log, () => makeNextChanges(db, tables))) > 0);
  await recognizeOlderTables(db, tables);
}

/**
 * Creates all missing tables, or adds the columns that one table lacks: requests for a locked table wait until the
 * transaction ends.
 * @returns how many changes are still missing, or null if another process has the lock.
 */
function makeNextChanges(db: Kysely<Tables>, tables: RecordTables): Promise<number | null> {
  return db.transaction().execute(async transaction => {
    await sql.raw(limitLockWait).execute(transaction);
    const { rows } = await sql<{ isLocked: boolean }>`
      select pg_try_advisory_xact_lock(${schemaLock}) as "isLocked"`.execute(transaction);
    if (rows[0]?.isLocked !== true) return null;
    const changes = (await pendingRecordChanges(transaction, tables)).filter(({ index }) => index === null);
    const next = changes.filter(({ locks }) => locks === changes[0]?.locks);
    await explainMissingRights(
      changes.map(({ name }) => name),
      async () => {
        for (const { statement } of next) await sql.raw(statement).execute(transaction);
      },
    );
    return changes.length - next.length;
  });
}

/**
 * Sets which tables were created by an older version and are not ready for keys that begin with the organization: some
 * records have none, or the index is not built yet.
 */
async function recognizeOlderTables(db: Kysely<Tables>, tables: RecordTables): Promise<void> {
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
  /** The existing table that the statement locks, or null if the table is new. */
  readonly locks: string | null;
  /** The name of the index of an existing table, without which the service can run. Null for other changes. */
  readonly index: string | null;
}

/**
 * Returns the missing tables, columns and indexes, in the order in which to create them. An index that is being built
 * is missing, and so is one whose building was interrupted. Changes nothing.
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
  /** The names of the indexes that are completely built. */
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
    select relname as name from pg_class join pg_index on indexrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and indisvalid`.execute(db);
  return { columns, indexes: new Set(indexes.rows.map(({ name }) => name)) };
}

function missing(table: RecordTable, present: Present): RecordChange[] {
  const columns = present.columns.get(table.name);
  const fields = [...table.fields.values()];
  const locks = columns === undefined ? null : table.name;
  const indexes = table.indexes
    .filter(({ name }) => !present.indexes.has(name))
    .map(({ name, definition }) => ({
      name: `index ${name}`,
      statement: `create ${definition.replace('%', () => quote(name))}`,
      locks,
      index: locks === null ? null : name,
    }));
  if (columns === undefined) {
    const statement = createTable(table, fields);
    return [{ name: `table ${table.name}`, statement, locks, index: null }, ...indexes];
  }
  const added = fields
    .filter(field => !hasColumn(table, field, columns))
    .map(field => ({ column: field.column, statement: addColumn(table, field) }));
  if (!columns.has(organizationColumn)) {
    added.push({ column: organizationColumn, statement: addOrganization(table) });
  }
  return [
    ...added.map(({ column, statement }) => ({
      name: `column ${column} of ${table.name}`,
      statement,
      locks,
      index: null,
    })),
    ...indexes,
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

/**
 * Allows null even in key columns, because an added column is null until the next full run. Without a default,
 * PostgreSQL does not rewrite the table.
 */
function addColumn(table: RecordTable, field: FieldColumn): string {
  return `alter table ${quote(table.name)} add column ${columnDefinition(field)};
    insert into added_record_columns (table_name, column_name) values (${literal(table.name)}, ${literal(field.column)})
      on conflict (table_name, column_name) do update set added_at = excluded.added_at`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
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
