import type { State } from '../flow/flow.ts';
import { failureWords } from '../messages/failure-words.ts';
import type { Messages } from '../messages/messages.ts';

/** What to read to people who cannot see that the state changed; null when the focus moves to what says it. */
export function announcementFor(state: State, previous: State, messages: Messages): string | null {
  if (state.name === previous.name) return announcementWithin(state, previous, messages);
  if ('failure' in state && state.failure !== null) {
    const faults = state.name === 'filling' ? state.failure.faults.length : 0;
    return faults > 0 ? messages.faultsFound(faults) : failureWords(state.failure, messages).title;
  }
  switch (state.name) {
    case 'loading':
      return previous.name === 'idle' ? null : messages.loadingSources;
    case 'catalog':
      if (previous.name === 'disconnecting') return messages.disconnected(previous.connector.name);
      return previous.name === 'loading'
        ? messages.sourcesFound(state.catalog.definitions.length)
        : messages.catalogTitle;
    case 'opening':
      return messages.opening(state.source.name);
    case 'choosing':
      return messages.methodTitle(state.definition.name);
    case 'filling':
      return messages.formTitle(state.definition.name);
    case 'submitting':
      return messages.checking(state.definition.name);
    case 'consenting':
      return messages.opening(state.definition.name);
    case 'replacing':
      return messages.replaceTitle(state.definition.name);
    case 'connected':
      return messages.connectedTitle(state.connector.name);
    case 'managing':
      return state.connector.name;
    case 'renaming':
    case 'saving':
      return null;
    case 'confirming':
      return messages.disconnectTitle(state.connector.name);
    case 'disconnecting':
      return messages.disconnecting;
    case 'idle':
    case 'unavailable':
    case 'unopened':
      return null;
  }
}

/** Little changes without a step that somebody waits for. */
function announcementWithin(state: State, previous: State, messages: Messages): string | null {
  if (state.name !== 'consenting' || previous.name !== 'consenting') return null;
  const { consent, failure, definition } = state;
  if (failure !== previous.failure) return failure && failureWords(failure, messages).title;
  if (consent === previous.consent || consent === null) return null;
  if (consent.isBlocked) return messages.blockedTitle(definition.name);
  return (consent.window === '_self' ? messages.leavingTitle : messages.waitingTitle)(definition.name);
}
