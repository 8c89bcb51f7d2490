import { setTimeout as delay } from 'node:timers/promises';
import { ConnectorAuthError } from '@connector-auth/api';

const initialPauseMs = 100;
const maxPauseMs = 2_000;
const maxAttempts = 15;

/**
 * Writes what must not be lost, such as tokens that a vendor gives once: again and again, for some twenty seconds, while the
 * database is away.
 * @param write must bear being done twice: the connection may break after the database did it.
 */
export async function retryWrite<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      const isPassing = error instanceof ConnectorAuthError && error.code === 'overloaded';
      if (!isPassing || attempt >= maxAttempts) throw error;
    }
    await delay(Math.min(maxPauseMs, initialPauseMs * 2 ** (attempt - 1)));
  }
}
