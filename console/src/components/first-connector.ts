import type { AdminConnector } from '@connector-auth/api/admin';
import { html, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Call } from '../api/call.ts';
import { poll } from '../api/polling.ts';
import { DocumentElement } from './element.ts';
import { icons } from './icons.ts';
import { pageLink } from './page-head.ts';

const pollMs = 3_000;

/** `<console-first-connector>`: waits until a customer connects a source. */
export class FirstConnector extends DocumentElement {
  @property({ attribute: false }) call!: Call;
  /** The id of the organization. Empty for any. */
  @property() organization = '';
  /** The newest connector when the element started to wait. Undefined until that is known. */
  #before: string | null | undefined;
  @state() private connected: AdminConnector | null = null;

  constructor() {
    super();
    poll(this, pollMs, () => (this.connected === null ? this.#look() : undefined));
  }

  protected override firstUpdated(): void {
    void this.#look();
  }

  protected override render(): TemplateResult {
    const { connected } = this;
    return html`<div class="notice ${connected ? 'good' : 'info'}" role="status">
      ${connected ? icons.check : html`<span class="pulse" aria-hidden="true"></span>`}
      <div>
        ${
          connected
            ? html`<p class="clamp">
                <strong>Connected.</strong>
                ${pageLink(`/connectors/${connected.id}`, connected.name)} of ${connected.customer.name} is
                being imported.
              </p>`
            : html`<strong>Waiting for your first connection…</strong>
                <p class="hint">Open your page and connect a source. This turns green by itself.</p>`
        }
      </div>
    </div>`;
  }

  async #look(): Promise<void> {
    try {
      const query = { organization_id: this.organization, sort: '-created_at', limit: 1 } as const;
      const [newest = null] = (await this.call('listConnectors', { query })).data;
      if (this.#before === undefined) this.#before = newest?.id ?? null;
      else if (newest !== null && newest.id !== this.#before) this.connected = newest;
    } catch {
      // The next look may succeed.
    }
  }
}
