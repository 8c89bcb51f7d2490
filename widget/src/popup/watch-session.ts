import type { OAuthSession } from '@connector-auth/api';
import { failureOf, type Failure } from '../service/failure.ts';
import { pause } from '../service/pause.ts';

export interface WatchOptions {
  /** Asks where the consent stands; the answer may take its time while nothing changes. */
  readonly ask: (signal: AbortSignal) => Promise<OAuthSession>;
  /** Whether a message to this page means that it is worth asking at once. */
  readonly isNews: (message: MessageEvent) => boolean;
  /** Told why the outcome cannot be learned at the moment, and null when it can again. */
  readonly tellTrouble: (failure: Failure | null) => void;
  readonly signal: AbortSignal;
}

/** Milliseconds a page is hidden before it no longer asks: it will when the person looks at it again. */
export const patienceMs = 120_000;
/** Milliseconds from one question to the next, should the service not hold it. */
const roundMs = 1000;
/** So many questions in a row without an answer are worth a word. */
const troubleAfter = 3;

/**
 * Resolves when a consent is over. One question at a time, held open by the service; asked anew when the person comes
 * back to the page, because a sleeping device lets connections die unnoticed. What passes (an outage, a token that could
 * not be renewed) is tried again; what the service refuses rejects.
 */
export async function watchSession(options: WatchOptions): Promise<OAuthSession> {
  const { ask, isNews, tellTrouble, signal } = options;
  const watching = new AbortController();
  const listening = { signal: watching.signal };
  let round = new AbortController();
  let hiddenAt = Date.now();
  const wake = () => {
    round.abort();
  };
  addEventListener('focus', wake, listening);
  addEventListener('online', wake, listening);
  addEventListener('message', event => isNews(event) && wake(), listening);
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.hidden) hiddenAt = Date.now();
      else wake();
    },
    listening,
  );
  try {
    for (let failures = 0; ;) {
      signal.throwIfAborted();
      round = new AbortController();
      const either = AbortSignal.any([signal, round.signal]);
      let restMs = roundMs;
      if (document.hidden && Date.now() - hiddenAt > patienceMs) {
        await pause(0, either);
        continue;
      }
      try {
        const askedAt = Date.now();
        const session = await ask(either);
        if (session.status !== 'pending') return session;
        restMs -= Date.now() - askedAt;
        if (failures >= troubleAfter) tellTrouble(null);
        failures = 0;
      } catch (error) {
        if (either.aborted) continue;
        const failure = failureOf(error);
        if (isFinal(failure)) throw error;
        failures++;
        if (failures >= troubleAfter) tellTrouble(failure);
        restMs = Math.min(1000 * 2 ** failures, 15_000);
      }
      if (restMs > 0) await pause(restMs, either);
    }
  } finally {
    watching.abort();
  }
}

function isFinal({ code, status }: Failure): boolean {
  const isTokens = code.startsWith('token_') || status === 401;
  return !isTokens && status !== null && status < 500 && status !== 429;
}
