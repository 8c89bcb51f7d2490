import type { State } from '../flow/flow.ts';
import type { Messages } from '../messages/messages.ts';
import { failureIn } from '../service/failure.ts';

/**
 * Returns what screen readers read after a state change; null to read the heading of the new screen, or if
 * the focus moves to the text in question.
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
