import type { LitElement } from 'lit';
import type { FlowEvent } from '../flow/flow.ts';
import type { Messages } from '../messages/messages.ts';
import type { ConnectorAuthProperties } from '../properties.ts';

/** The state of a widget whose settings are invalid and that therefore has no flow. */
export interface Misconfigured {
  readonly name: 'misconfigured';
}

/**
 * The context that a screen needs to render. A screen is a function from a state and this context to a
 * template whose root has the class `screen`. a11y/focus-target.ts selects the element that receives focus.
 */
export interface RenderContext {
  /** The element that contains the screen. Call its `requestUpdate()` to render the screen again. */
  readonly host: LitElement & Pick<ConnectorAuthProperties, 'requests'>;
  /** UI strings in the host page's language. */
  readonly messages: Messages;
  /** Applies an event to the flow. */
  readonly send: (event: FlowEvent) => void;
  /** Announces text to screen readers. */
  readonly announce: (text: string) => void;
}
