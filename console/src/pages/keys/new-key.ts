import type { AdminAccess, CreatedAdminKey } from '@connector-auth/api/admin';
import { html, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { secretPanel } from '../../components/code-block.ts';
import { selectField, submitButton, textField } from '../../components/fields.ts';
import { Form } from '../../components/form.ts';
import { failureNotice } from '../../components/notice.ts';
import { leaveButton, pageHead } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { inDays } from '../../components/time.ts';

export class NewKeyPage extends Page {
  @state() private created: CreatedAdminKey | null = null;
  #form = new Form<{ name: string; access: string; expires_at: string }>(
    this,
    { name: '', access: 'write', expires_at: '90' },
    { createsSecret: true },
  );

  protected override render(): TemplateResult {
    const parent = { path: '/keys', label: 'Admin keys' };
    const { created } = this;
    return created
      ? html`${pageHead({ title: `${created.name} is ready`, parent })}
        ${secretPanel({
          title: 'Admin key',
          what: 'admin key',
          secret: created.key,
          actions: leaveButton('I’ve stored it, continue', '/keys', 'primary'),
        })}`
      : html`${pageHead({ title: 'New admin key', parent })} ${this.#fields()}`;
  }

  #fields(): TemplateResult {
    const form = this.#form;
    return html`<form class="card narrow" novalidate @submit=${this.#submit}>
      ${failureNotice(form.failure)}
      ${textField(form, 'name', {
        label: 'Name',
        required: true,
        hint: 'The person or script that uses it. Appears in the audit log.',
      })}
      ${selectField(form, 'access', {
        label: 'Access',
        required: true,
        choices: [
          ['write', 'Read and write'],
          ['read', 'Read only'],
        ],
      })}
      ${selectField(form, 'expires_at', {
        label: 'Expires',
        required: true,
        choices: [
          ['30', 'In 30 days'],
          ['90', 'In 90 days'],
          ['365', 'In a year'],
          ['never', 'Never'],
        ],
      })}
      <div class="actions">${submitButton(form, 'Create admin key')} ${leaveButton('Cancel', '/keys')}</div>
    </form>`;
  }

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const created = await this.#form.submit(({ name, access, expires_at: days }, idempotencyKey) =>
      this.app.call('createAdminKey', {
        body: {
          name,
          // The choices above are the values of the contract.
          access: access as AdminAccess,
          ...(days === 'never' ? {} : { expires_at: inDays(Number(days)) }),
        },
        idempotencyKey,
      }),
    );
    if (!created) return;
    this.created = created;
    await this.updateComplete;
    this.querySelector<HTMLElement>('h1')?.focus();
  };
}
