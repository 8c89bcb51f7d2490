import type { LitElement } from 'lit';
import type { Messages } from '../messages/messages.ts';

/** What a component with a state of its own needs from its screen. */
export interface ComponentContext {
  /** The element that contains the screen. Call its `requestUpdate()` to render the screen again. */
  readonly host: LitElement;
  /** UI strings in the host page's language. */
  readonly messages: Messages;
  /** Announces text to screen readers. */
  readonly announce: (text: string) => void;
}
