/**
 * A sync of TikTok's reports written by hand, as the fastest that gives the same result: the records, the log of changes, which
 * records the run has seen, the position after each page, the events of the triggers and the planner's statistics. It
 * checks nothing, and knows the requests, the fields and that the entity has no records before the first run.
 */
import { randomUUID } from 'node:crypto';
import { parseJson } from '@connector-auth/api';
import { CompiledQuery, type Kysely } from 'kysely';
import type { Client, Connection } from 'pg';
import { request } from 'undici';
import type { Database } from '../../src/platform/database/database.ts';
import type { Tables } from '../../src/platform/database/tables.ts';
import { quote, type FieldColumn, type RecordTable } from '../../src/shared/records/record-table.ts';

export interface Work {
  readonly database: Database;
  readonly table: RecordTable;
  readonly connector: { readonly organizationId: string; readonly id: string };
  /** The URLs of the pages in their order, with the headers of each request. */
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly isFirst: boolean;
}

type Members = Readonly<Record<string, string | number | null>>;

/** A row of a report, as the vendor sends it. */
interface Row {
  readonly dimensions: Members;
  readonly metrics: Members;
}

/** Fetches each page while the previous one is written. */
async function* pagesOf({ urls, headers }: Work): AsyncGenerator<readonly Row[]> {
  const read = async (url: string): Promise<readonly Row[]> => {
    const { body } = await request(url, { headers });
    // The vendor of the benchmark sends only this.
    const { data } = parseJson(await body.text()) as { data: { list: readonly Row[] } };
    // Only reports have metrics.
    return data.list.some(row => 'metrics' in row) ? data.list : [];
  };
  let next = read(urls[0] ?? '');
  for (const url of [...urls.slice(1), null]) {
    const page = await next;
    if (url !== null) next = read(url);
    if (page.length > 0) yield page;
  }
}

/** One statement for each page, with an array for each column. */
export async function byUnnest(work: Work): Promise<void> {
  const { database, table, connector, isFirst } = work;
  const db = database.kysely;
  const run = randomUUID();
  const fields = [...table.fields.values()];
  const statement = pageStatement(table, fields, isFirst);
  await begin(db, work, run);
  let page = 0;
  for await (const rows of pagesOf(work)) {
    const columns = fields.map(field => arrayOf(field, rows));
    await write(database, statement, [
      connector.organizationId,
      connector.id,
      table.entity,
      run,
      `${(page += 1)}`,
      ...columns,
    ]);
  }
  await end(db, work, run);
}

/** The records in one transaction: copied into a table of its own, and merged from there. */
export async function byCopy(work: Work, client: Client): Promise<void> {
  const { database, table, connector, isFirst } = work;
  const run = randomUUID();
  const fields = [...table.fields.values()];
  const names = fields.map(({ column }) => quote(column)).join(', ');
  await begin(database.kysely, work, run);
  await client.query(
    `begin; set local synchronous_commit = off; create temp table page on commit drop as select ${names} from ${quote(table.name)} limit 0`,
  );
  await new Promise<void>((done, failed) => {
    client.query(
      new Copy(
        `copy page (${names}) from stdin`,
        async function* () {
          for await (const rows of pagesOf(work)) yield rows.map(row => lineOf(fields, row)).join('');
        },
        error => (error === null ? done() : failed(error)),
      ),
    );
  });
  await client.query(
    mergeStatement(table, fields, isFirst)
      .replaceAll('$1', `'${connector.organizationId}'::uuid`)
      .replaceAll('$2', `'${connector.id}'::uuid`)
      .replaceAll('$3', `'${table.entity}'`)
      .replaceAll('$4', `'${run}'::uuid`)
      .replaceAll('$5', `'1'`)
      .replaceAll('@page', 'page'),
  );
  await client.query('commit');
  await end(database.kysely, work, run);
}

/** Methods of pg's connection that its types lack. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/** Sends the text of a `copy`. */
class Copy {
  readonly #statement: string;
  readonly #texts: () => AsyncGenerator<string>;
  readonly #done: (error: Error | null) => void;

  constructor(statement: string, texts: () => AsyncGenerator<string>, done: (error: Error | null) => void) {
    this.#statement = statement;
    this.#texts = texts;
    this.#done = done;
  }

  submit(connection: Connection): void {
    connection.query(this.#statement);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    const send = async (): Promise<void> => {
      for await (const text of this.#texts()) connection.sendCopyFromChunk(Buffer.from(text));
      connection.endCopyFrom();
    };
    send().catch((error: unknown) => connection.sendCopyFail(String(error)));
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.#done(error);
  }

  handleReadyForQuery(): void {
    this.#done(null);
  }
}

function pageStatement(table: RecordTable, fields: readonly FieldColumn[], isFirst: boolean): string {
  const arrays = fields.map(
    ({ sqlType, column }, index) => `unnest($${index + 6}::${sqlType}[]) as ${quote(column)}`,
  );
  return mergeStatement(table, fields, isFirst, true).replaceAll(
    '@page',
    `(select ${arrays.join(', ')}) as page`,
  );
}

/**
 * Writes what differs, logs its keys, and stores what was seen and the position.
 * @param isPage whether to look up each record, instead of reading all records of the connector at once.
 */
function mergeStatement(
  table: RecordTable,
  fields: readonly FieldColumn[],
  isFirst: boolean,
  isPage = false,
): string {
  const key = table.key.map(({ column }) => quote(column));
  const names = fields.map(({ column }) => quote(column));
  const others = names.filter(name => !key.includes(name));
  const row = (alias: string): string => `row(${names.map(name => `${alias}.${name}`).join(', ')})`;
  const isSame = `record_image_eq(${row('stored')}, ${row('page')})`;
  const found = `from ${quote(table.name)} as stored where stored."$organization" = $1::uuid and stored."$connector" = $2::uuid
      and ${key.map(name => `stored.${name} = page.${name}`).join(' and ')}`;
  const differs = isPage
    ? `(select ${isSame} ${found} limit 1) is not true`
    : `not exists (select ${found} and ${isSame})`;
  return `
    with seen as (
      insert into seen_records (organization_id, connector_id, entity, run, key_hashes)
      select $1::uuid, $2::uuid, $3::text, $4::uuid,
        array_agg(hashtextextended(row(${key.map(name => `page.${name}`).join(', ')})::text, 0)) from @page
    ), written as (
      insert into ${quote(table.name)} ("$organization", "$connector", "$generation", ${names.join(', ')})
      select $1::uuid, $2::uuid, 0, page.* from @page ${isFirst ? '' : `where ${differs}`}
      on conflict ("$organization", "$connector", ${key.join(', ')}) do update
      set ${others.map(name => `${name} = excluded.${name}`).join(', ')}
      returning ${key.join(', ')}
    ), keys as (
      select array[${key.map(name => `array_agg(${name}::text)`).join(', ')}] as keys, count(*)::integer as key_count from written
    ), logged as (
      insert into record_changes (organization_id, customer_id, connector_id, kind, entity, keys, key_count)
      select organization_id, customer_id, id, kind, $3::text, keys, key_count from connectors, keys
      where organization_id = $1::uuid and id = $2::uuid and key_count > 0
    )
    update synced_entities set position = $5, seen_batches = seen_batches + 1, logged_pages = logged_pages + 1,
      records = records + ${isFirst ? 'key_count' : '0'}, run_changes = run_changes + key_count
    from keys where organization_id = $1::uuid and connector_id = $2::uuid and entity = $3::text`;
}

async function begin(db: Kysely<Tables>, { table, connector }: Work, run: string): Promise<void> {
  await raw(
    db,
    `update synced_entities set seen_run = $4, resume_at = now(), seen_batches = 0, run_changes = 0, generation = -abs(generation),
      full_run_at = now(), slice_started_at = now(), due_at = now() + interval '1 hour'
    where organization_id = $1 and connector_id = $2 and entity = $3`,
    [connector.organizationId, connector.id, table.entity, run],
  );
}

/** Deletes what was not seen, which is nothing here. */
async function end(db: Kysely<Tables>, { table, connector, isFirst }: Work, run: string): Promise<void> {
  const key = table.key.map(({ column }) => `stored.${quote(column)}`).join(', ');
  const parameters = [connector.organizationId, connector.id, table.entity, run];
  await raw(
    db,
    `delete from ${quote(table.name)} as stored where "$organization" = $1 and "$connector" = $2
      and hashtextextended(row(${key})::text, 0) not in (
        select unnest(key_hashes) from seen_records
        where organization_id = $1 and connector_id = $2 and entity = $3 and run = $4)`,
    parameters,
  );
  await raw(
    db,
    `with forgotten as (
      delete from seen_records where organization_id = $1 and connector_id = $2 and entity = $3 and run = $4
    )
    update synced_entities set position = null, seen_run = null, resume_at = null, last_synced_at = now(), full_run_calls = run_calls,
      logged_pages = logged_pages + 1
    where organization_id = $1 and connector_id = $2 and entity = $3`,
    parameters,
  );
  if (isFirst) await raw(db, `analyze ${quote(table.name)}`, []);
}

async function write(
  { kysely, canDelayCommits }: Database,
  statement: string,
  parameters: readonly string[],
) {
  if (!canDelayCommits) return raw(kysely, statement, parameters);
  await kysely.connection().execute(async connection => {
    await raw(connection, 'set synchronous_commit = off', []);
    await raw(connection, statement, parameters);
    await raw(connection, 'reset synchronous_commit', []);
  });
}

async function raw(db: Kysely<Tables>, statement: string, parameters: readonly string[]): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(statement, [...parameters]));
}

function arrayOf(field: FieldColumn, rows: readonly Row[]): string {
  const isText = field.type === 'string';
  const write = (row: Row): string => {
    const value = valueOf(field, row);
    if (value === null) return 'NULL';
    return isText ? `"${value.replace(/["\\]/g, '\\$&')}"` : value;
  };
  return `{${rows.map(write).join(',')}}`;
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function lineOf(fields: readonly FieldColumn[], row: Row): string {
  const values = fields.map(field => {
    const value = valueOf(field, row);
    if (value === null) return String.raw`\N`;
    return field.type === 'string' ? value.replace(/[\\\n\r\t]/g, found => escapes[found] ?? '') : value;
  });
  return `${values.join('\t')}\n`;
}

function valueOf({ field }: FieldColumn, { metrics, dimensions }: Row): string | null {
  const value = metrics[field] ?? dimensions[field] ?? null;
  return value === null || value === '-' ? null : `${value}`;
}
