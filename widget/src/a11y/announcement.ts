import type { State } from '../flow/flow.ts';
import type { Messages } from '../messages/messages.ts';

/** Returns what screen readers announce after a change from or to a state that follows the catalog. */
export type AnnouncementInSteps = (state: State, previous: State, messages: Messages) => string | null;

/**
 * Returns the text that screen readers announce after a state change. Returns null if they should read the
 * new screen's heading instead, or if focus moves to the text itself.
 */
export function announcementFor(
  state: State,
  previous: State,
  messages: Messages,
  announcementInSteps: AnnouncementInSteps | undefined,
): string | null {
  switch (state.name) {
    case 'loading':
      return previous.name === 'idle' ? '' : messages.loadingSources;
    case 'opening':
      return messages.opening(state.source.name);
    default:
      if (state.name === 'catalog' && previous.name === 'loading') {
        return messages.sourcesFound(state.catalog.definitions.length);
      }
      return announcementInSteps?.(state, previous, messages) ?? null;
  }
}
