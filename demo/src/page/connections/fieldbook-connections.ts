import type { ConnectorAuthEvent } from '@connector-auth/widget';
import { css, html, LitElement, nothing, unsafeCSS } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import type { OfferedVendor, Session } from '../backend.ts';
import { flaskIcon, keyIcon } from '../icons.ts';
import { backFromVendor } from '../routes.ts';
import { sheet } from '../styles.ts';
import themes from '../themes.css?inline';
import { fillForm } from './fill-form.ts';
import { sandboxKeys } from './sandbox-keys.ts';

/** `<fieldbook-connections>`: the widget, with what helps to try it with the sandbox. */
@customElement('fieldbook-connections')
export class FieldbookConnections extends LitElement {
  @property({ attribute: false }) session: Session | null = null;
  /** The sandbox's vendors; empty if the service uses the real ones. */
  @property({ attribute: false }) vendors: readonly OfferedVendor[] = [];
  /** The source to open at once. */
  @property({ attribute: false }) source: string | null = null;
  /** The source whose form is open. */
  @state() private formOf: string | null = null;

  protected override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has('session') || changed.has('source')) this.formOf = null;
  }

  protected override render() {
    const { session } = this;
    return html`
      ${session?.sandboxUrl ? this.#renderNotice(session.sandboxUrl) : nothing}
      ${
        session
          ? keyed(
              session.customer.id,
              html`<connector-auth
                data-theme="fieldbook"
                data-customer=${session.customer.id}
                source=${this.source ?? nothing}
                token-url="/connector-auth/widget-token"
                oauth-redirect-url=${backFromVendor}
                @connector-auth-step=${this.#handleStep}
                ><span slot="next">See your data</span></connector-auth
              >`,
            )
          : html`<div class="card place" aria-busy="true"></div>`
      }
      ${this.source ? html`<p><a href="#connections">Show all sources</a></p>` : nothing}
    `;
  }

  #renderNotice(sandboxUrl: string) {
    const hasKey = this.vendors.some(({ key }) => key === this.formOf);
    return html`<div class="sandbox">
      ${flaskIcon}
      <p>Simulated vendors: no data leaves this computer. <a href=${sandboxUrl}>About it</a></p>
      ${
        hasKey
          ? html`<button class="button primary small" @click=${this.#handleFill}>
              ${keyIcon}<span>Fill sandbox key</span>
            </button>`
          : nothing
      }
      <details>
        <summary>All keys</summary>
        ${sandboxKeys(this.vendors)}
      </details>
    </div>`;
  }

  readonly #handleStep = ({ detail }: ConnectorAuthEvent<'connector-auth-step'>): void => {
    // A key that the vendor rejects leads back to its form.
    if (detail.step !== 'checking') this.formOf = detail.step === 'form' ? detail.connectorType : null;
  };

  readonly #handleFill = (): void => {
    const widget = this.renderRoot.querySelector('connector-auth');
    const vendor = this.vendors.find(({ key }) => key === this.formOf);
    if (widget && vendor)
      fillForm(
        widget,
        vendor.credentials.filter(({ works }) => works),
      );
  };

  static override styles = [
    sheet,
    unsafeCSS(themes),
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 44rem);
        gap: 1rem;
      }
      .place {
        block-size: clamp(28em, 80svh, 40em);
      }
      .sandbox {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.25rem 0.75rem;
        min-block-size: 2.75rem;
        padding: 0.4rem 0.85rem;
        border-radius: var(--radius-small);
        color: var(--warn);
        background: var(--warn-tint);
        font-size: 0.8125rem;
      }
      .sandbox > p {
        flex: 1 1 12rem;
      }
      .sandbox a {
        color: inherit;
      }
      .sandbox .button svg {
        inline-size: 1rem;
      }
      summary {
        cursor: pointer;
        font-weight: 550;
      }
      details[open] {
        flex-basis: 100%;
      }
      dl {
        display: grid;
        gap: 0.75rem;
        margin: 0.6rem 0 0.25rem;
        color: var(--ink);
      }
      dl > div {
        display: grid;
        grid-template-columns: 8rem minmax(0, 1fr);
        gap: 0.25rem 0.75rem;
      }
      dt {
        font-weight: 600;
        grid-row: 1 / span 4;
      }
      dd {
        grid-column: 2;
        margin: 0;
        display: grid;
        grid-template-columns: 8rem minmax(0, 1fr) auto;
        align-items: center;
        gap: 0.6rem;
      }
      dd code {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      @media (max-width: 40rem) {
        dl > div {
          grid-template-columns: minmax(0, 1fr);
        }
        dd {
          grid-column: 1;
          grid-template-columns: minmax(0, 1fr) auto;
          gap: 0 0.6rem;
        }
        dd .quiet {
          grid-column: 1 / -1;
        }
      }
    `,
  ];
}
