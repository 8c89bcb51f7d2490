import type { AdminApplication, CreatedSecret } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { maxLiveSecrets } from 'virtual:admin-contract';
import { ApiError } from '../../api/api-error.ts';
import type { App } from '../../app.ts';
import { badge, cell } from '../../components/cell.ts';
import { secretPanel } from '../../components/code-block.ts';
import { environmentCode } from '../../components/connect-code.ts';
import { DocumentElement } from '../../components/element.ts';
import { renderFields, submitButton } from '../../components/fields.ts';
import { Form } from '../../components/form.ts';
import { failureNotice } from '../../components/notice.ts';
import { button, copyField, section } from '../../components/page-head.ts';
import { deleteColumn, table } from '../../components/table.ts';
import { expiryChoices, expiryOf, fullTime, pointInTime, timeAgo } from '../../components/time.ts';
import { shortIdOf, stateOf, type Secret, type SecretState } from './secrets.ts';

/** `<console-secrets>`: the credentials of an application; adds and deletes client secrets. */
export class SecretsSection extends DocumentElement {
  @property({ attribute: false }) app!: App;
  @property({ attribute: false }) application!: AdminApplication;
  @property({ attribute: false }) canWrite = false;
  @property({ attribute: false }) onChange: () => Promise<void> | void = () => {};
  @state() private isAdding = false;
  @state() private created: CreatedSecret | null = null;
  #form = new Form(this, { expires: 'never' }, { createsSecret: true });

  protected override render(): TemplateResult {
    const { application } = this;
    const canAdd =
      this.canWrite && application.secrets.length < maxLiveSecrets && !this.isAdding && !this.created;
    return html`${this.created ? this.#panel(this.created) : nothing}
    ${section(
      'Credentials',
      html`${copyField('Client ID', application.client_id)}
      ${
        application.secrets.length === 0
          ? html`<p class="muted">This application has no client secret, so it can’t get tokens.</p>`
          : this.#table(application.secrets)
      }
      ${this.isAdding ? this.#addForm() : nothing}`,
      {
        lead: 'To rotate a secret without downtime, add a second one, deploy it, then delete the old one once it hasn’t been used for an hour. This page updates by itself.',
        actions: canAdd
          ? button(
              application.secrets.length === 0 ? 'Add a secret' : 'Add a second secret',
              this.#startAdding,
            )
          : nothing,
      },
    )}`;
  }

  #table(secrets: readonly Secret[]): TemplateResult {
    const deletion = deleteColumn<Secret>(
      'Delete',
      secret => `Delete the secret ${shortIdOf(secret)}, created ${fullTime(secret.created_at)}`,
      secret => this.#delete(secret, false),
    );
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
      ${renderFields(form, {
        expires: { label: 'Expires', type: 'select', required: true, choices: expiryChoices },
      })}
      <div class="actions">${submitButton(form, 'Add secret')} ${button('Cancel', this.#stopAdding)}</div>
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
      actions: button('I’ve stored it, close', this.#closePanel, 'primary'),
    });
  }

  readonly #startAdding = (): void => {
    this.isAdding = true;
    void this.focusOn('select');
  };

  readonly #stopAdding = (): void => {
    this.isAdding = false;
    this.#form.reset({ expires: 'never' });
    void this.focusOn('h2');
  };

  readonly #closePanel = (): void => {
    this.created = null;
    void this.focusOn('h2');
  };

  readonly #add = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const created = await this.#form.submit(({ expires }, idempotencyKey) =>
      this.app.call('createSecret', {
        params: { application_id: this.application.id },
        body: expiryOf(expires),
        idempotencyKey,
      }),
    );
    if (!created) return;
    this.#stopAdding();
    this.created = created;
    void this.onChange();
    await this.focusOn('.secret-panel h2');
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
    await this.focusOn('h2');
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
