import type { ConnectionState } from '../flow/connection-state.ts';
import type { Messages } from './messages.ts';

/** Returns the words for the state of a connection. */
export function statusWords(state: ConnectionState, messages: Messages): string {
  switch (state.name) {
    case 'expired':
      return messages.statusNeedsReauth;
    case 'paused':
      return messages.statusPaused;
    case 'failing':
      return state.isPartial ? messages.statusPartlyFailing : messages.statusFailing;
    case 'syncing':
      return messages.statusSyncing;
    case 'limited':
      return messages.statusLimited;
    case 'current':
      return state.since ? messages.syncReady : messages.statusActive;
  }
}
