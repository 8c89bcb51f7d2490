import { setTimeout as delay } from 'node:timers/promises';

/**
 * Retries the check until it does not throw, for up to 60 s, which busy machines can need, and returns its result. Prints
 * the error after 10 s, so that a failing assertion is seen soon.
 */
export async function until<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  const start = performance.now();
  let isPrinted = false;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      const waitedMs = performance.now() - start;
      if (waitedMs > 60_000) throw error;
      if (waitedMs > 10_000 && !isPrinted) {
        process.stderr.write(`Still fails after 10 s: ${String(error)}\n`);
        isPrinted = true;
      }
      // A check can take much of a processor, which what it waits for may need.
      await delay(20 + waitedMs / 10);
    }
  }
}
