import type { StateOf } from '../flow/flow.ts';
import type { Messages } from './messages.ts';

/** Returns what happens to a connect link, which is also announced. */
export function linkStatus(
  { isOpened, definition }: StateOf<'sharing' | 'cancelling'>,
  messages: Messages,
): string {
  return isOpened ? messages.linkOpened(definition.name) : messages.linkWaiting;
}
