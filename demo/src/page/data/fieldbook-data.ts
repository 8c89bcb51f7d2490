import './fieldbook-search.ts';
import type { Connector } from '@connector-auth/api';
import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import type { Session } from '../backend.ts';
import { tableIcon } from '../icons.ts';
import { sheet } from '../styles.ts';

/** `<fieldbook-data>`: searches the records of the customer's sources. */
@customElement('fieldbook-data')
export class FieldbookData extends LitElement {
  /** Null while they are loading. */
  @property({ attribute: false }) connectors: readonly Connector[] | null = null;
  @property({ attribute: false }) session: Session | null = null;
  /** The id of the connector to show, or null for the first one. */
  @property({ attribute: false }) picked: string | null = null;

  protected override render() {
    if (this.connectors === null) {
      return html`<div class="card" role="status">
        <span class="visually-hidden">Loading…</span>
        <div class="skeleton"></div>
      </div>`;
    }
    const connectors = this.connectors.toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1));
    const connector = connectors.find(({ id }) => id === this.picked) ?? connectors[0];
    if (connector === undefined) {
      return html`<section class="empty">
        <div class="mark">${tableIcon}</div>
        <h2>Nothing connected yet</h2>
        <p>Connect a source to see its records here.</p>
        <a class="button primary" href="#connections">Connect a source</a>
      </section>`;
    }
    return html`${connectors.length === 1 ? nothing : this.#renderSources(connectors, connector)}
    ${keyed(
      connector.id,
      html`<fieldbook-search .connector=${connector} .session=${this.session}></fieldbook-search>`,
    )}`;
  }

  #renderSources(connectors: readonly Connector[], shown: Connector) {
    return html`<div class="choices" role="group" aria-label="Source">
      ${connectors.map(
        ({ id, name }) =>
          html`<button class="button" aria-pressed=${id === shown.id} @click=${() => this.#pick(id)}>
            ${name}
          </button>`,
      )}
    </div>`;
  }

  #pick(id: string): void {
    this.picked = id;
  }

  static override styles = [
    sheet,
    css`
      :host {
        display: grid;
        gap: 1rem;
        grid-template-columns: minmax(0, 1fr);
      }
      .skeleton {
        min-block-size: 16rem;
      }
    `,
  ];
}
