import type { LitElement } from 'lit';
import type { FlowEvent } from '../flow/flow.ts';
import type { Messages } from '../messages/messages.ts';

/** The settings are invalid, so there is no flow. */
export interface Misconfigured {
  readonly name: 'misconfigured';
}

/**
 * What screens need to render. A screen is a function of a state and this context. It returns a template
 * whose root has the class `screen`; a11y/focus-target.ts says which element gets the focus.
 */
export interface RenderContext {
  /** The element that contains the screen: `requestUpdate()` renders it again. */
  readonly host: LitElement;
  /** The texts in the host's language. */
  readonly messages: Messages;
  /** Applies an event to the flow. */
  readonly send: (event: FlowEvent) => void;
  /** Has screen readers read a text. */
  readonly announce: (text: string) => void;
}
