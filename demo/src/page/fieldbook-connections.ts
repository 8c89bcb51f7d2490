import { ConnectorAuthController } from '@connector-auth/widget/lit';
import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { OwnCredentials } from '../sandbox.ts';
import type { Session } from './backend.ts';
import { PageElement } from './element.ts';

/** `<fieldbook-connections>`: the widget, and a button that fills a form at a simulated vendor. */
@customElement('fieldbook-connections')
export class FieldbookConnections extends PageElement {
  @property({ attribute: false }) session!: Session;
  /** The source to open at once. */
  @property({ attribute: false }) source: string | null = null;
  readonly #flow = new ConnectorAuthController(this);

  protected override render() {
    const own = this.#ownCredentials;
    return html`<connector-auth
      ><span slot="next">See your data</span> ${
        own
          ? html`<p slot="footer" class="fill">
              Simulated vendor.
              <button class="button" @click=${() => this.#fill(own)}>Fill in a test key</button>
            </p>`
          : nothing
      }</connector-auth
    >`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('source') && this.source) void this.#open(this.source);
  }

  async #open(source: string): Promise<void> {
    // A widget that is not ready cannot show the source.
    await this.querySelector('connector-auth')?.updateComplete;
    this.#flow.open(source);
  }

  /** The customer's own credentials for the form that is open. */
  get #ownCredentials(): OwnCredentials | undefined {
    const { state } = this.#flow;
    if (state.name !== 'filling') return undefined;
    return this.session.credentials.find(({ source }) => source === state.definition.connectorType);
  }

  /**
   * Types credentials into the widget's open form, like the visitor would. A real product does not need this, and the
   * widget's inner elements are not a public interface.
   */
  #fill({ values }: OwnCredentials): void {
    const root = this.querySelector('connector-auth')?.shadowRoot;
    const inputOf = (field: string) =>
      root?.querySelector<HTMLInputElement>(`form [part='input'][id$='${CSS.escape(field)}']`) ?? null;
    const fitting = values.find(each => Object.keys(each).every(field => inputOf(field) !== null));
    for (const [field, value] of Object.entries(fitting ?? {})) {
      const input = inputOf(field);
      if (!input) continue;
      input.value = value;
      input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    }
    root?.querySelector<HTMLElement>("form [part~='primary-button']")?.focus({ preventScroll: true });
  }
}
