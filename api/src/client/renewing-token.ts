import type { Clock } from '../clock.ts';
import { untilAborted } from './deadline.ts';

/** Where calls get the bearer token they send. */
export interface TokenSource {
  /** A token that is valid as far as we know. Rejects with the signal's reason when that aborts first. */
  get(signal: AbortSignal): Promise<string>;
  /** Says that the service answered 401 to this token. True when {@link get} now gives another one. */
  invalidate(token: string): boolean;
}

/** A token as it was minted. */
export interface MintedToken {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/** A minute before the end, or half the lifetime of a token that lives less than two, the next one is fetched. */
const marginMs = 60_000;

/**
 * Keeps one token fresh, however many calls ask for it at once: never more than one `mint` runs.
 *
 * | token | a call gets | and |
 * |---|---|---|
 * | none, expired or refused | the next one | waits for it |
 * | in its last minute | this one | the next is fetched meanwhile; a failure of that shows only when this one has expired |
 * | fresh | this one | |
 *
 * A caller that gives up stops waiting; the renewal goes on for the others.
 */
export function renewingToken(mint: () => Promise<MintedToken>, clock: Clock): TokenSource {
  let current: { token: string; renewAt: number; expiresAt: number } | null = null;
  let renewal: Promise<string> | null = null;

  async function renew(): Promise<string> {
    // Counted from before the request: the service's clock starts no earlier.
    const askedAt = clock.now();
    const { token, expiresInSeconds } = await mint();
    const lifetimeMs = expiresInSeconds * 1000;
    const expiresAt = askedAt + lifetimeMs;
    current = { token, expiresAt, renewAt: expiresAt - Math.min(marginMs, lifetimeMs / 2) };
    return token;
  }

  function renewOnce(): Promise<string> {
    renewal ??= renew().finally(() => {
      renewal = null;
    });
    return renewal;
  }

  return {
    async get(signal) {
      signal.throwIfAborted();
      const now = clock.now();
      if (current === null || now >= current.expiresAt) return untilAborted(renewOnce(), signal);
      if (now >= current.renewAt) {
        renewOnce().catch(() => {
          // The current token still works; whoever finds it expired gets the error.
        });
      }
      return current.token;
    },
    invalidate(token) {
      if (current?.token === token) current = null;
      return true;
    },
  };
}

/** A token that somebody else keeps: once it is refused there is no other. */
export function fixedToken(token: string): TokenSource {
  return { get: () => Promise.resolve(token), invalidate: () => false };
}
