import { ConnectorAuthError, stringifyJson } from '@connector-auth/api';
import { createClient } from '@connector-auth/api/client';
import { Granola } from '@connector-auth/connectors';
import { Client } from 'pg';

const { SERVICE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', DATABASE_URL } = process.env;
const client = createClient({ baseUrl: SERVICE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
const source = { connector_type: 'granola', entity: 'notes' };

const db = new Client({ connectionString: DATABASE_URL });
await db.connect();
await db.query(`
  create table if not exists notes (
    connector_id uuid, id text, customer_name text, note jsonb not null, primary key (connector_id, id)
  );
  create table if not exists mirror_cursor (cursor text not null);
`);

let cursor = await readCursor();
for (;;) {
  try {
    cursor = cursor === null ? await copyAll() : await follow(cursor);
  } catch (error) {
    // Errors of the database end the program. It continues from the stored cursor when it is started again.
    if (!(error instanceof ConnectorAuthError)) throw error;
    if (error.code === 'cursor_expired') cursor = null;
    console.error(`${error.message}. Trying again.`);
    await new Promise(resolve => setTimeout(resolve, 5_000));
  }
}

/** Copies all notes. What changes meanwhile is in the changes after the cursor, which is requested first. */
async function copyAll(): Promise<string> {
  const { cursor: start } = await client.call('listChanges', { query: { ...source, cursor: 'now' } });
  let count = 0;
  await inTransaction(async () => {
    await db.query('delete from notes');
    for await (const connector of client.connectors.all({ connector_type: source.connector_type })) {
      // These cannot be searched. When they can be again, the changes contain all their notes.
      if (connector.status === 'disabled' || connector.status === 'frozen') continue;
      const { id, customer_name: customerName } = connector;
      const granola = new Granola({ hosted: { client, customerName, connectorId: id } });
      for await (const note of granola.notes.searchAll({ query: {} })) {
        await upsert(id, note.id, customerName, note);
        count += 1;
      }
    }
    await storeCursor(start);
  });
  console.log(`Copied ${count} notes`);
  return start;
}

/** Waits for the next changes for up to 30 seconds, and applies them. */
async function follow(from: string): Promise<string> {
  const page = await client.call('listChanges', { query: { ...source, cursor: from, wait_seconds: 30 } });
  await inTransaction(async () => {
    for (const { operation, connector_id, id, customer_name, record } of page.changes) {
      if (operation === 'upsert') await upsert(connector_id, id, customer_name, record);
      else if (operation === 'delete') {
        await db.query('delete from notes where connector_id = $1 and id = $2', [connector_id, id]);
      } else await db.query('delete from notes where connector_id = $1', [connector_id]);
    }
    await storeCursor(page.cursor);
  });
  if (page.changes.length > 0) console.log(`Applied ${page.changes.length} changes`);
  return page.cursor;
}

async function upsert(connectorId: string, id: string | null, customerName: string | null, note: unknown) {
  await db.query(
    `insert into notes (connector_id, id, customer_name, note) values ($1, $2, $3, $4)
     on conflict (connector_id, id) do update set customer_name = excluded.customer_name, note = excluded.note`,
    // JSON.stringify fails for ids with 19 digits.
    [connectorId, id, customerName, stringifyJson(note)],
  );
}

/** Commits the notes and their cursor together, so that the program can be stopped at any time. */
async function inTransaction(work: () => Promise<void>): Promise<void> {
  await db.query('begin');
  try {
    await work();
    await db.query('commit');
  } catch (error) {
    await db.query('rollback');
    throw error;
  }
}

async function readCursor(): Promise<string | null> {
  const { rows } = await db.query<{ cursor: string }>('select cursor from mirror_cursor');
  return rows[0]?.cursor ?? null;
}

async function storeCursor(next: string): Promise<void> {
  await db.query('delete from mirror_cursor');
  await db.query('insert into mirror_cursor (cursor) values ($1)', [next]);
}
