import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { icons } from '../components/icons.ts';
import { findSource } from '../flow/sources.ts';
import { MessageSource } from '../messages/message-source.ts';
import { ConnectorAuthController } from './controller.ts';
import { inlineStyles } from './styles.ts';

/** What a button offers. */
type ButtonState = 'loading' | 'unavailable' | 'connect' | 'connected' | 'reconnect';

/**
 * `<connector-auth-button source="gong">`: opens a source in the `<connector-auth>` of the provider around it, or else
 * in a dialog. Says whether the customer has connected it.
 *
 * @slot - The label, unless the source is connected.
 * @slot connected - The label if the source is connected.
 * @slot reconnect - The label if its sign-in has expired.
 * @csspart button - The button.
 * @csspart loading - The button while the sources load.
 * @csspart unavailable - The button of a source that the customer cannot connect.
 * @csspart connect - The button of a source that is not connected.
 * @csspart connected - The button of a source that is connected.
 * @csspart reconnect - The button of a source whose sign-in has expired.
 */
export class ConnectorAuthButtonElement extends LitElement {
  static override styles = inlineStyles;
  static override shadowRootOptions = { ...LitElement.shadowRootOptions, delegatesFocus: true };
  static override properties: PropertyDeclarations = { source: {} };

  /** The connector type, for example `gong`. Null opens the list of all sources. */
  declare source: string | null;

  readonly #flow = new ConnectorAuthController(this);
  readonly #messages = new MessageSource(this);

  constructor() {
    super();
    this.source = null;
  }

  protected override render(): TemplateResult {
    const state = this.#buttonState;
    const isDisabled = state === 'loading' || state === 'unavailable';
    const { language, direction } = this.#messages.value;
    return html`<button
      type="button"
      class="button ${state === 'connect' || state === 'reconnect' ? 'primary' : ''}"
      part="button ${state}"
      lang=${language}
      dir=${this.dir === '' ? direction : nothing}
      aria-disabled=${isDisabled ? 'true' : nothing}
      aria-busy=${state === 'loading' ? 'true' : nothing}
      @click=${isDisabled ? nothing : this.#handleClick}
    >
      ${state === 'connected' ? icons.check : nothing}${
        // The page's own label is for the state in which it matters; the others have slots of their own.
        state === 'connected' || state === 'reconnect'
          ? html`<slot name=${state}>${this.#label(state)}</slot>`
          : html`<slot>${this.#label(state)}</slot>`
      }
    </button>`;
  }

  get #buttonState(): ButtonState {
    const flow = this.#flow;
    if (!flow.isLoaded) return flow.state.name === 'unavailable' ? 'connect' : 'loading';
    if (!this.source) return 'connect';
    const connectors = flow.connectorsOf(this.source);
    if (connectors.some(({ status }) => status === 'needs_reauth')) return 'reconnect';
    if (connectors.length) return 'connected';
    return findSource(flow.sources, this.source) ? 'connect' : 'unavailable';
  }

  #label(state: ButtonState): string {
    const messages = this.#messages.value;
    const name = findSource(this.#flow.sources, this.source)?.name;
    switch (state) {
      case 'connected':
        return name ? `${name} · ${messages.statusActive}` : messages.statusActive;
      case 'reconnect':
        return name ? messages.reconnectTitle(name) : messages.reconnect;
      default:
        if (!this.source) return messages.catalogTitle;
        return name ? messages.formTitle(name) : messages.connect;
    }
  }

  readonly #handleClick = (): void => {
    this.#flow.open(this.source);
  };
}
