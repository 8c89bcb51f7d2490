import { failureOf, type Failure } from './failure.ts';
import { pause } from './pause.ts';

export interface WatchOptions<Watched> {
  /** Requests what is watched. The service may delay its response until it changes. */
  readonly poll: (signal: AbortSignal) => Promise<Watched>;
  /** Returns whether it will not change any more. */
  readonly isOver: (watched: Watched) => boolean;
  /** Receives the messages of a pop-up, if there is one. */
  readonly messages?: EventTarget;
  /** Returns whether a message should trigger an immediate poll. */
  readonly isPollTrigger?: (message: MessageEvent) => boolean;
  /** Called with the failure after repeated failures, and with null once polling succeeds again. */
  readonly onFailureChange: (failure: Failure | null) => void;
  readonly signal: AbortSignal;
}

/** Time after which a hidden page stops polling until it is visible again, in milliseconds. */
export const maxHiddenMs = 120_000;
/** Minimum interval between polls if the service responds immediately, in milliseconds. */
const pollIntervalMs = 1000;
/** The number of consecutive failures after which an outage is reported. */
const failuresBeforeReport = 3;

/**
 * Polls until an OAuth session or a connect link is over, one long poll at a time. Polls again when the user returns to the page,
 * because a sleeping device loses connections silently. Retries outages and token failures; rejects with
 * other errors.
 */
export async function watch<Watched>(options: WatchOptions<Watched>): Promise<Watched> {
  const { poll, isOver, messages, isPollTrigger, onFailureChange, signal } = options;
  const watching = new AbortController();
  const listening = { signal: watching.signal };
  let round = new AbortController();
  let hiddenAt = Date.now();
  const pollNow = () => {
    round.abort();
  };
  addEventListener('focus', pollNow, listening);
  addEventListener('online', pollNow, listening);
  // Windows dispatch only MessageEvents with this name.
  messages?.addEventListener(
    'message',
    event => isPollTrigger?.(event as MessageEvent) && pollNow(),
    listening,
  );
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.hidden) hiddenAt = Date.now();
      else pollNow();
    },
    listening,
  );
  try {
    for (let failures = 0; ;) {
      signal.throwIfAborted();
      round = new AbortController();
      const either = AbortSignal.any([signal, round.signal]);
      let waitMs = pollIntervalMs;
      if (document.hidden && Date.now() - hiddenAt > maxHiddenMs) {
        await pause(0, either);
        continue;
      }
      try {
        const polledAt = Date.now();
        const watched = await poll(either);
        if (isOver(watched)) return watched;
        waitMs -= Date.now() - polledAt;
        if (failures >= failuresBeforeReport) onFailureChange(null);
        failures = 0;
      } catch (error) {
        if (either.aborted) continue;
        const failure = failureOf(error);
        if (isFinal(failure)) throw error;
        failures++;
        if (failures >= failuresBeforeReport) onFailureChange(failure);
        waitMs = Math.min(1000 * 2 ** failures, 15_000);
      }
      if (waitMs > 0) await pause(waitMs, either);
    }
  } finally {
    watching.abort();
  }
}

function isFinal({ code, status }: Failure): boolean {
  const isTokenFailure = code.startsWith('token_') || status === 401;
  return !isTokenFailure && status !== null && status < 500 && status !== 429;
}
