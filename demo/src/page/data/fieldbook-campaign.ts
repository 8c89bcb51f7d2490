import { css, html, LitElement } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { messageOf } from '../loader.ts';
import { sheet } from '../styles.ts';
import { addLabel, readCampaign, setStatus, type CampaignRef, type CampaignState } from './campaign.ts';
import type { Row } from './fields.ts';
import { noNames, type Names } from './names.ts';

/** Dispatched after a campaign has been changed at the vendor and read again. */
export class CampaignChangeEvent extends Event {
  static readonly type = 'fieldbook-campaign-change';

  constructor(
    readonly resourceName: string,
    readonly state: CampaignState,
  ) {
    super(CampaignChangeEvent.type, { bubbles: true, composed: true });
  }
}

declare global {
  interface HTMLElementEventMap {
    [CampaignChangeEvent.type]: CampaignChangeEvent;
  }
}

/** A change that waits for the user's confirmation. */
type Step =
  | { readonly is: 'ready' }
  | { readonly is: 'confirming'; readonly change: Change }
  | { readonly is: 'changing'; readonly change: Change };

type Change =
  | { readonly is: 'pause' }
  | { readonly is: 'enable' }
  | { readonly is: 'label'; readonly label: string };

/** `<fieldbook-campaign>`: pauses, enables and labels a campaign in Google Ads. */
@customElement('fieldbook-campaign')
export class FieldbookCampaign extends LitElement {
  @property({ attribute: false }) campaign!: CampaignRef;
  @property({ attribute: false }) row: Row = {};
  @property({ attribute: false }) names: Names = noNames;
  /** Whether the connection may only read. */
  @property({ type: Boolean }) readonly = false;
  @state() private step: Step = { is: 'ready' };
  @state() private label = '';
  @state() private outcome: { readonly isError: boolean; readonly text: string } | null = null;

  protected override render() {
    if (this.readonly) {
      return html`<p class="quiet small">
        This connection can only read. To change campaigns, reconnect it under Connections.
      </p>`;
    }
    const { step } = this;
    return html`<section aria-labelledby="title">
      <h3 id="title">Change in Google Ads</h3>
      ${step.is === 'ready' ? this.#renderActions() : this.#renderConfirmation(step)}
      <p role="status" class="small ${this.outcome?.isError === true ? 'bad' : 'good'}">
        ${this.outcome?.text}
      </p>
    </section>`;
  }

  #renderActions() {
    const isPaused = this.row['campaign.status'] === 'PAUSED';
    return html`<div class="actions">
      <button class="button" @click=${() => this.#confirm({ is: isPaused ? 'enable' : 'pause' })}>
        ${isPaused ? 'Enable campaign' : 'Pause campaign'}
      </button>
      <form @submit=${this.#handleLabel}>
        <label for="label">Label</label>
        <input
          id="label"
          list="labels"
          maxlength="80"
          autocomplete="off"
          .value=${this.label}
          @input=${(event: Event) => {
            this.label = (event.target as HTMLInputElement).value;
          }}
        />
        <datalist id="labels">
          ${[...this.#labels.keys()].map(name => html`<option value=${name}></option>`)}
        </datalist>
        <button class="button" ?disabled=${this.label.trim() === ''}>Add label</button>
      </form>
    </div>`;
  }

  #renderConfirmation({ is, change }: Exclude<Step, { is: 'ready' }>) {
    const isBusy = is === 'changing';
    return html`<div class="confirmation" role="group" aria-labelledby="question">
      <p id="question">${this.#question(change)}</p>
      <div class="actions">
        <button class="button primary" ?disabled=${isBusy} @click=${() => this.#apply(change)}>
          ${isBusy ? 'Saving…' : { pause: 'Pause campaign', enable: 'Enable campaign', label: 'Add label' }[change.is]}
        </button>
        <button class="button" ?disabled=${isBusy} @click=${this.#handleCancel}>Cancel</button>
      </div>
    </div>`;
  }

  #question(change: Change) {
    const name = html`<bdi>${this.row['campaign.name']}</bdi>`;
    switch (change.is) {
      case 'pause':
        return html`Pause “${name}” in Google Ads? Its ads stop until you enable it again.`;
      case 'enable':
        return html`Enable “${name}” in Google Ads? Its ads start again and spend your budget.`;
      case 'label':
        return this.#labels.has(change.label)
          ? html`Add the label “<bdi>${change.label}</bdi>” to “${name}” in Google Ads?`
          : html`Create the label “<bdi>${change.label}</bdi>” in Google Ads and add it to “${name}”?`;
    }
  }

  get #labels(): ReadonlyMap<string, string> {
    return this.names.labelsOf(this.campaign.customerId);
  }

  #confirm(change: Change): void {
    this.outcome = null;
    this.step = { is: 'confirming', change };
    void this.#focus('.primary');
  }

  readonly #handleLabel = (event: SubmitEvent): void => {
    event.preventDefault();
    const label = this.label.trim();
    if (label === '') return;
    const labels = this.row['campaign.labels'];
    const resource = this.#labels.get(label);
    if (Array.isArray(labels) && labels.includes(resource)) {
      this.outcome = { isError: false, text: `The campaign already has the label “${label}”.` };
      return;
    }
    this.#confirm({ is: 'label', label });
  };

  readonly #handleCancel = (): void => {
    this.step = { is: 'ready' };
    void this.#focus('.button');
  };

  async #apply(change: Change): Promise<void> {
    const { campaign } = this;
    this.step = { is: 'changing', change };
    try {
      if (change.is === 'label') await addLabel(campaign, change.label, this.#labels);
      else await setStatus(campaign, change.is === 'pause' ? 'PAUSED' : 'ENABLED');
      const state = await readCampaign(campaign);
      this.label = '';
      this.outcome = { isError: false, text: outcomeOf(change) };
      this.dispatchEvent(new CampaignChangeEvent(campaign.resourceName, state));
    } catch (error) {
      this.outcome = { isError: true, text: messageOf(error) };
    }
    this.step = { is: 'ready' };
    await this.#focus('.button');
  }

  async #focus(selector: string): Promise<void> {
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(selector)?.focus();
  }

  static override styles = [
    sheet,
    css`
      section {
        display: grid;
        gap: 0.6rem;
        padding: 0.9rem 1rem;
        background: var(--side);
        border-radius: var(--radius);
      }
      .actions,
      form {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem;
      }
      input {
        inline-size: 11rem;
      }
      .confirmation {
        display: grid;
        gap: 0.6rem;
      }
      [role='status']:empty {
        display: none;
      }
      .good {
        color: var(--good);
      }
      .bad {
        color: var(--bad);
      }
    `,
  ];
}

function outcomeOf(change: Change): string {
  switch (change.is) {
    case 'pause':
      return 'Paused in Google Ads.';
    case 'enable':
      return 'Enabled in Google Ads.';
    case 'label':
      return `Added the label “${change.label}” in Google Ads.`;
  }
}
