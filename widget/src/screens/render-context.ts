import type { LitElement } from 'lit';
import type { FlowEvent } from '../flow/flow.ts';
import type { Messages } from '../messages/messages.ts';

/** The integrator made a mistake that only they can mend: there is no flow then. */
export interface Misconfigured {
  readonly name: 'misconfigured';
}

/**
 * What a screen draws with, and whom it tells. A screen is a function from a state and this to a template whose root has
 * the class `screen`. Where the focus belongs in it, see a11y/focus-target.ts.
 */
export interface RenderContext {
  /** The element they are drawn in: drawn again by its `requestUpdate()`. */
  readonly host: LitElement;
  /** The sentences of the language the host is in. */
  readonly messages: Messages;
  /** Applies an event to the flow. */
  readonly send: (event: FlowEvent) => void;
  /** Has a sentence read to people who cannot see what changed. */
  readonly announce: (text: string) => void;
}
