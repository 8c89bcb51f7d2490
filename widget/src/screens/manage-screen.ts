import { html, nothing, type TemplateResult } from 'lit';
import type { StateOf } from '../flow/flow.ts';
import { failureWords } from '../messages/failure-words.ts';
import { failureNotice } from '../parts/notice.ts';
import { backButton, screenHead } from '../parts/screen-head.ts';
import { IconFaults, sourceIcon } from '../parts/source-icon.ts';
import { Screen } from './screen.ts';

type ManageState = StateOf<'managing' | 'confirming' | 'disconnecting'>;

/** One connector of the customer: how it is, and disconnecting it, which is asked twice. */
export class ManageScreen extends Screen {
  declare state: ManageState;

  readonly #icons = new IconFaults(this);

  override focusTarget(): HTMLElement | null {
    switch (this.state.name) {
      case 'managing':
        return this.querySelector('.back');
      case 'confirming':
        return this.querySelector('.notice, .keep');
      case 'disconnecting':
        return null;
    }
  }

  protected override render(): TemplateResult {
    const { messages, state } = this;
    const { connector, catalog } = state;
    const source = catalog.definitions.find(entry => entry.sourceDefinitionId === connector.definition_id);
    const since = new Intl.DateTimeFormat(messages.language, { dateStyle: 'long' }).format(
      new Date(connector.created_at),
    );
    const isActive = connector.status === 'active';
    return html`
      ${backButton(messages.back, this.handleBack)}
      ${screenHead({
        title: connector.name,
        lead: messages.connectedSince(since),
        icon: sourceIcon({ name: connector.name, iconUrl: source?.iconUrl }, this.#icons, 'large'),
      })}
      <div class="card" part="status">
        <span class="status ${connector.status}">
          ${isActive ? messages.statusActive : messages.statusNeedsReauth}
        </span>
        <p>${isActive ? messages.activeHint : messages.needsReauthHint}</p>
      </div>
      ${
        state.name === 'managing'
          ? html`<div class="actions">
              <button
                type="button"
                class="button danger"
                part="disconnect-button"
                @click=${this.#handleDisconnect}
              >
                ${messages.disconnect}
              </button>
            </div>`
          : this.#renderConfirmation(state)
      }
    `;
  }

  #renderConfirmation(state: StateOf<'confirming' | 'disconnecting'>): TemplateResult {
    const { messages } = this;
    const isBusy = state.name === 'disconnecting';
    const failure = state.name === 'confirming' ? state.failure : null;
    return html`<section class="card ask" part="confirmation" aria-labelledby="ask">
      <h3 id="ask">${messages.disconnectTitle(state.connector.name)}</h3>
      <p>${messages.disconnectHint}</p>
      ${
        failure === null
          ? nothing
          : failureNotice(
              failureWords(failure, messages),
              failure.requestId && messages.reference(failure.requestId),
            )
      }
      <div class="actions">
        <button type="button" class="button keep" aria-disabled=${isBusy} @click=${this.handleBack}>
          ${messages.keep}
        </button>
        <button
          type="button"
          class="button danger solid"
          part="confirm-button"
          aria-disabled=${isBusy}
          @click=${this.#handleConfirm}
        >
          ${isBusy ? messages.disconnecting : messages.disconnect}
        </button>
      </div>
    </section>`;
  }

  readonly #handleDisconnect = (): void => {
    this.send({ type: 'disconnect' });
  };

  readonly #handleConfirm = (): void => {
    this.send({ type: 'confirm' });
  };
}
