import type { KindName } from '@connector-auth/api';
import { ConnectorAuthController } from '@connector-auth/widget/lit';
import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { OfferedVendor, Session } from '../backend.ts';
import { sheet } from '../styles.ts';
import './fieldbook-sandbox.ts';

/** `<fieldbook-connections>`: the widget. */
@customElement('fieldbook-connections')
export class FieldbookConnections extends LitElement {
  @property({ attribute: false }) session: Session | null = null;
  @property({ attribute: false }) vendors: readonly OfferedVendor[] = [];
  /** The source to open at once. */
  @property({ attribute: false }) source: KindName | null = null;
  readonly #flow = new ConnectorAuthController(this);

  protected override render() {
    const { session, vendors } = this;
    return html`
      <fieldbook-sandbox .session=${session} .vendors=${vendors}></fieldbook-sandbox>
      ${
        session
          ? html`<connector-auth data-customer=${session.customer.id}
              ><span slot="next">See your data</span></connector-auth
            >`
          : nothing
      }
    `;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('source') && this.source) void this.#open(this.source);
  }

  async #open(source: KindName): Promise<void> {
    // A widget that is not ready cannot show the source.
    await this.renderRoot.querySelector('connector-auth')?.updateComplete;
    this.#flow.open(source);
  }

  static override styles = [
    sheet,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 1rem;
      }
      /* The page has room below, so the widget does not scroll inside. */
      connector-auth {
        --connector-auth-height: auto;
      }
      connector-auth::part(panel) {
        min-block-size: 28em;
      }
    `,
  ];
}
