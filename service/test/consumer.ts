/**
 * An integrator's backend that mirrors all records and stores each event, as a process of its own. It can be killed at any time:
 * all that it knows is in its database.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { ConnectorAuthError, stringifyJson } from '@connector-auth/api';
import { createClient } from '@connector-auth/api/client';
import { Pool } from 'pg';
import { Webhook } from 'standardwebhooks';

/** What `startConsumer` passes. */
export interface ConsumerOptions {
  readonly databaseUrl: string;
  /** Where it receives events. */
  readonly port: number;
  readonly webhookSecret: string;
  readonly service: {
    readonly baseUrl: string;
    readonly clientId: string;
    readonly clientSecret: string;
  };
}

export function hashOf(record: unknown): string {
  return createHash('sha256').update(stringifyJson(record)).digest('hex');
}

async function run({ databaseUrl, port, webhookSecret, service }: ConsumerOptions): Promise<never> {
  const db = new Pool({ connectionString: databaseUrl });
  await db.query(`
    create table if not exists events (id text primary key, type text not null);
    create table if not exists mirror (connector text, entity text, id text, hash text, primary key (connector, entity, id));
    create table if not exists cursors (cursor text not null)`);
  createServer((request, response) => {
    void (async () => {
      const body = (await buffer(request)).toString();
      // Node has parsed them; the service sends each once.
      const headers = request.headers as Record<string, string>;
      const { type } = new Webhook(webhookSecret).verify(body, headers) as { readonly type: string };
      await db.query('insert into events (id, type) values ($1, $2) on conflict do nothing', [
        headers['webhook-id'],
        type,
      ]);
      response.writeHead(204).end();
    })().catch(() => response.writeHead(500).end());
  }).listen(port, '127.0.0.1');

  const client = createClient(service);
  for (;;) {
    try {
      const { rows } = await db.query<{ cursor: string }>('select cursor from cursors');
      // There were no records before the first cursor, so there is nothing to search for.
      await follow(rows[0]?.cursor ?? 'now');
    } catch (error) {
      if (error instanceof ConnectorAuthError && error.code === 'cursor_expired') throw error;
      // The service is not available.
      await delay(100);
    }
  }

  async function follow(cursor: string): Promise<never> {
    for (let from = cursor; ;) {
      const page = await client.call('listChanges', { query: { cursor: from, wait_seconds: 5 } });
      const connection = await db.connect();
      try {
        await connection.query('begin');
        for (const { connector_id, entity, id, operation, record } of page.changes) {
          if (operation === 'disconnect') {
            await connection.query('delete from mirror where connector = $1', [connector_id]);
          } else if (operation === 'delete') {
            await connection.query('delete from mirror where connector = $1 and entity = $2 and id = $3', [
              connector_id,
              entity,
              id,
            ]);
          } else {
            await connection.query(
              `insert into mirror values ($1, $2, $3, $4)
               on conflict (connector, entity, id) do update set hash = excluded.hash`,
              [connector_id, entity, id, hashOf(record)],
            );
          }
        }
        await connection.query('delete from cursors');
        await connection.query('insert into cursors values ($1)', [page.cursor]);
        await connection.query('commit');
      } finally {
        // Ends a transaction that was not committed.
        connection.release(true);
      }
      from = page.cursor;
    }
  }
}

const [, , options] = process.argv;
if (options !== undefined) await run(JSON.parse(options) as ConsumerOptions);
