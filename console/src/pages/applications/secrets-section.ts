import type { AdminApplication, CreatedSecret } from '@connector-auth/api/admin';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { ApiError } from '../../api/api-error.ts';
import type { App } from '../../app.ts';
import { badge } from '../../components/badge.ts';
import { secretPanel } from '../../components/code-block.ts';
import { environmentCode } from '../../components/connect-code.ts';
import { selectField, submitButton } from '../../components/fields.ts';
import { Form } from '../../components/form.ts';
import { failureNotice } from '../../components/notice.ts';
import { section } from '../../components/page-head.ts';
import { fullTime, inDays, pointInTime, timeAgo } from '../../components/time.ts';
import { stateOf, type Secret } from './secrets.ts';

/** The API’s limit, see `maxLiveSecrets` in the contract. */
const maxSecrets = 2;

/** `<console-secrets>`: the credentials of an application; adds and deletes client secrets. */
export class SecretsSection extends LitElement {
  @property({ attribute: false }) app!: App;
  @property({ attribute: false }) application!: AdminApplication;
  @property({ attribute: false }) canWrite = false;
  @property({ attribute: false }) onChange: () => void = () => {};
  @state() private isAdding = false;
  @state() private created: CreatedSecret | null = null;
  #form = new Form(this, { expires: '' });

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
        lead: 'To rotate a secret without downtime, add a second one, deploy it, then delete the old one once it hasn’t been used for 24 hours.',
        actions: canAdd
          ? html`<button type="button" class="button" @click=${this.#startAdding}>
              ${application.secrets.length === 0 ? 'Add a secret' : 'Add a second secret'}
            </button>`
          : nothing,
      },
    )}`;
  }

  #table(secrets: readonly Secret[]): TemplateResult {
    return html`<table>
      <caption class="visually-hidden">
        Client secrets
      </caption>
      <thead>
        <tr>
          <th scope="col">Secret</th>
          <th scope="col">Last used</th>
          <th scope="col">Expires</th>
          <th scope="col">State</th>
          ${this.canWrite ? html`<th scope="col"><span class="visually-hidden">Delete</span></th>` : nothing}
        </tr>
      </thead>
      <tbody>
        ${secrets.map(
          secret =>
            html`<tr>
              <th scope="row">Created ${pointInTime(secret.created_at)}</th>
              <td data-label="Last used">${timeAgo(secret.last_used_at)}</td>
              <td data-label="Expires">${pointInTime(secret.expires_at)}</td>
              <td data-label="State">${stateBadge(secret, secrets)}</td>
              ${
                this.canWrite
                  ? html`<td data-label="" class="row-actions">
                      <button
                        type="button"
                        class="button small danger"
                        aria-label="Delete the secret created ${fullTime(secret.created_at)}"
                        @click=${() => this.#delete(secret, false)}
                      >
                        Delete
                      </button>
                    </td>`
                  : nothing
              }
            </tr>`,
        )}
      </tbody>
    </table>`;
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
    this.onChange();
    await this.updateComplete;
    this.querySelector<HTMLElement>('.secret-panel h2')?.focus();
  };

  async #delete(secret: Secret, isForced: boolean): Promise<void> {
    const { id, name, secrets } = this.application;
    const isOnly = isForced || secrets.length === 1;
    let mustForce = false;
    const isDone = await this.app.confirm({
      title: isOnly ? 'Delete the only usable secret?' : 'Delete this client secret?',
      body: isOnly
        ? 'The application can’t get new tokens until you add another secret and deploy it.'
        : stateOf(secret, secrets, Date.now()) === 'replaced'
          ? 'Nothing has used it for a day, while the other secret is in use.'
          : 'Make sure that the other secret is deployed everywhere first. Requests with this one will fail.',
      action: 'Delete secret',
      ...(isOnly ? { name } : {}),
      option: {
        label: 'Also reject the tokens that the application has now',
        hint: 'Choose this if the secret leaked. The application gets new tokens with its other secret.',
      },
      run: async revokesTokens => {
        try {
          await this.app.call('deleteSecret', {
            params: { application_id: id, secret_id: secret.id },
            query: { ...(isOnly ? { force: true } : {}), ...(revokesTokens ? { revoke_tokens: true } : {}) },
          });
        } catch (error) {
          // The other secret expired or was deleted in the meantime.
          mustForce = ApiError.of(error).code === 'last_client_secret';
          if (!mustForce) throw error;
        }
      },
    });
    if (mustForce) return this.#delete(secret, true);
    if (!isDone) return;
    this.app.toast('Client secret deleted');
    this.onChange();
    this.querySelector<HTMLElement>('h2')?.focus();
  }
}

function stateBadge(secret: Secret, all: readonly Secret[]): TemplateResult {
  switch (stateOf(secret, all, Date.now())) {
    case 'only':
      return badge('The only secret', 'neutral');
    case 'unused':
      return badge('Not used yet', 'warn');
    case 'in-use':
      return badge('In use', 'good');
    case 'replaced':
      return badge('Safe to delete', 'info');
  }
}
