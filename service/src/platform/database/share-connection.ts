import type { PostgresPool } from 'kysely';

/** Work of at least this duration makes the next work yield. */
const longMs = 50;
/** A request's next statement follows the previous one within this time. */
const gapMs = 10;

/**
 * Divides a pool of one connection between ordinary work and work that may take long. After long work,
 * `yielding` waits until no ordinary work is running or waiting, for at most as long as the long work took. A
 * request that runs several statements therefore waits for at most one long statement.
 */
export function shareConnection(pool: PostgresPool): { ordinary: PostgresPool; yielding: PostgresPool } {
  /** Ordinary work that is running or waiting. */
  let ordinaryCount = 0;
  let ordinaryEndedAt = -Infinity;
  let yieldUntil = -Infinity;
  const isOrdinaryDone = (): boolean => ordinaryCount === 0 && performance.now() - ordinaryEndedAt >= gapMs;
  return {
    ordinary: {
      ...pool,
      connect: async () => {
        const end = (): void => {
          ordinaryCount--;
          ordinaryEndedAt = performance.now();
        };
        ordinaryCount++;
        const client = await pool.connect().catch((error: unknown) => {
          end();
          throw error;
        });
        const release: typeof client.release = destroy => {
          end();
          client.release(destroy);
        };
        return { ...client, release };
      },
    },
    yielding: {
      ...pool,
      connect: async () => {
        while (performance.now() < yieldUntil && !isOrdinaryDone()) await delay(gapMs);
        const client = await pool.connect();
        const startedAt = performance.now();
        const release: typeof client.release = destroy => {
          const tookMs = performance.now() - startedAt;
          if (tookMs >= longMs) yieldUntil = performance.now() + tookMs;
          client.release(destroy);
        };
        return { ...client, release };
      },
    },
  };
}

function delay(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}
