import { createServer } from 'node:http';
import { createClient } from '@connector-auth/api/client';
import type { ReceivedEvent } from '@connector-auth/server-helper';
import { connectorAuth } from '@connector-auth/server-helper/node';
import { Pool, type PoolClient } from 'pg';

const { SERVICE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', WEBHOOK_SECRET = '' } = process.env;
const { DATABASE_URL, PORT = '3000' } = process.env;
const service = { baseUrl: SERVICE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
const client = createClient(service);

const pool = new Pool({ connectionString: DATABASE_URL });
await pool.query(`
  create table if not exists received_events (id text primary key, received_at timestamptz not null default now());
  create table if not exists mails (event_id text primary key, customer_name text not null, body text not null);
`);

// Where a reconnect link sends the browser, to see who is signed in.
await client.organization.update({ connect_helper_url: `http://localhost:${PORT}/connector-auth` });
const connect = connectorAuth({
  ...service,
  allowedOrigins: [`http://localhost:${PORT}`],
  // This server only receives events. In your product, return the customer of the session.
  resolveCustomer: () => null,
  webhookSecret: WEBHOOK_SECRET,
  onEvent: handleOnce,
});
createServer((request, response) => {
  if (request.url?.startsWith('/connector-auth/')) connect(request, response);
  else response.writeHead(404).end();
}).listen(Number(PORT), () => console.log(`Events: http://localhost:${PORT}/connector-auth/events`));

/** Handles an event once, however often it arrives: its id is committed together with the reaction, or neither is. */
async function handleOnce(event: ReceivedEvent): Promise<void> {
  const db = await pool.connect();
  try {
    await db.query('begin');
    // Waits for a transaction that inserts the same id.
    const { rowCount } = await db.query(
      'insert into received_events (id) values ($1) on conflict do nothing',
      [event.id],
    );
    if (rowCount === 1) await react(event, db);
    await db.query('commit');
    console.log(`${event.type} ${rowCount === 1 ? 'handled' : 'ignored: it was handled before'}`);
  } catch (error) {
    await db.query('rollback');
    // The service sends the event again later.
    throw error;
  } finally {
    db.release();
  }
}

/** Writes a mail to customers whose connection broke. Ignores all other events. */
async function react(event: ReceivedEvent, db: PoolClient): Promise<void> {
  if (event.type !== 'connector.needs_reauth') return;
  const { customer_name: customer, name } = event.data;
  // With the key, a second attempt returns the same link.
  const { url } = await client.connectLinks.create(event.data.reconnect, { idempotencyKey: event.id });
  await db.query('insert into mails (event_id, customer_name, body) values ($1, $2, $3)', [
    event.id,
    customer,
    `${name} needs a new sign-in: ${url}`,
  ]);
}
