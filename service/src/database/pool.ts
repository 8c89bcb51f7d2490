import { ConnectorAuthError } from '@connector-auth/api';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { DatabaseError, Pool, type PoolConfig } from 'pg';
import type { Log } from '../log/log.ts';
import { typeParsers } from './values.ts';

/** How much the database may be asked at once, and how long anyone waits for it. */
export interface PoolLimits {
  /** Connections to a PostgreSQL server; the embedded engine has one. */
  maxConnections: number;
  /** Callers that may wait for a connection; one more is refused at once. */
  maxWaiting: number;
  /** How long a caller waits for a connection. A query made inside a transaction without its handle ends here. */
  acquireTimeoutMs: number;
  /** How long one statement may run. */
  statementTimeoutMs: number;
  /** How long a transaction may sit without a statement. */
  idleTransactionTimeoutMs: number;
}

/**
 * A connection pool for Kysely whose waiting line is bounded.
 *
 * A database that is busy, gone or too slow is told as ConnectorAuthError `overloaded` (503), with what happened in its
 * `cause`; an error of the statement itself stays pg's own `DatabaseError`.
 */
export function createPool(config: PoolConfig, limits: PoolLimits, log: Log): PostgresPool {
  const pool = new Pool({
    ...config,
    connectionTimeoutMillis: limits.acquireTimeoutMs,
    types: typeParsers,
  });
  // Without these listeners a connection lost while idle, or while in use, would end the process.
  pool.on('error', error => log.warn('database_connection_lost', { error }));
  pool.on('connect', client => client.on('error', () => {}));
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      // Connections that are free, or may yet be made, will take some of those who wait in this very moment.
      const free = pool.idleCount + pool.options.max - pool.totalCount;
      if (pool.waitingCount - free >= limits.maxWaiting) {
        throw overloaded('Too many requests are waiting for the database');
      }
      const client = await pool.connect().catch((error: unknown) => {
        throw toCallerError(error);
      });
      // Once the connection is lost every further query on it (a rollback, above all) fails with the reason.
      let loss: unknown;
      const run = async (text: string, parameters: unknown[]): Promise<unknown> => {
        if (loss !== undefined) throw loss;
        try {
          return await client.query(text, parameters);
        } catch (error) {
          const refusal = toCallerError(error);
          if (!(error instanceof DatabaseError)) loss = refusal;
          throw refusal;
        }
      };
      return {
        // Kysely's type has a second form, for cursors, which this service does not configure.
        query: run as PostgresPoolClient['query'],
        release: destroy => client.release(destroy),
      };
    },
  };
}

/** A refusal with which the caller may try again in a moment. */
export function overloaded(message: string, cause?: unknown): ConnectorAuthError {
  return new ConnectorAuthError('overloaded', `${message}; try again in a moment`, {
    retryAfterSeconds: 1,
    cause,
  });
}

/** A statement ran into its time limit: either the database is busy, or the statement asks for too much. */
export class StatementTimeoutError extends ConnectorAuthError {
  constructor(cause: unknown) {
    super('overloaded', 'The database took too long; try again in a moment', { retryAfterSeconds: 1, cause });
  }
}

/** The error as the caller is told it. */
function toCallerError(error: unknown): unknown {
  if (codeOf(error) === queryCanceled) return new StatementTimeoutError(error);
  return isOutage(error) ? overloaded('The database does not answer', error) : error;
}

/** PostgreSQL's code for a statement that ran into `statement_timeout`. */
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
  // PostgreSQL shuts down (57P01), crashed (57P02), starts up (57P03), has no connection left (53300), or lost one (08…).
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08003',
  '08006',
]);

/** pg gives these no code. */
const outageMessage =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed)/;

function isOutage(error: unknown): boolean {
  return outageCodes.has(codeOf(error)) || (error instanceof Error && outageMessage.test(error.message));
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
