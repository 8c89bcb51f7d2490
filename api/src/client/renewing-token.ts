import type { Clock } from '../clock.ts';
import { untilAborted } from './deadline.ts';

/** Provides the bearer token for calls. */
export interface TokenSource {
  /**
   * Returns a token that is not known to be invalid. Rejects with the signal's reason if the signal aborts
   * first.
   */
  get(signal: AbortSignal): Promise<string>;
  /** Marks a token as rejected by the service. Returns whether {@link get} can return a different one. */
  invalidate(token: string): boolean;
}

export interface MintedToken {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/**
 * Time before expiry at which a token is replaced. Tokens with a lifetime of up to two minutes are replaced
 * at half their lifetime.
 */
const marginMs = 60_000;

/**
 * Caches a token and renews it before it expires. Concurrent calls share one `mint`.
 *
 * | cached token | `get` returns |
 * |---|---|
 * | none, expired or invalidated | the next token, after it is minted |
 * | in its last minute | the cached token; renews in the background and ignores failures until expiry |
 * | fresh | the cached token |
 *
 * A caller that aborts stops waiting, but the renewal continues for the others.
 */
export function renewingToken(mint: () => Promise<MintedToken>, clock: Clock): TokenSource {
  let current: { token: string; renewAt: number; expiresAt: number } | null = null;
  let renewal: Promise<string> | null = null;

  async function renew(): Promise<string> {
    // The lifetime counts from before the request: the service cannot have issued the token earlier.
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
          // The cached token is still valid. Once it expires, callers get the error.
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

/** Creates a token source for a fixed token, which cannot be replaced. */
export function fixedToken(token: string): TokenSource {
  return { get: () => Promise.resolve(token), invalidate: () => false };
}
