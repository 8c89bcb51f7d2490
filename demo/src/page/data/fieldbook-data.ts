import './data-view.ts';
import type { Connector } from '@connector-auth/api';
import { html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import type { Session } from '../backend.ts';
import { tableIcon } from '../icons.ts';
import { sheet } from '../styles.ts';
import { viewStyles } from './view-styles.ts';

/** `<fieldbook-data>`: searches the records of the customer's sources. */
@customElement('fieldbook-data')
export class FieldbookData extends LitElement {
  /** Null while they are loading. */
  @property({ attribute: false }) connectors: readonly Connector[] | null = null;
  @property({ attribute: false }) session: Session | null = null;
  /** The id of the connector to show, or null for the first one. */
  @property({ attribute: false }) picked: string | null = null;

  static override styles = [sheet, viewStyles];

  protected override render() {
    const connectors = this.connectors ?? [];
    const connector = connectors.find(({ id }) => id === this.picked) ?? connectors[0] ?? null;
    return html`
      ${
        this.connectors !== null && connector === null
          ? html`<div class="empty">
              <div class="empty-mark">${tableIcon}</div>
              <h2>Nothing connected yet</h2>
              <p>Connect a source to see its records here.</p>
              <a class="button primary" href="#connections">Connect a source</a>
            </div>`
          : nothing
      }
      ${
        connector
          ? html`<div class="choices" role="group" aria-label="Source">
                ${connectors.map(
                  ({ id, name }) =>
                    html`<button
                      class="button"
                      aria-pressed=${id === connector.id}
                      @click=${() => {
                        this.picked = id;
                      }}
                    >
                      ${name}
                    </button>`,
                )}
              </div>
              ${keyed(connector.id, html`<data-view .connector=${connector}></data-view>`)}`
          : nothing
      }
    `;
  }
}
