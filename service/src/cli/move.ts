import { sql, type Kysely, type Transaction } from 'kysely';
import { Client } from 'pg';
import { readStorageConfiguration } from '../platform/config/configuration.ts';
import { explainOldServer, migrate, readMigrations, unfinishedMove } from '../platform/database/migrate.ts';
import type { Tables } from '../platform/database/tables.ts';
import { silentLog } from '../platform/log/log.ts';
import { quote } from '../shared/records/record-table.ts';
import { helpOf, parseArguments, programName, type Syntax } from './arguments.ts';
import { CommandError, exitCodes, UsageError, type CommandContext, type ExitCode } from './command.ts';
import { count } from './count.ts';
import { reasonOf } from './doctor/finding.ts';
import { planOf } from './migrate.ts';
import { openStorage } from './open-storage.ts';

const syntax: Syntax = {
  command: 'move',
  summary: 'Copy the embedded database to an empty database of a PostgreSQL server',
  options: { to: { value: 'url', description: 'Such as postgres://user@host/database', isRequired: true } },
  notes: [
    'Stop the service first, and run it as the role that owns the database on the server. Its password is read from PGPASSWORD or\n' +
      'a password file (~/.pgpass), because other users of the machine can see arguments.',
    'The numbers of rows and their hashes are compared. If it is interrupted, run it again: it continues. The service does not start on\n' +
      'the new database before the end. Nothing changes in DATA_DIR. Readers of the change feed start again.',
  ],
};

/**
 * The tables whose rows are those of one database: what was migrated, and the log of the change feed, whose transaction ids mean nothing
 * on another server.
 */
const ownRows: ReadonlySet<string> = new Set([
  'migrations',
  'change_feed',
  'record_changes',
  'skipped_changes',
]);

/** Runs `move`. */
export async function runMove(
  args: readonly string[],
  { environment, terminal, kinds }: CommandContext,
): Promise<ExitCode> {
  const given = parseArguments(args, syntax);
  if (given === null) {
    terminal.print(helpOf(syntax));
    return exitCodes.ok;
  }
  const url = parseUrl(given.get('to') ?? '');
  const storage = readStorageConfiguration(environment);
  if (storage.databaseUrl !== null) {
    throw new CommandError('DATABASE_URL is set. Unset it: the database in DATA_DIR is moved.');
  }
  const source = await openStorage(storage);
  const target = new Client({ connectionString: url });
  target.on('error', () => {});
  try {
    const plan = await planOf(source, kinds);
    if (plan.migrations.length + plan.records.length > 0) {
      throw new CommandError(`The schema is not up to date. Run "${programName} migrate" first.`);
    }
    await target.connect().catch((error: unknown) => {
      throw new CommandError(`The server cannot be reached: ${reasonOf(error)}.`);
    });
    const old = await explainOldServer(target);
    if (old !== null) throw new CommandError(`${old.message} ${old.advice}`);
    const moved = await source.kysely.transaction().execute(async transaction => {
      await sql.raw(`set local timezone = 'UTC'`).execute(transaction);
      return await move(transaction, target, url, line => terminal.note(line));
    });
    terminal.print(`Moved ${count(moved.rows, 'row')} in ${count(moved.tables, 'table')}.`);
    terminal.note(
      `Start the service with DATABASE_URL, and with ENCRYPTION_KEYS and SIGNING_KEYS: the contents of encryption.keys and signing.keys in DATA_DIR.`,
    );
    return exitCodes.ok;
  } finally {
    await target.end();
    await source.close();
  }
}

function parseUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw new UsageError('--to must be a URL such as postgres://user@host/database');
  }
  if (url.password !== '') {
    throw new UsageError('--to must not contain the password. Set PGPASSWORD instead.');
  }
  return text;
}

type Source = Transaction<Tables>;

/** A table to copy, and the columns that are stored. */
interface Table {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** The tables to which its foreign keys refer. */
  readonly after: readonly string[];
}

/** What a table contains. The hash does not depend on the order of the rows. */
interface Contents {
  readonly rows: number;
  readonly hash: string;
}

async function move(
  source: Source,
  target: Client,
  url: string,
  note: (line: string) => void,
): Promise<{ tables: number; rows: number }> {
  // Hashes compare texts, whose form depends on settings.
  await target.query(`set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
    set extra_float_digits = 1; set statement_timeout = 0; set transaction_timeout = 0; set idle_in_transaction_session_timeout = 0`);
  const done = await begin(source, target);
  await migrate({ connectionString: url }, await readMigrations(), { log: silentLog, continuesMove: true });
  for (const statement of await recordTableStatements(source)) await target.query(statement);
  const tables = inOrder(await readTables(source));
  if (!(await isUnchanged(source, tables, done))) {
    note('The database in DATA_DIR has changed since the move began. Copying it again.');
    await empty(target, tables);
    done.clear();
  }
  let rows = 0;
  for (const table of tables) {
    const contents = done.get(table.name) ?? (await copyTable(source, target, table));
    rows += contents.rows;
    if (contents.rows > 0) note(`${table.name}: ${count(contents.rows, 'row')}`);
  }
  for (const statement of await indexStatements(source)) await target.query(statement);
  await target.query('begin');
  await copySequences(source, target);
  await target.query(`drop table ${unfinishedMove}`);
  await target.query('commit');
  await target.query('analyze');
  return { tables: tables.length, rows };
}

/** The key of a session lock, so that only one move to a database runs. The number is arbitrary. */
const moveLock = 4_019_283_747;

/**
 * Marks the database as the target of a move, or continues one.
 * @returns the tables that were copied.
 * @throws CommandError if the database contains anything else.
 */
async function begin(source: Source, target: Client): Promise<Map<string, Contents>> {
  const { rows: locks } = await target.query<{ isLocked: boolean }>(
    `select pg_try_advisory_lock(${moveLock}) as "isLocked"`,
  );
  if (locks[0]?.isLocked !== true) throw new CommandError('Another move to this database is running.');
  const { rows: identifiers } = await sql<{ id: string }>`
    select system_identifier::text as id from pg_control_system()`.execute(source);
  const id = identifiers[0]?.id ?? '';
  const { rows: found } = await target.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')`);
  if (found.length === 0) {
    await target.query('begin');
    await target.query(
      `create table ${unfinishedMove} (source text not null, table_name text primary key, rows bigint, hash text)`,
    );
    await target.query(`insert into ${unfinishedMove} (source, table_name) values ($1, '')`, [id]);
    await target.query('commit');
    return new Map();
  }
  if (!found.some(({ name }) => name === unfinishedMove)) {
    throw new CommandError('The database on the server is not empty. Create a new one.');
  }
  const { rows } = await target.query<{ source: string; name: string; rows: string; hash: string }>(
    `select source, table_name as name, rows, hash from ${unfinishedMove}`,
  );
  if (rows.some(row => row.source !== id)) {
    throw new CommandError(
      'The database on the server contains the beginning of a move from another database. Create a new one.',
    );
  }
  const copied = rows.filter(({ name }) => name !== '');
  return new Map(copied.map(({ name, hash, ...row }) => [name, { rows: Number(row.rows), hash }]));
}

async function isUnchanged(
  source: Source,
  tables: readonly Table[],
  done: ReadonlyMap<string, Contents>,
): Promise<boolean> {
  for (const table of tables) {
    const before = done.get(table.name);
    if (before !== undefined && !isEqual(before, await readContents(source, table))) return false;
  }
  return true;
}

function isEqual(one: Contents, other: Contents): boolean {
  return one.rows === other.rows && one.hash === other.hash;
}

/** Deletes the rows that were copied. */
async function empty(target: Client, tables: readonly Table[]): Promise<void> {
  await target.query('begin');
  for (const { name } of tables.toReversed()) {
    await target.query(
      `alter table ${quote(name)} disable trigger user; delete from ${quote(name)}; alter table ${quote(name)} enable trigger user`,
    );
  }
  await target.query(`delete from ${unfinishedMove} where table_name <> ''`);
  await target.query('commit');
}

const rowsPerStep = 1_000;

/** Copies a table, and compares the copy, in one transaction of the target. */
async function copyTable(source: Source, target: Client, table: Table): Promise<Contents> {
  const name = quote(table.name);
  const columns = table.columns.map(column => quote(column.name)).join(', ');
  const asText = table.columns.map(column => `${quote(column.name)}::text`).join(', ');
  const insert = `insert into ${name} (${columns}) overriding system value
    select ${table.columns.map((column, index) => `column_${index}::${column.type}`).join(', ')}
    from unnest(${table.columns.map((_, index) => `$${index + 1}::text[]`).join(', ')})
      as given (${table.columns.map((_, index) => `column_${index}`).join(', ')})`;
  await target.query('begin');
  try {
    // They would report the rows as new ones.
    await target.query(`alter table ${name} disable trigger user`);
    // Migrations insert some rows.
    await target.query(`delete from ${name}`);
    await sql.raw(`declare moved no scroll cursor for select ${asText} from ${name}`).execute(source);
    for (;;) {
      const { rows } = await sql
        .raw<Record<string, string | null>>(`fetch ${rowsPerStep} from moved`)
        .execute(source);
      if (rows.length === 0) break;
      await target.query(
        insert,
        table.columns.map(column => rows.map(row => row[column.name] ?? null)),
      );
    }
    await sql.raw('close moved').execute(source);
    await target.query(`alter table ${name} enable trigger user`);
    const contents = await readContents(source, table);
    const { rows } = await target.query<{ rows: string; hash: string }>(contentsOf(table));
    const [copied] = rows;
    if (copied === undefined || !isEqual(contents, { rows: Number(copied.rows), hash: copied.hash })) {
      throw new CommandError(`The copy of ${table.name} differs. Nothing of it was stored.`);
    }
    await target.query(
      `insert into ${unfinishedMove} (source, table_name, rows, hash)
        select source, $1, $2, $3 from ${unfinishedMove} where table_name = ''`,
      [table.name, contents.rows, contents.hash],
    );
    await target.query('commit');
    return contents;
  } catch (error) {
    await target.query('rollback').catch(() => {});
    throw error;
  }
}

/** Returns a query for the {@link Contents} of a table: adds up the first 64 bits of the hash of each row. */
function contentsOf({ name, columns }: Table): string {
  const row = columns.map(column => `${quote(column.name)}::text`).join(', ');
  return `select count(*) as rows,
    coalesce(sum(('x' || encode(substr(sha256(convert_to(row(${row})::text, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint::numeric), 0)::text as hash
    from ${quote(name)}`;
}

async function readContents(source: Kysely<Tables>, table: Table): Promise<Contents> {
  const { rows } = await sql.raw<Contents>(contentsOf(table)).execute(source);
  return rows[0] ?? { rows: 0, hash: '0' };
}

const isOfSchema = sql.raw(`relnamespace = current_schema()::regnamespace`);

async function readTables(source: Source): Promise<readonly Table[]> {
  const { rows } = await sql<Table>`
    select relname as name,
      (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum)
        from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      (select coalesce(json_agg(distinct other.relname), '[]') from pg_constraint
        join pg_class as other on other.oid = confrelid
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid) as after
    from pg_class where ${isOfSchema} and relkind = 'r' order by relname`.execute(source);
  return rows.filter(({ name }) => !ownRows.has(name));
}

/** Sorts tables so that foreign keys refer to earlier ones. */
function inOrder(tables: readonly Table[]): readonly Table[] {
  const sorted: Table[] = [];
  let left = tables;
  while (left.length > 0) {
    const next = left.filter(({ after }) => !after.some(name => left.some(other => other.name === name)));
    if (next.length === 0) throw new Error('Foreign keys refer to each other');
    sorted.push(...next);
    left = left.filter(table => !next.includes(table));
  }
  return sorted;
}

/** Returns the statements that create the record tables, also those of kinds that are not loaded. */
async function recordTableStatements(source: Source): Promise<readonly string[]> {
  const { rows } = await sql<{ create: string; triggers: readonly string[]; name: string }>`
    select relname as name,
      format('create table if not exists %I (%s) with (%s)', relname,
        (select string_agg(format('%I %s%s%s', attname, format_type(atttypid, atttypmod),
            case when attcollation in (0, typcollation) then ''
              else format(' collate %I', (select collname from pg_collation where oid = attcollation)) end,
            case when attnotnull then ' not null' else '' end), ', ' order by attnum)
          from pg_attribute join pg_type on pg_type.oid = atttypid
          where attrelid = pg_class.oid and attnum > 0 and not attisdropped),
        array_to_string(coalesce(reloptions, '{fillfactor=100}'), ', ')) as create,
      (select coalesce(json_agg(pg_get_triggerdef(oid)), '[]') from pg_trigger
        where tgrelid = pg_class.oid and not tgisinternal) as triggers
    from pg_class where ${isOfSchema} and relkind = 'r' and relname like 'records\\_%'
    order by relname`.execute(source);
  return rows.flatMap(({ create, triggers }) => [
    create,
    ...triggers.map(definition =>
      withoutSchema(definition.replace('CREATE TRIGGER', 'CREATE OR REPLACE TRIGGER')),
    ),
  ]);
}

/** Returns the statements that create the indexes of the record tables, after their rows were inserted. */
async function indexStatements(source: Source): Promise<readonly string[]> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_indexdef(indexrelid) as definition from pg_index join pg_class on pg_class.oid = indrelid
    where ${isOfSchema} and relname like 'records\\_%' and indisvalid order by indexrelid`.execute(source);
  return rows.map(({ definition }) =>
    withoutSchema(definition.replace(/^(CREATE (?:UNIQUE )?INDEX) /, '$1 IF NOT EXISTS ')),
  );
}

/** Removes the schema of the embedded database: the server may use another one. */
function withoutSchema(definition: string): string {
  return definition.replace(' ON public.', ' ON ');
}

async function copySequences(source: Source, target: Client): Promise<void> {
  const { rows: sequences } = await sql<{ name: string }>`
    select relname as name from pg_class where ${isOfSchema} and relkind = 'S'`.execute(source);
  for (const { name } of sequences) {
    const { rows } = await sql<{ value: string; isCalled: boolean }>`
      select last_value::text as value, is_called as "isCalled" from ${sql.table(name)}`.execute(source);
    await target.query('select setval($1::regclass, $2, $3)', [
      quote(name),
      rows[0]?.value,
      rows[0]?.isCalled,
    ]);
  }
}
