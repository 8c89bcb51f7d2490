import type { StateOf } from '../flow/flow.ts';
import type { Messages } from './messages.ts';

/** Returns what happens to a connect link. Screen readers announce it, too. */
export function linkStatus(state: StateOf<'linking' | 'sharing' | 'cancelling'>, messages: Messages): string {
  return state.name !== 'linking' && state.isOpened
    ? messages.linkOpened((state.target ?? state.definition).name)
    : `${messages.linkWaiting} ${messages.leaveHint}`;
}
