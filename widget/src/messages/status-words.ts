import type { ConnectionStateName } from '@connector-auth/api/connection-state';
import type { Messages } from './messages.ts';

const wordsOf = (messages: Messages) =>
  ({
    expired: messages.statusNeedsReauth,
    failing: messages.statusFailing,
    partly_failing: messages.statusPartlyFailing,
    limited: messages.statusLimited,
    paused: messages.statusPaused,
    unavailable: messages.statusUnavailable,
    syncing: messages.statusSyncing,
    current: messages.syncReady,
    connected: messages.statusActive,
  }) satisfies Readonly<Record<ConnectionStateName, string>>;

/** Returns the words for the state of a connection. */
export function statusWords(
  { name }: { readonly name: keyof ReturnType<typeof wordsOf> },
  messages: Messages,
): string {
  return wordsOf(messages)[name];
}
