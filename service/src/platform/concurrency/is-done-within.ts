import { setTimeout as delay } from 'node:timers/promises';

/** Returns whether work ended within the time limit. Rejects if the work fails in time. */
export async function isDoneWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const tooLate = new AbortController();
  const isLate = delay(ms, false, { signal: tooLate.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), isLate]);
  } finally {
    tooLate.abort();
  }
}
