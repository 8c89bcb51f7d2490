import { setTimeout as delay } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import { Client } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../../platform/database/database.ts';
import { explainMissingRights, MissingRightsError } from '../../platform/database/schema-rights.ts';
import type { Job } from '../../platform/jobs/periodic-job.ts';
import type { Log } from '../../platform/log/log.ts';
import { pendingRecordChanges, type RecordChange } from './ensure.ts';
import { quote, type RecordTables } from './record-table.ts';

/** The advisory lock of the process that builds indexes. The number is arbitrary but must never change. */
const builderLock = 4_019_283_748;

const pollMs = 60_000;
const maxPauseMs = 3_600_000;

export interface IndexContext {
  readonly database: Pick<Database, 'kysely' | 'maintenance'>;
  /** Null for the embedded database, where nothing else runs while an index is built. */
  readonly databaseUrl: string | null;
  readonly tables: RecordTables;
  readonly log: Log;
}

/**
 * Builds the missing indexes of record tables in the background. Ends when none is missing, and tries again if an index
 * could not be built or another process is building.
 */
export function startIndexBuilder(context: IndexContext, metrics: Registry): Job {
  const closing = new AbortController();
  const { signal } = closing;
  const missing = new Gauge({
    name: 'connector_auth_record_indexes_missing',
    help: 'Indexes of record tables that are missing or being built',
    registers: [metrics],
  });
  const build = async (): Promise<void> => {
    let failures = 0;
    let logged: string | null = null;
    while (!signal.aborted) {
      try {
        if ((await buildMissingIndexes(context, signal, count => missing.set(count))) === 0) return;
      } catch (error) {
        if (signal.aborted) return;
        // "migrate" may build them at any time. Other errors, such as a full disk, get worse with each attempt.
        if (!(error instanceof MissingRightsError)) failures += 1;
        const message = String(error);
        if (message !== logged) context.log.warn('record_indexes_missing', { error });
        logged = message;
      }
      await delay(Math.min(maxPauseMs, pollMs * 2 ** failures), undefined, { signal }).catch(() => {});
    }
  };
  const building = build();
  return {
    close: () => {
      closing.abort();
      return building;
    },
  };
}

/**
 * Builds the missing indexes of existing record tables, one after the other. On a server, requests continue meanwhile.
 * If this process ends, the server still completes the index that it is building.
 * @param onCount called with the number of missing indexes whenever it changes.
 * @returns the number of indexes that are missing afterwards, because another process is building.
 * @throws MissingRightsError, or the error of the first index that cannot be built, after building the others.
 */
export async function buildMissingIndexes(
  { database, databaseUrl, tables, log }: IndexContext,
  closing: AbortSignal,
  onCount: (count: number) => void = () => {},
): Promise<number> {
  const readMissing = async (): Promise<readonly MissingIndex[]> => {
    const missing = (await pendingRecordChanges(database.kysely, tables)).filter(isMissingIndex);
    onCount(missing.length);
    return missing;
  };
  const before = await readMissing();
  if (before.length === 0) return 0;
  const session = databaseUrl === null ? embeddedSession(database) : await openSession(databaseUrl, closing);
  if (session === null) return before.length;
  try {
    // Another process may have built some before it released the lock.
    const missing = await readMissing();
    const names = missing.map(({ name }) => name);
    const errors: unknown[] = [];
    for (const index of missing) {
      const startedAt = performance.now();
      try {
        await explainMissingRights(names, () => session.build(index));
        log.info('record_index_built', {
          name: index.index,
          took_ms: Math.round(performance.now() - startedAt),
        });
        onCount(missing.length - missing.indexOf(index) - 1 + errors.length);
      } catch (error) {
        if (error instanceof MissingRightsError || closing.aborted) throw error;
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
    return 0;
  } finally {
    await session.close();
  }
}

type MissingIndex = RecordChange & { readonly index: string };

function isMissingIndex(change: RecordChange): change is MissingIndex {
  return change.index !== null;
}

interface Session {
  build(index: MissingIndex): Promise<void>;
  close(): Promise<void>;
}

function embeddedSession({ kysely, maintenance }: IndexContext['database']): Session {
  return {
    build: async ({ statement }) => {
      await (maintenance ?? kysely).executeQuery(CompiledQuery.raw(statement));
    },
    close: () => Promise.resolve(),
  };
}

/** Connects to the server and takes the lock, or returns null if another process holds it. */
async function openSession(databaseUrl: string, closing: AbortSignal): Promise<Session | null> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: 'connector-auth indexes',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
  });
  // A lost connection rejects the running query. Without a listener, it would also terminate the process.
  client.on('error', () => {});
  const close = (): Promise<void> => client.end().catch(() => {});
  closing.addEventListener('abort', () => void close(), { once: true });
  try {
    await client.connect();
    // Parallel workers would take processor time from requests.
    await client.query('set statement_timeout = 0; set max_parallel_maintenance_workers = 0');
    // Waiting for the lock in a statement would be a deadlock: `create index concurrently` waits for older statements.
    const { rows } = await client.query<{ isLocked: boolean }>(
      `select pg_try_advisory_lock(${builderLock}) as "isLocked"`,
    );
    if (rows[0]?.isLocked === true) return { build: index => buildConcurrently(client, index), close };
  } catch (error) {
    await close();
    throw error;
  }
  await close();
  return null;
}

/** Builds an index while requests read and write the table, and replaces what an interrupted attempt has left. */
async function buildConcurrently(client: Client, { index, statement }: MissingIndex): Promise<void> {
  const remove = `drop index concurrently if exists ${quote(index)}`;
  await client.query(remove);
  try {
    await client.query(statement.replace(/^create (?:unique )?index/, '$& concurrently'));
  } catch (error) {
    // An incomplete index still costs writes, and an incomplete unique one rejects them.
    await client.query(remove).catch(() => {});
    throw error;
  }
}
