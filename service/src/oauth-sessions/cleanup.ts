import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { Log } from '../log/log.ts';
import { forgetOldSessions } from './store.ts';

/**
 * Forgets grants that nobody used in time, and sessions of which nobody will ask any more: now and every minute, until it is closed.
 * Any number of processes may do so at once.
 */
export function startForgetting(db: Kysely<Tables>, log: Log, everyMs = 60_000): { close(): Promise<void> } {
  const closing = new AbortController();
  const running = (async () => {
    while (!closing.signal.aborted) {
      try {
        await forgetOldSessions(db);
      } catch (error) {
        log.warn('oauth_sessions_not_forgotten', { error });
      }
      await delay(everyMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  })();
  return {
    close: () => {
      closing.abort();
      return running;
    },
  };
}
