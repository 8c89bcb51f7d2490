import { Client, type ClientConfig } from 'pg';
import { connect } from './migrate.ts';

/**
 * Checks that statements of one client run in one session of the server, which notifications and locks need. Poolers in
 * transaction mode give each transaction another connection.
 * @param variable the environment variable that contains the URL.
 * @throws Error with a message for the operator.
 */
export async function requireSession(server: ClientConfig, variable: string): Promise<void> {
  if (!(await withClients(server, server, sharesConnections))) return;
  throw new Error(
    variable === 'DATABASE_URL'
      ? 'DATABASE_URL leads to a pooler in transaction mode, which cannot deliver notifications: set DIRECT_DATABASE_URL to the URL of the same database without the pooler'
      : `${variable} leads to a pooler in transaction mode: set it to the URL of the server itself`,
  );
}

/**
 * Checks that both URLs lead to the same database of the same server.
 * @throws Error with a message for the operator.
 */
export async function requireSameDatabase(direct: ClientConfig, pooled: ClientConfig): Promise<void> {
  const [first, second] = await withClients(direct, pooled, clients => Promise.all(clients.map(identityOf)));
  if (first === second) return;
  throw new Error(
    'DIRECT_DATABASE_URL leads to another database than DATABASE_URL: set it to the URL of the same database without the pooler',
  );
}

/** The more often, the less likely it is that a busy pooler gives each client its previous connection every time. */
const attempts = 5;

/**
 * Returns whether a pooler gives two connected clients the same connection, or one client different ones. The second client
 * keeps its connection in a transaction, so that an idle pooler has to give the first one another.
 */
async function sharesConnections([first, second]: readonly [Client, Client]): Promise<boolean> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const own = await backendOf(first);
    if ((await backendOf(first)) !== own) return true;
    await second.query('begin');
    const other = await backendOf(second);
    // With a single connection, the first client would wait for the second one.
    const isShared = other === own || (await backendOf(first)) !== own;
    await second.query('rollback');
    if (isShared) return true;
  }
  return false;
}

async function backendOf(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

/** Identifies the server by the time at which it started, in microseconds, which roles without special rights can read. */
async function identityOf(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ identity: string }>(`
    select extract(epoch from pg_postmaster_start_time()) || '/' || oid as identity
    from pg_database where datname = current_database()`);
  return rows[0]?.identity;
}

async function withClients<T>(
  first: ClientConfig,
  second: ClientConfig,
  use: (clients: readonly [Client, Client]) => Promise<T>,
): Promise<T> {
  const clients = [new Client(first), new Client(second)] as const;
  try {
    for (const client of clients) await connect(client);
    return await use(clients);
  } finally {
    await Promise.all(clients.map(client => client.end().catch(() => {})));
  }
}
