import { connectionState } from '@connector-auth/api/connection-state';
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { MessageSource } from '../messages/message-source.ts';
import { statusWords } from '../messages/status-words.ts';
import { sortByUrgency } from '../screens/catalog.ts';
import { ConnectorAuthController } from './controller.ts';
import { inlineStyles } from './styles.ts';

/** The names of the parts whose state has another name. */
const parts: Readonly<Record<string, string>> = {
  partly_failing: 'failing partly-failing',
  connected: 'current',
};

/**
 * `<connector-auth-status source="gong">`: shows the state of the customer's connection to a source, or of the one
 * that needs attention most. Shows its content if there is none.
 *
 * @slot - Shown if the source is not connected.
 * @csspart status - The dot and the word.
 * @csspart word - The word.
 * @csspart current - The status of a source that is up to date.
 * @csspart syncing - The status of a source that is synced now.
 * @csspart limited - The status of a source that is delayed by the vendor’s rate limit.
 * @csspart failing - The status of a source that cannot be synced, or only in part.
 * @csspart partly-failing - The status of a source of which some data cannot be synced.
 * @csspart expired - The status of a source whose sign-in has expired.
 * @csspart paused - The status of a source that was paused.
 */
export class ConnectorAuthStatusElement extends LitElement {
  static override styles = inlineStyles;
  static override properties: PropertyDeclarations = { source: {} };

  /** The connector type, for example `gong`. Null stands for all of them. */
  declare source: string | null;

  readonly #flow = new ConnectorAuthController(this);
  readonly #messages = new MessageSource(this);

  constructor() {
    super();
    this.source = null;
  }

  protected override render(): TemplateResult | typeof nothing {
    const flow = this.#flow;
    if (!flow.isLoaded) return nothing;
    const [connector] = sortByUrgency(this.source ? flow.connectorsOf(this.source) : flow.connectors);
    if (!connector) return html`<slot></slot>`;
    const state = connectionState(connector);
    const { language, direction } = this.#messages.value;
    // Not announced: whatever the customer does in the widget, the widget announces.
    return html`<span
      class="status ${state.tone}"
      part="status ${parts[state.name] ?? state.name}"
      role="status"
      aria-live="off"
      lang=${language}
      dir=${this.dir === '' ? direction : nothing}
      ><span part="word">${statusWords(state, this.#messages.value)}</span></span
    >`;
  }
}
