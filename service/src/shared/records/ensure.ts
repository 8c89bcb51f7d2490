import { sql, type Kysely, type Transaction } from 'kysely';
import { limitLockWait, schemaLock, untilUnlocked } from '../../platform/database/schema-locks.ts';
import { explainMissingRights } from '../../platform/database/schema-rights.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { silentLog, type Log } from '../../platform/log/log.ts';
import {
  connectorColumn,
  generationColumn,
  organizationColumn,
  otherColumns,
  quote,
  textCollation,
  type FieldColumn,
  type RecordTable,
  type RecordTables,
  type StoredColumn,
  type StoredColumns,
} from './record-table.ts';

/**
 * Creates missing record tables with their indexes, and adds missing columns to existing ones. Leaves missing indexes
 * of existing tables to {@link buildMissingIndexes}. Never deletes anything, because older versions may still use it.
 * Several processes can call this concurrently: they wait for each other and for migrations.
 * @throws Error with a message for the operator if a process with another version of a kind has changed the columns since these
 * tables were read.
 */
export async function ensureRecordTables(
  db: Kysely<Tables>,
  tables: RecordTables,
  log: Log = silentLog,
): Promise<void> {
  while ((await untilUnlocked(log, () => makeNextChanges(db, tables))) > 0);
  await untilUnlocked(log, () => changeSchema(db, transaction => rememberVersions(transaction, tables)));
  await recognizeOlderTables(db, tables);
}

/** Runs a transaction with the lock for schema changes. Returns null if another process has it. */
export function changeSchema<T>(
  db: Kysely<Tables>,
  change: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T | null> {
  return db.transaction().execute(async transaction => {
    await sql.raw(limitLockWait).execute(transaction);
    const { rows } = await sql<{ isLocked: boolean }>`
      select pg_try_advisory_xact_lock(${schemaLock}) as "isLocked"`.execute(transaction);
    return rows[0]?.isLocked === true ? change(transaction) : null;
  });
}

/**
 * Creates all missing tables, or adds the columns that one table lacks: requests for a locked table wait until the
 * transaction ends.
 * @returns how many changes are still missing, or null if another process has the lock.
 */
function makeNextChanges(db: Kysely<Tables>, tables: RecordTables): Promise<number | null> {
  return changeSchema(db, async transaction => {
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

/** Remembers up to which version this process knows the columns, and from which one those of changed types are filled. */
async function rememberVersions(transaction: Transaction<Tables>, tables: RecordTables): Promise<true> {
  const { rows } = await sql<{ version: number }>`
    select ${sql.raw(nextVersion)} - 1 as version`.execute(transaction);
  const stored = await readColumns(transaction);
  let version = rows[0]?.version ?? 0;
  for (const table of tables.all) {
    const columns: StoredColumns = stored.get(table.name) ?? new Map<string, StoredColumn>();
    const fields = [...table.fields.values()];
    // Other processes may have added columns since these tables were read, or ended the use of those that this one writes.
    const others = new Set(table.others.map(({ column }) => column));
    for (const { column } of fields.flatMap(field => otherColumns(field, columns))) {
      if (!others.has(column)) version = Math.min(version, (columns.get(column)?.addedVersion ?? 0) - 1);
    }
    for (const column of others) {
      const other = columns.get(column);
      if (other === undefined) throw new Error(changedMeanwhile(table));
      if (other.unusedVersion !== null) version = Math.min(version, other.unusedVersion - 1);
    }
    const versions = fields
      .filter(({ field }) => table.others.some(other => other.field === field))
      .map(({ column }) => columns.get(column)?.addedVersion ?? 0);
    table.filledVersion = Math.max(0, ...versions);
  }
  tables.columnsVersion = version;
  return true;
}

function changedMeanwhile({ name }: RecordTable): string {
  return `Another process has changed the columns of ${name} while this one was starting. Start it again.`;
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
    table.isOlder = !ready.has(`${table.name} ${table.indexes[0]?.name}`);
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
  /** The columns of each table. */
  readonly columns: ReadonlyMap<string, StoredColumns>;
  /** The names of the indexes that are completely built. */
  readonly indexes: ReadonlySet<string>;
}

/** Returns the columns of the record tables that exist, by the name of the table. */
export async function readColumns(db: Kysely<Tables>): Promise<ReadonlyMap<string, StoredColumns>> {
  const { rows: known } = await sql`
    select from pg_attribute where attrelid = to_regclass('added_record_columns') and attname = 'added_version'`.execute(
    db,
  );
  // A database that is not migrated yet has no versions.
  const versions =
    known.length > 0
      ? sql`added_record_columns`
      : sql`(select '' as table_name, '' as column_name, 0 as added_version, 0 as declared_version, null::integer as unused_version)`;
  const { rows } = await sql<{ table: string; column: string } & StoredColumn>`
    select relname as table, attname as column, format_type(atttypid, null) as type,
      coalesce(added_version, 0) as "addedVersion", coalesce(declared_version, 0) as "declaredVersion",
      unused_version as "unusedVersion"
    from pg_attribute join pg_class on pg_class.oid = attrelid
      left join ${versions} as versions on table_name = relname and column_name = attname
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname like 'records\_%'
      and attnum > 0 and not attisdropped`.execute(db);
  const tables = new Map<string, Map<string, StoredColumn>>();
  for (const { table, column, ...stored } of rows) {
    tables.set(table, (tables.get(table) ?? new Map<string, StoredColumn>()).set(column, stored));
  }
  return tables;
}

async function readPresent(db: Kysely<Tables>): Promise<Present> {
  const columns = await readColumns(db);
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
  const added = fields.flatMap(field => {
    const statement = columnStatement(table, field, columns);
    return statement === null ? [] : [{ column: field.column, statement }];
  });
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

/** Returns the statement after which the table has the column of a field, and it is known as the declared one. Null if it is. */
function columnStatement(table: RecordTable, field: FieldColumn, columns: StoredColumns): string | null {
  const stored = columns.get(field.column);
  if (stored === undefined) return `${addColumn(table, field)}; ${noteColumn(table, field, 'added')}`;
  if (stored.type !== field.sqlType) throw new Error(changedMeanwhile(table));
  // Processes that do not use it have stored records since.
  if (stored.unusedVersion !== null) return noteColumn(table, field, 'added');
  const isDeclaredLast = otherColumns(field, columns).every(
    other => (columns.get(other.column)?.declaredVersion ?? 0) < stored.declaredVersion,
  );
  return isDeclaredLast ? null : noteColumn(table, field, 'declared');
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
  return `alter table ${quote(table.name)} add column ${columnDefinition(field)}`;
}

const nextVersion = `(select coalesce(max(greatest(added_version, declared_version, unused_version)), 0) + 1 from added_record_columns)`;

/** Returns the statement that notes that a column was added, that the started version of the kind declares it, or that it is unused. */
export function noteColumn(
  { name }: RecordTable,
  { column }: FieldColumn,
  what: 'added' | 'declared' | 'unused',
): string {
  const values = {
    added: {
      added_at: 'now()',
      added_version: nextVersion,
      declared_version: nextVersion,
      unused_version: 'null',
    },
    // The column is older than its row.
    declared: { added_at: `'-infinity'`, declared_version: nextVersion },
    unused: { added_at: `'-infinity'`, unused_version: nextVersion },
  }[what];
  const columns = Object.keys(values);
  const changed = columns.filter(changed => what === 'added' || changed !== 'added_at');
  return `insert into added_record_columns (table_name, column_name, ${columns.join(', ')})
    select ${[literal(name), literal(column), ...Object.values(values)].join(', ')}
    on conflict (table_name, column_name) do update set ${changed.map(changed => `${changed} = excluded.${changed}`).join(', ')}`;
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
