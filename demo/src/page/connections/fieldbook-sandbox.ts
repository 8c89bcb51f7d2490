import { ConnectorAuthController } from '@connector-auth/widget/lit';
import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { OfferedVendor, Session } from '../backend.ts';
import { flaskIcon, keyIcon } from '../icons.ts';
import { sheet } from '../styles.ts';
import { fillForm } from './fill-form.ts';
import { sandboxKeys } from './sandbox-keys.ts';

/** `<fieldbook-sandbox>`: says that the vendors are simulated, and fills their keys into the open form. */
@customElement('fieldbook-sandbox')
export class FieldbookSandbox extends LitElement {
  @property({ attribute: false }) session: Session | null = null;
  /** The sandbox's vendors; empty if the service uses the real ones. */
  @property({ attribute: false }) vendors: readonly OfferedVendor[] = [];
  readonly #flow = new ConnectorAuthController(this);

  protected override render() {
    const url = this.session?.sandboxUrl;
    if (!url) return nothing;
    return html`<div class="sandbox">
      ${flaskIcon}
      <p>Simulated vendors: no data leaves this computer. <a href=${url}>About it</a></p>
      ${
        this.#vendorOfForm
          ? html`<button class="button small" @click=${this.#handleFill}>
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

  /** The vendor whose form is open. */
  get #vendorOfForm(): OfferedVendor | undefined {
    const { state } = this.#flow;
    if (state.name !== 'filling') return undefined;
    return this.vendors.find(({ key }) => key === state.definition.connectorType);
  }

  readonly #handleFill = (): void => {
    const widget = this.closest('connector-auth') ?? this.parentNode?.querySelector('connector-auth');
    const credentials = this.#vendorOfForm?.credentials.filter(({ works }) => works);
    if (widget && credentials) fillForm(widget, credentials);
  };

  static override styles = [
    sheet,
    css`
      :host {
        display: block;
      }
      /* In a dialog, in line with its content and with the button that closes it. */
      :host([slot]) {
        padding: 1.1875rem 3.75rem 0 1.5rem;
        margin-block-end: -0.5rem;
      }
      :host([slot]) details {
        display: none;
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
      @media (max-width: 30rem) {
        :host([slot]) {
          padding-inline-start: 1rem;
        }
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
