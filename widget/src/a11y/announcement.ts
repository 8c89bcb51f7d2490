import type { State } from '../flow/flow.ts';
import type { Messages } from '../messages/messages.ts';
import { failureIn } from '../service/failure.ts';

/**
 * What to read to people who cannot see that the state changed; null when the focus moves to what says it, or when the
 * heading of the screen says it best: the element reads that out once it is drawn.
 */
export function announcementFor(state: State, previous: State, messages: Messages): string | null {
  switch (state.name) {
    case 'loading':
      return previous.name === 'idle' ? '' : messages.loadingSources;
    case 'catalog':
      if (previous.name === 'loading') return messages.sourcesFound(state.catalog.definitions.length);
      return 'connector' in previous && previous.name === 'disconnecting'
        ? messages.disconnected(previous.connector.name)
        : null;
    case 'opening':
      return messages.opening(state.source.name);
    case 'submitting':
      return messages.checking(state.definition.name);
    case 'filling': {
      const count = failureIn(state)?.issues.length;
      return count ? messages.issuesFound(count) : null;
    }
    case 'disconnecting':
      return messages.disconnecting;
    case 'saving':
      return '';
    case 'renaming':
      return failureIn(state) ? null : '';
    default:
      return null;
  }
}
