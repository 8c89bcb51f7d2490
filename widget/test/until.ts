/** The browser's own timer, which runs while a test's clock stands still. */
const { setTimeout } = globalThis;

/**
 * Resolves with the result of the check once it no longer throws. Rejects with its error after ten seconds, which allow for
 * busy machines. Leaves a fake clock alone, which `vi.waitFor` would move forward.
 */
export async function until<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  const limit = AbortSignal.timeout(10_000);
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (limit.aborted) throw error;
    }
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

/** Rejects if a promise is still pending after ten seconds. */
export function soon<Value>(promise: Promise<Value>, what: string): Promise<Value> {
  const late = new Error(`Waited for ten seconds for ${what}`);
  const limit = AbortSignal.timeout(10_000);
  return new Promise((resolve, reject) => {
    limit.addEventListener('abort', () => {
      reject(late);
    });
    promise.then(resolve, reject);
  });
}
