import type { AdminApplication, CreatedSecret } from '@connector-auth/api/admin';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { ApiError } from '../../api/api-error.ts';
import type { App } from '../../app.ts';
import { badge } from '../../components/badge.ts';
import { cell } from '../../components/cell.ts';
import { secretPanel } from '../../components/code-block.ts';
import { environmentCode } from '../../components/connect-code.ts';
import { selectField, submitButton } from '../../components/fields.ts';
import { Form } from '../../components/form.ts';
import { failureNotice } from '../../components/notice.ts';
import { section } from '../../components/page-head.ts';
import { table, type Column } from '../../components/table.ts';
import { fullTime, inDays, pointInTime, timeAgo } from '../../components/time.ts';
import { shortIdOf, stateOf, type Secret, type SecretState } from './secrets.ts';

/** The API’s limit, see `maxLiveSecrets` in the contract. */
const maxSecrets = 2;

/** `<console-secrets>`: the credentials of an application; adds and deletes client secrets. */
export class SecretsSection extends LitElement {
  @property({ attribute: false }) app!: App;
  @property({ attribute: false }) application!: AdminApplication;
  @property({ attribute: false }) canWrite = false;
  @property({ attribute: false }) onChange: () => Promise<void> | void = () => {};
  @state() private isAdding = false;
  @state() private created: CreatedSecret | null = null;
  #form = new Form(this, { expires: '' }, { createsSecret: true });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const { application } = this;
    const canAdd =
      this.canWrite && application.secrets.length < maxSecrets && !this.isAdding && !this.created;
    return html`${this.created ? this.#panel(this.created) : nothing}
    ${section(
      'Credentials',
      html`<div class="field">
          <span class="label">Client ID</span>
          <div class="secret-value">
            <code>${application.client_id}</code
            ><console-copy .text=${application.client_id} what="client ID"></console-copy>
          </div>
        </div>
        ${
          application.secrets.length === 0
            ? html`<p class="muted">This application has no client secret, so it can’t get tokens.</p>`
            : this.#table(application.secrets)
        }
        ${this.isAdding ? this.#addForm() : nothing}`,
      {
        lead: 'To rotate a secret without downtime, add a second one, deploy it, then delete the old one once it hasn’t been used for an hour. This page updates by itself.',
        actions: canAdd
          ? html`<button type="button" class="button" @click=${this.#startAdding}>
              ${application.secrets.length === 0 ? 'Add a secret' : 'Add a second secret'}
            </button>`
          : nothing,
      },
    )}`;
  }

  #table(secrets: readonly Secret[]): TemplateResult {
    const deletion: Column<Secret> = {
      label: 'Delete',
      isAction: true,
      cell: secret =>
        html`<button
          type="button"
          class="button small danger"
          aria-label="Delete the secret ${shortIdOf(secret)}, created ${fullTime(secret.created_at)}"
          @click=${() => this.#delete(secret, false)}
        >
          Delete
        </button>`,
    };
    return table({
      caption: 'Client secrets',
      items: secrets,
      columns: [
        {
          label: 'Secret',
          cell: secret =>
            cell(
              html`<span>Created ${pointInTime(secret.created_at)}</span>`,
              html`<span title=${secret.id}>ID ${shortIdOf(secret)}</span>`,
            ),
        },
        { label: 'Last used', cell: ({ last_used_at }) => timeAgo(last_used_at) },
        { label: 'Expires', cell: ({ expires_at }) => pointInTime(expires_at) },
        { label: 'State', cell: secret => stateCell(stateOf(secret, secrets, Date.now())) },
        ...(this.canWrite ? [deletion] : []),
      ],
    });
  }

  #addForm(): TemplateResult {
    const form = this.#form;
    return html`<form class="inset narrow" novalidate @submit=${this.#add}>
      <h3 tabindex="-1">New client secret</h3>
      ${failureNotice(form.failure)}
      ${selectField(form, 'expires', {
        label: 'Expires',
        required: true,
        choices: [
          ['never', 'Never'],
          ['30', 'In 30 days'],
          ['90', 'In 90 days'],
          ['365', 'In a year'],
        ],
      })}
      <div class="actions">
        ${submitButton(form, 'Add secret')}
        <button type="button" class="button" @click=${this.#stopAdding}>Cancel</button>
      </div>
    </form>`;
  }

  #panel(created: CreatedSecret): TemplateResult {
    const { organizations } = this.application;
    return secretPanel({
      title: 'New client secret',
      what: 'client secret',
      secret: created.client_secret,
      content: html`${environmentCode({
          serviceUrl: this.app.serviceUrl,
          clientId: created.client_id,
          clientSecret: created.client_secret,
          organizations,
        })}
        <p class="hint">
          Deploy it in every place that uses the old secret. Both work until you delete the old one; “Last
          used” shows when the old one is no longer needed.
        </p>`,
      actions: html`<button type="button" class="button primary" @click=${this.#closePanel}>
        I’ve stored it, close
      </button>`,
    });
  }

  readonly #startAdding = async (): Promise<void> => {
    this.#form.reset({ expires: 'never' });
    this.isAdding = true;
    await this.updateComplete;
    this.querySelector<HTMLElement>('select')?.focus();
  };

  readonly #stopAdding = (): void => {
    this.isAdding = false;
    this.#form.reset({ expires: 'never' });
    this.querySelector<HTMLElement>('h2')?.focus();
  };

  readonly #closePanel = (): void => {
    this.created = null;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('h2')?.focus());
  };

  readonly #add = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const created = await this.#form.submit(({ expires }, idempotencyKey) =>
      this.app.call('createSecret', {
        params: { application_id: this.application.id },
        body: expires === 'never' ? {} : { expires_at: inDays(Number(expires)) },
        idempotencyKey,
      }),
    );
    if (!created) return;
    this.isAdding = false;
    this.created = created;
    void this.onChange();
    await this.updateComplete;
    this.querySelector<HTMLElement>('.secret-panel h2')?.focus();
  };

  async #delete(secret: Secret, isForced: boolean): Promise<void> {
    const { id, name, secrets } = this.application;
    const other = secrets.find(one => one.id !== secret.id);
    const mustType = isForced || other === undefined;
    let mustForce = false;
    const isDone = await this.app.confirm({
      title: other ? 'Delete this client secret?' : 'Delete the only client secret?',
      body: deletionWords(secret, secrets),
      action: 'Delete secret',
      ...(mustType ? { name } : {}),
      option: {
        label: 'Also reject the tokens that the application has now',
        hint: `Choose this if the secret leaked. ${
          other && other.last_used_at !== null
            ? 'The application gets new tokens with its other secret.'
            : 'Otherwise they work until they expire, at most 15 minutes.'
        }`,
      },
      run: async revokesTokens => {
        try {
          await this.app.call('deleteSecret', {
            params: { application_id: id, secret_id: secret.id },
            query: {
              ...(mustType ? { force: true } : {}),
              ...(revokesTokens ? { revoke_tokens: true } : {}),
            },
          });
        } catch (error) {
          // The other secret was never used, or it expired or was deleted in the meantime.
          mustForce = !mustType && ApiError.of(error).code === 'last_client_secret';
          if (!mustForce) throw error;
        }
      },
    });
    if (mustForce) {
      await this.onChange();
      return this.#delete(secret, true);
    }
    if (!isDone) return;
    this.app.toast('Client secret deleted');
    this.querySelector<HTMLElement>('h2')?.focus();
    void this.onChange();
  }
}

function deletionWords(secret: Secret, all: readonly Secret[]): TemplateResult {
  const other = all.find(({ id }) => id !== secret.id);
  const state = stateOf(secret, all, Date.now());
  const nameOf = (one: Secret) =>
    html`<strong>${shortIdOf(one)}</strong>, created ${fullTime(one.created_at)}`;
  return html`<p>The secret ${nameOf(secret)}. Last used: ${timeAgo(secret.last_used_at)}.</p>
    ${
      other
        ? html`<p>The other secret is ${nameOf(other)}. Last used: ${timeAgo(other.last_used_at)}.</p>`
        : nothing
    }
    <p>${consequenceOf(state, other)}</p>`;
}

function consequenceOf(state: SecretState, other: Secret | undefined): string {
  if (!other) return 'The application can’t get new tokens until you add a secret and deploy it.';
  if (state === 'unused' || state === 'superseded') return 'Nothing has used it yet.';
  if (other.last_used_at === null) {
    return 'No backend has used the other secret yet, so the application can’t get new tokens until you deploy it.';
  }
  return state === 'replaced'
    ? `${quietWords}. Jobs that run less often than every hour may still need it.`
    : 'Make sure that the other secret is deployed everywhere first: token requests with this one will fail.';
}

const quietWords = 'Not used for an hour; tokens it issued have expired';

function stateCell(state: SecretState): TemplateResult {
  switch (state) {
    case 'only':
      return badge('The only secret', 'neutral');
    case 'unused':
      return badge('Not used yet', 'warn');
    case 'in-use':
      return badge('In use', 'good');
    case 'replaced':
      return cell(badge('Safe to delete', 'info'), quietWords);
    case 'superseded':
      return cell(badge('Safe to delete', 'info'), 'Never used; a newer one is in use');
  }
}
