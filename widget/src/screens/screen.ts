import { LitElement, type PropertyDeclarations } from 'lit';
import type { FlowEvent, State } from '../flow/flow.ts';
import type { Messages } from '../messages/messages.ts';

/** The integrator made a mistake that only they can mend: there is no flow then. */
export interface Misconfigured {
  readonly name: 'misconfigured';
}

/**
 * What every screen is: a state in, flow events out. Screens render into the host's own shadow root, so that styles,
 * parts and ids are one space and the host's `::part`s need no forwarding.
 */
export abstract class Screen extends LitElement {
  static override properties: PropertyDeclarations = {
    state: { attribute: false },
    messages: { attribute: false },
  };

  /** Set by the host before the screen is in the document. Each screen declares which states are its own. */
  declare state: State | Misconfigured;

  /** The sentences of the language the host is in; set by it as well. */
  declare messages: Messages;

  /** Where the keyboard focus belongs when this state was just entered; null leaves it where it is. */
  abstract focusTarget(): HTMLElement | null;

  protected send(event: FlowEvent): void {
    this.dispatchEvent(new FlowRequest(event));
  }

  /** Has a sentence read to people who cannot see what changed. */
  protected announce(text: string): void {
    this.dispatchEvent(new AnnounceRequest(text));
  }

  protected readonly handleBack = (): void => {
    this.send({ type: 'back' });
  };

  protected readonly handleRetry = (): void => {
    this.send({ type: 'retry' });
  };

  protected override createRenderRoot(): this {
    return this;
  }
}

/** Asks the host to apply an event to the flow. Not composed: it never leaves the widget. */
export class FlowRequest extends Event {
  static readonly type = 'flow';
  constructor(readonly flowEvent: FlowEvent) {
    super(FlowRequest.type, { bubbles: true });
  }
}

/** Asks the host to announce a sentence in its live region. */
export class AnnounceRequest extends Event {
  static readonly type = 'announce';
  constructor(readonly text: string) {
    super(AnnounceRequest.type, { bubbles: true });
  }
}
