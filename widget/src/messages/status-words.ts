import type { ConnectionStateName } from '@connector-auth/api/connection-state';
import type { Messages } from './messages.ts';

/** Returns the words for the state of a connection. */
export function statusWords({ name }: { readonly name: ConnectionStateName }, messages: Messages): string {
  const words: Readonly<Record<ConnectionStateName, string>> = {
    expired: messages.statusNeedsReauth,
    failing: messages.statusFailing,
    partly_failing: messages.statusPartlyFailing,
    limited: messages.statusLimited,
    paused: messages.statusPaused,
    unavailable: messages.statusUnavailable,
    syncing: messages.statusSyncing,
    current: messages.syncReady,
    connected: messages.statusActive,
  };
  return words[name];
}
