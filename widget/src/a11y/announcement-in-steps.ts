import { connectionState } from '@connector-auth/api/connection-state';
import type { State, StateOf } from '../flow/flow.ts';
import { linkStatus } from '../messages/link-status.ts';
import type { Messages } from '../messages/messages.ts';
import { statusWords } from '../messages/status-words.ts';
import { failureIn } from '../service/failure.ts';

/** Implements `announcementFor` for the states that follow the catalog. */
export function announcementInSteps(state: State, previous: State, messages: Messages): string | null {
  if (previous.name === 'cancelling' && 'definition' in state && !('link' in state))
    return messages.linkCancelled;
  switch (state.name) {
    case 'catalog':
      return previous.name === 'disconnecting' ? messages.disconnected(previous.connector.name) : null;
    case 'consenting':
      return state.isLate && 'isLate' in previous && !previous.isLate ? messages.reopenLate : null;
    case 'submitting':
      if (state.choice) return messages.connecting;
      return messages.checking(state.definition.name);
    case 'filling': {
      const issues = failureIn(state)?.issues ?? [];
      if (!issues.length) return null;
      return [messages.issuesFound(issues.length), ...issues.map(({ message }) => message)].join('. ');
    }
    case 'sharing':
      if (previous.name === 'sharing')
        return state.isOpened === previous.isOpened ? null : linkStatus(state, messages);
      return state.failure ? null : messages.linkTitle((state.target ?? state.definition).name);
    case 'disconnecting':
      return messages.disconnecting;
    case 'saving':
    case 'savingAccounts':
    case 'linking':
    case 'cancelling':
    case 'syncing':
    case 'cancellingLink':
    case 'undoing':
    case 'endingAgent':
      return '';
    case 'managing':
      return announcementForStatus(state, previous, messages);
    case 'renaming':
      return failureIn(state) ? null : '';
    default:
      return null;
  }
}

/** Focus moves to the status after a sync was requested, and to the control from which the user returns. */
function announcementForStatus(
  { connector, failure, links }: StateOf<'managing'>,
  previous: State,
  messages: Messages,
): string | null {
  if (previous.name === 'undoing') return messages.connectedTitle(connector.name);
  // A link that stays was used just before.
  if (previous.name === 'cancellingLink' && links !== previous.links) return messages.linkCancelled;
  if (previous.name !== 'managing') return previous.name === 'syncing' && !failure ? '' : null;
  const words = statusWords(connectionState(connector), messages);
  return words === statusWords(connectionState(previous.connector), messages) ? null : words;
}
