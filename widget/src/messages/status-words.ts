import type { ConnectionStateName } from '@connector-auth/api/connection-state';
import type { Messages } from './messages.ts';

const words = {
  expired: 'statusNeedsReauth',
  failing: 'statusFailing',
  partly_failing: 'statusPartlyFailing',
  limited: 'statusLimited',
  paused: 'statusPaused',
  unavailable: 'statusUnavailable',
  syncing: 'statusSyncing',
  current: 'syncReady',
  connected: 'statusActive',
} as const satisfies Readonly<Record<ConnectionStateName, keyof Messages>>;

/** Returns the words for the state of a connection. */
export function statusWords({ name }: { readonly name: keyof typeof words }, messages: Messages): string {
  return messages[words[name]];
}
