import { css, html, LitElement, nothing, unsafeCSS } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import type { SandboxVendor, Session } from '../backend.ts';
import { flaskIcon } from '../icons.ts';
import { backFromVendor } from '../routes.ts';
import { sheet } from '../styles.ts';
import themes from '../themes.css?inline';

/** `<fieldbook-connections>`: the widget, with what helps to try it with the sandbox. */
@customElement('fieldbook-connections')
export class FieldbookConnections extends LitElement {
  @property({ attribute: false }) session: Session | null = null;
  @property({ attribute: false }) vendors: readonly SandboxVendor[] = [];
  /** The source to open at once. */
  @property({ attribute: false }) source: string | null = null;

  protected override render() {
    const { session } = this;
    if (!session) return nothing;
    return html`
      ${
        session.sandboxUrl === null
          ? nothing
          : html`<p class="sandbox">
              ${flaskIcon}<span
                >Simulated vendors on this computer. No data leaves it.
                <a href=${session.sandboxUrl}>About the sandbox</a></span
              >
            </p>`
      }
      ${keyed(
        session.customer.id,
        html`<connector-auth
          data-customer=${session.customer.id}
          source=${this.source ?? nothing}
          token-url="/connector-auth/widget-token"
          oauth-redirect-url=${backFromVendor}
          ><span slot="next">See your data</span></connector-auth
        >`,
      )}
    `;
  }

  static override styles = [
    sheet,
    unsafeCSS(themes),
    css`
      .sandbox {
        display: flex;
        align-items: center;
        gap: 0.6rem;
        margin-block-end: 1rem;
        padding: 0.5rem 0.85rem;
        border-radius: var(--radius-small);
        color: var(--warn);
        background: var(--warn-tint);
        max-inline-size: 44rem;
        font-size: 0.875rem;
      }
      .sandbox a {
        color: inherit;
      }
    `,
  ];
}
