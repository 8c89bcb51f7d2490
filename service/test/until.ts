import { setTimeout as delay } from 'node:timers/promises';

/** Retries the check until it does not throw, for up to 60 s, and returns its result. */
export async function until<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  const end = performance.now() + 60_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
      await delay(20);
    }
  }
}
