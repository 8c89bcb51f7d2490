/** The browser's own timers, which run while a test's clock stands still. */
const { setTimeout, clearTimeout } = globalThis;

/** A wait fails after 60 s, which busy machines can need. It prints why after 10 s, so that a failing assertion is seen soon. */
const limits = { printMs: 10_000, failMs: 60_000 };

function print(text: string): void {
  // oxlint-disable-next-line no-console -- the terminal shows the console of the tests.
  console.error(text);
}

/**
 * Resolves with the result of the check once it no longer throws. Rejects with its error after 60 s. Leaves a fake clock
 * alone, which `vi.waitFor` would move forward.
 */
export async function until<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  const limit = AbortSignal.timeout(limits.failMs);
  const printing = AbortSignal.timeout(limits.printMs);
  let isPrinted = false;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (limit.aborted) throw error;
      if (printing.aborted && !isPrinted) {
        print(`Still fails after 10 s: ${String(error)}`);
        isPrinted = true;
      }
    }
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

/** Rejects if a promise is still pending after 60 s. */
export async function soon<Value>(promise: Promise<Value>, what: string): Promise<Value> {
  const late = new Error(`Waited for 60 s for ${what}`);
  const printing = setTimeout(() => {
    print(`Still waits after 10 s for ${what}`);
  }, limits.printMs);
  const limit = AbortSignal.timeout(limits.failMs);
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_resolve, reject) => {
        limit.addEventListener('abort', () => {
          reject(late);
        });
      }),
    ]);
  } finally {
    clearTimeout(printing);
  }
}
