import type { CreatedApplication } from '@connector-auth/api/admin';
import { html, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { secretPanel } from '../../components/code-block.ts';
import { submitButton } from '../../components/fields.ts';
import { Form } from '../../components/form.ts';
import { failureNotice } from '../../components/notice.ts';
import { leaveButton, pageHead } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { applicationFields, changesOf, type ApplicationValues } from './settings-form.ts';

export class NewApplicationPage extends Page {
  @state() private created: CreatedApplication | null = null;
  #form = new Form<ApplicationValues>(
    this,
    { name: '', organization_ids: [], redirect_urls: '' },
    { createsSecret: true },
  );
  #known = new Map<string, string>();

  override connectedCallback(): void {
    super.connectedCallback();
    const id = this.app.query.get()['organization'];
    if (id !== undefined) void this.#preselect(id);
  }

  protected override render(): TemplateResult {
    const { created } = this;
    const parent = { path: '/applications', label: 'Applications' };
    return created
      ? html`${pageHead({ title: `${created.name} is ready`, parent })}
        ${secretPanel({
          title: 'Client secret',
          what: 'client secret',
          secret: created.client_secret,
          content: html`<console-connect-code
            .credentials=${{
              serviceUrl: this.app.serviceUrl,
              clientId: created.client_id,
              clientSecret: created.client_secret,
              organizations: created.organizations,
            }}
          ></console-connect-code>`,
          actions: leaveButton('I’ve stored it, continue', `/applications/${created.id}`, 'primary'),
        })}`
      : html`${pageHead({ title: 'New application', parent })} ${this.#fields()}`;
  }

  #fields(): TemplateResult {
    const form = this.#form;
    return html`<form class="card narrow" novalidate @submit=${this.#submit}>
      ${failureNotice(form.failure)} ${applicationFields(form, { call: this.app.call, known: this.#known })}
      <div class="actions">
        ${submitButton(form, 'Create application')} ${leaveButton('Cancel', '/applications')}
      </div>
    </form>`;
  }

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const created = await this.#form.submit((values, idempotencyKey) =>
      this.app.call('createApplication', {
        body: {
          ...changesOf(values, this.#form.changedNames),
          name: values.name,
          organization_ids: [...values.organization_ids],
        },
        idempotencyKey,
      }),
    );
    if (!created) return;
    this.created = created;
    await this.updateComplete;
    this.querySelector<HTMLElement>('h1')?.focus();
  };

  /** Selects the organization from whose page the operator came. If it cannot be loaded, nothing is selected. */
  async #preselect(id: string): Promise<void> {
    try {
      const { name } = await this.app.call('getOrganization', { params: { organization_id: id } });
      this.#known.set(id, name);
      this.#form.prefill('organization_ids', [...new Set([...this.#form.values.organization_ids, id])]);
    } catch {
      // The operator can still choose it from the list.
    }
  }
}
