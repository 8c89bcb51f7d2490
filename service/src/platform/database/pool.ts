import { ConnectorAuthError } from '@connector-auth/api';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg';
import { Semaphore, type SemaphoreLimits } from '../concurrency/semaphore.ts';
import type { Log } from '../log/log.ts';
import type { ConnectorChanges } from './connector-changes.ts';
import { typeParsers } from './values.ts';

export interface PoolLimits {
  /** Maximum number of connections to a PostgreSQL server. The embedded engine always uses one. */
  maxConnections: number;
  /** Maximum number of callers that can wait for a connection. Further callers are rejected immediately. */
  maxWaiting: number;
  /**
   * Maximum time to wait for a connection. This also breaks the deadlock that occurs if a transaction
   * callback runs a query outside its transaction.
   */
  acquireTimeoutMs: number;
  statementTimeoutMs: number;
  idleTransactionTimeoutMs: number;
  /**
   * The limit for a whole transaction, because readers of the change feed wait for older transactions. The embedded engine has one
   * connection and does not enforce it.
   */
  transactionTimeoutMs: number;
}

/** The connections of a pool. */
export interface PoolUsage {
  readonly max: number;
  readonly inUse: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
  /** The time that all callers have waited, those that got no connection too. */
  readonly waitedSeconds: number;
}

/** A pool that can be measured. */
export interface MeasuredPool extends PostgresPool {
  usage(): PoolUsage;
}

/** PostgreSQL's settings for statements, by name. */
type StatementSettings = Readonly<Record<string, string | number>>;

/** Where a pool applies its settings: once per connection, or in each transaction if the connection leads to a pooler. */
type SettingsScope = 'session' | 'transaction';

/**
 * Creates a connection pool for Kysely with a bounded queue.
 *
 * Throws a ConnectorAuthError `overloaded` (503), with the original error as `cause`, if the database is
 * busy, unreachable or too slow. Errors in the statement itself remain a `DatabaseError` from pg.
 * @param changes gets what was changed on a connection when the connection is released, after the commit.
 * @param settings never startup options, which poolers reject.
 */
export function createPool(
  config: PoolConfig,
  limits: PoolLimits,
  { log, changes }: { log: Log; changes: ConnectorChanges },
  { scope, ...settings }: StatementSettings & { scope: SettingsScope },
): MeasuredPool {
  let waitedMs = 0;
  const pool = new Pool({
    ...config,
    connectionTimeoutMillis: limits.acquireTimeoutMs,
    types: typeParsers,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for the promise.
    onConnect: async client => {
      if (scope === 'session') await client.query(assign('set', settings));
    },
  });
  // Without these listeners, a lost connection would terminate the process.
  pool.on('error', error => log.warn('database_connection_lost', { error }));
  pool.on('connect', client => client.on('error', () => {}));
  return {
    options: pool.options,
    end: () => pool.end(),
    usage: () => ({
      max: pool.options.max,
      inUse: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
      waitedSeconds: waitedMs / 1000,
    }),
    async connect() {
      // Idle connections and connections that can still be opened will serve part of the queue immediately.
      const free = pool.idleCount + pool.options.max - pool.totalCount;
      if (pool.waitingCount - free >= limits.maxWaiting) {
        throw overloaded('Too many requests are waiting for the database');
      }
      const startedAt = performance.now();
      const client = await pool
        .connect()
        .catch((error: unknown) => {
          throw toCallerError(error);
        })
        .finally(() => {
          waitedMs += performance.now() - startedAt;
        });
      const reportChanges = changes.collect(client);
      // After a connection loss, further queries on the connection, such as the rollback, fail with the
      // original error.
      let loss: unknown;
      const run = async (text: string, parameters: unknown[]): Promise<unknown> => {
        if (loss !== undefined) throw loss;
        try {
          return await (scope === 'session'
            ? client.query(text, parameters)
            : runInTransaction(client, settings, text, parameters));
        } catch (error) {
          const callerError = toCallerError(error);
          if (!(error instanceof DatabaseError)) loss = callerError;
          throw callerError;
        }
      };
      return {
        // The Kysely type also declares an overload for cursors, which this service does not configure.
        query: run as PostgresPoolClient['query'],
        // A lost connection may still wait for the response to a query that timed out.
        release: destroy => {
          reportChanges();
          client.release(destroy ?? loss !== undefined);
        },
      };
    },
  };
}

/**
 * Runs a statement in a transaction with these settings: the one that it begins or that is open, otherwise its own. A pooler
 * gives each transaction another connection of the server, and other clients get the connection with all settings of its session.
 */
async function runInTransaction(
  client: PoolClient,
  settings: StatementSettings,
  text: string,
  parameters: unknown[],
): Promise<unknown> {
  if (/^(?:begin|start transaction)\b/i.test(text)) {
    return await client.query(`${text}; ${assign('set local', settings)}`);
  }
  if (client.getTransactionStatus() !== 'I') return await client.query(text, parameters);
  await client.query(`begin; ${assign('set local', settings)}`);
  try {
    const result = await client.query(text, parameters);
    await client.query('commit');
    return result;
  } catch (error) {
    // Fails only if the connection is lost, which has the same effect.
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

function assign(command: 'set' | 'set local', settings: StatementSettings): string {
  return Object.entries(settings)
    .map(([name, value]) => `${command} ${name} = ${value}`)
    .join('; ');
}

/** Restricts some callers of a pool to a share of its connections. Closing the result does not close the pool. */
export function limitPool(pool: PostgresPool, limits: SemaphoreLimits): PostgresPool {
  const semaphore = new Semaphore(limits, () =>
    overloaded('Too many requests without a token are waiting for the database'),
  );
  return {
    ...pool,
    end: async () => {},
    async connect() {
      const leave = await semaphore.acquire('');
      try {
        const client = await pool.connect();
        const release: typeof client.release = destroy => {
          leave();
          client.release(destroy);
        };
        return { ...client, release };
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

/** Creates an `overloaded` error that tells the caller to retry after one second. */
export function overloaded(message: string, cause?: unknown): ConnectorAuthError {
  return new ConnectorAuthError('overloaded', `${message}; try again in a moment`, {
    retryAfterSeconds: 1,
    cause,
  });
}

/**
 * Reports that a statement exceeded its time limit, because the database is busy or the statement is too
 * expensive.
 */
export class StatementTimeoutError extends ConnectorAuthError {
  constructor(cause: unknown) {
    super('overloaded', 'The database query timed out; try again in a moment', {
      retryAfterSeconds: 1,
      cause,
    });
  }
}

function toCallerError(error: unknown): unknown {
  if (codeOf(error) === queryCanceled) return new StatementTimeoutError(error);
  return isOutage(error) ? overloaded('The database is not responding', error) : error;
}

/** PostgreSQL's error code for a statement that exceeded `statement_timeout`. */
const queryCanceled = '57014';

const outageCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // A transaction has exceeded `transaction_timeout`.
  '25P04',
  // PostgreSQL is shutting down (57P01), has crashed (57P02), is starting up (57P03) or has no free
  // connection (53300), or a connection was lost (08…).
  '57P01',
  '57P02',
  '57P03',
  '53300',
  // The server's disk is full: writes fail until there is space.
  '53100',
  '08000',
  '08003',
  '08006',
  // PgBouncer has this code for all its errors, such as a server that it cannot reach.
  '08P01',
]);

/** Matches outage errors from pg that have no code. */
const outageMessage =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed)/;

function isOutage(error: unknown): boolean {
  return outageCodes.has(codeOf(error)) || (error instanceof Error && outageMessage.test(error.message));
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
