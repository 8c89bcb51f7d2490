import { html, nothing, type TemplateResult } from 'lit';
import type { StateOf } from '../flow/flow.ts';
import { sourceOf } from '../flow/next-in-managing.ts';
import { failureNotice } from '../parts/notice.ts';
import { primaryButton } from '../parts/primary-button.ts';
import { question } from '../parts/question.ts';
import { backButton, screenHead } from '../parts/screen-head.ts';
import { IconFaults, sourceIcon } from '../parts/source-icon.ts';
import { syncProgress } from '../parts/sync-progress.ts';
import { Screen } from './screen.ts';

type ManageState = StateOf<'managing' | 'renaming' | 'saving' | 'confirming' | 'disconnecting'>;

/** One connector of the customer: how it is, renaming and reconnecting it, and disconnecting it, which is asked twice. */
export class ManageScreen extends Screen {
  declare state: ManageState;

  readonly #icons = new IconFaults(this);

  override focusTarget(): HTMLElement | null {
    switch (this.state.name) {
      case 'managing':
        return this.querySelector('.back');
      case 'renaming':
        return this.querySelector<HTMLElement>('.notice') ?? this.querySelector('input');
      case 'confirming':
        return this.querySelector('.notice, .keep');
      case 'saving':
      case 'disconnecting':
        return null;
    }
  }

  protected override render(): TemplateResult {
    const { messages, state } = this;
    const { connector, catalog } = state;
    const since = new Intl.DateTimeFormat(messages.language, { dateStyle: 'long' }).format(
      new Date(connector.created_at),
    );
    const isActive = connector.status === 'active';
    return html`
      ${backButton(messages.back, this.handleBack)}
      ${screenHead({
        title: connector.name,
        lead: messages.connectedSince(since),
        icon: sourceIcon(
          { name: connector.name, iconUrl: sourceOf(catalog, connector)?.iconUrl },
          this.#icons,
          'large',
        ),
      })}
      <div class="card" part="status">
        <span class="status ${connector.status}" part="state">
          ${isActive ? messages.statusActive : messages.statusNeedsReauth}
        </span>
        <p part="hint">${isActive ? messages.activeHint : messages.needsReauthHint}</p>
        ${syncProgress(connector.sync, messages)}
      </div>
      ${this.#renderBelow(state)}
    `;
  }

  #renderBelow(state: ManageState): TemplateResult {
    const { messages } = this;
    const { name, connector } = state;
    switch (name) {
      case 'managing':
        return this.#renderActions(state);
      case 'renaming':
      case 'saving':
        return html`<form novalidate class="card" part="form" @submit=${this.#handleSave}>
          <div class="field" part="field">
            <label class="label" part="label" for="new-name">${messages.nameLabel}</label>
            <input
              id="new-name"
              part="input"
              maxlength="200"
              autocomplete="off"
              ?readonly=${name === 'saving'}
              .value=${state.newName}
            />
          </div>
          ${name === 'renaming' ? failureNotice(state.failure, messages) : nothing}
          <div class="actions">
            <button type="button" class="button" part="button" @click=${this.handleBack}>
              ${messages.cancel}
            </button>
            <button class="button primary" part="primary-button" aria-disabled=${name === 'saving'}>
              ${messages.save}
            </button>
          </div>
        </form>`;
      case 'confirming':
      case 'disconnecting': {
        const isBusy = name === 'disconnecting';
        return question(
          {
            title: messages.disconnectTitle(connector.name),
            hint: messages.disconnectHint,
            no: messages.keep,
            yes: isBusy ? messages.disconnecting : messages.disconnect,
            failure: isBusy ? null : state.failure,
            isBusy,
            onNo: this.handleBack,
            onYes: this.#handleConfirm,
          },
          messages,
        );
      }
    }
  }

  #renderActions({ catalog, connector }: ManageState): TemplateResult {
    const { messages } = this;
    const canReconnect = sourceOf(catalog, connector) !== undefined;
    const reconnect =
      connector.status === 'active'
        ? html`<button type="button" class="button" part="reconnect-button" @click=${this.#handleReconnect}>
            ${messages.reconnect}
          </button>`
        : primaryButton(messages.reconnect, this.#handleReconnect);
    return html`<div class="actions">
      ${canReconnect ? reconnect : nothing}
      <button type="button" class="button" part="rename-button" @click=${this.#handleRename}>
        ${messages.rename}
      </button>
      <button type="button" class="button danger" part="disconnect-button" @click=${this.#handleDisconnect}>
        ${messages.disconnect}
      </button>
    </div>`;
  }

  readonly #handleReconnect = (): void => {
    this.send({ type: 'reconnect' });
  };

  readonly #handleRename = (): void => {
    this.send({ type: 'rename' });
  };

  readonly #handleSave = (event: SubmitEvent): void => {
    event.preventDefault();
    const newName = this.querySelector('input')?.value.trim() ?? '';
    // No name, or the old one: nothing to store.
    if (newName === '' || newName === this.state.connector.name) this.handleBack();
    else this.send({ type: 'save', newName });
  };

  readonly #handleDisconnect = (): void => {
    this.send({ type: 'disconnect' });
  };

  readonly #handleConfirm = (): void => {
    this.send({ type: 'confirm' });
  };
}
