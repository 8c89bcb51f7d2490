import { setTimeout as delay } from 'node:timers/promises';
import { ConnectorAuthError } from '@connector-auth/api';

const initialPauseMs = 100;
const maxPauseMs = 2_000;
const maxAttempts = 15;

/**
 * Retries a write that must not be lost, such as storing single-use tokens, for about 20 s while the database
 * is unavailable.
 * @param write must be idempotent, because the connection may be lost after the database has committed.
 */
export async function retryWrite<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      const isTransient = error instanceof ConnectorAuthError && error.code === 'overloaded';
      if (!isTransient || attempt >= maxAttempts) throw error;
    }
    await delay(Math.min(maxPauseMs, initialPauseMs * 2 ** (attempt - 1)));
  }
}
