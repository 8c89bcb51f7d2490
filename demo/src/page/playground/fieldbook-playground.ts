import { html, LitElement } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Session } from '../backend.ts';
import { sheet } from '../styles.ts';

/** `<fieldbook-playground>`: shows the widget with chosen settings, and the code for them. */
@customElement('fieldbook-playground')
export class FieldbookPlayground extends LitElement {
  @property({ attribute: false }) session: Session | null = null;

  static override styles = [sheet];

  protected override render() {
    return html`<connector-auth token-url="/connector-auth/widget-token"></connector-auth>`;
  }
}
