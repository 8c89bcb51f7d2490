import './notes-view.ts';
import type { Connector } from '@connector-auth/api';
import { html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import type { Session } from '../backend.ts';
import { notesIcon } from '../icons.ts';
import { sheet } from '../styles.ts';
import { viewStyles } from './view-styles.ts';

/** `<fieldbook-home>`: what the customer's sources contain. */
@customElement('fieldbook-home')
export class FieldbookHome extends LitElement {
  /** Null while they are loading. */
  @property({ attribute: false }) connectors: readonly Connector[] | null = null;
  @property({ attribute: false }) session: Session | null = null;

  static override styles = [sheet, viewStyles];

  protected override render() {
    const { connectors } = this;
    const connector = connectors?.find(({ connector_type }) => connector_type === 'granola') ?? null;
    return html`
      ${
        connectors !== null && connector === null
          ? html`<div class="empty">
              <div class="empty-mark">${notesIcon}</div>
              <h2>No notes yet</h2>
              <p>Connect Granola to see your team’s notes here.</p>
              <a class="button primary" href="#connections/granola">Connect Granola</a>
            </div>`
          : nothing
      }
      ${connector ? keyed(connector.id, html`<notes-view .connector=${connector}></notes-view>`) : nothing}
    `;
  }
}
