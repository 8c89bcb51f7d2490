import type { AdminOrganization, CreatedApplication } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { Loader } from '../../api/loader.ts';
import { connectCode } from '../../components/connect-code.ts';
import { selectField, submitButton, textField } from '../../components/fields.ts';
import { Form } from '../../components/form.ts';
import { icons } from '../../components/icons.ts';
import { loaded } from '../../components/loaded.ts';
import { failureNotice, notice } from '../../components/notice.ts';
import { linkButton, pageHead } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';

/** The guide from an empty service to a connected widget: an organization, an application, the code to paste. */
export class FirstConnectionPage extends Page {
  @state() private organization: Pick<AdminOrganization, 'id' | 'name'> | null = null;
  @state() private application: CreatedApplication | null = null;
  #organizations = new Loader<readonly AdminOrganization[]>(
    this,
    async () => {
      const { data } = await this.app.call('listOrganizations', { query: { sort: 'name', limit: 100 } });
      return data.filter(({ status }) => status === 'active');
    },
    ([first]) => this.#organizationForm.reset({ existing: first?.id ?? 'new', name: '' }),
  );
  #organizationForm = new Form<{ existing: string; name: string }>(this, { existing: 'new', name: '' });
  #applicationForm = new Form(this, { name: '' });

  protected override render(): TemplateResult {
    return html`${pageHead({
      title: 'Your first connection',
      lead: 'Three steps until your customers can connect their data sources.',
    })}
    ${loaded(
      this.#organizations,
      existing =>
        html`<ol class="steps">
          ${this.#step(1, 'Organization', this.organization?.name ?? null, () => this.#chooseOrganization(existing))}
          ${this.#step(2, 'Application', this.application?.name ?? null, () => this.#createApplication())}
          ${this.#step(3, 'Code to paste', null, () => this.#code())}
        </ol>`,
    )}`;
  }

  get #current(): number {
    if (this.application) return 3;
    return this.organization ? 2 : 1;
  }

  #step(
    number: number,
    title: string,
    result: string | null,
    content: () => TemplateResult | typeof nothing,
  ): TemplateResult {
    const isCurrent = number === this.#current;
    const isDone = number < this.#current;
    return html`<li
      class="card step ${isCurrent ? 'current' : ''}"
      aria-current=${isCurrent ? 'step' : 'false'}
    >
      <div class="step-head">
        <span class="step-number" aria-hidden="true">${isDone ? icons.check : number}</span>
        <h2 tabindex="-1">
          <span class="visually-hidden">Step ${number} of 3:</span> ${title}
          ${isDone ? html`<span class="visually-hidden">, done</span>` : nothing}
        </h2>
        ${isDone ? html`<span class="step-result">${result}</span>` : nothing}
      </div>
      ${isCurrent ? content() : nothing}
    </li>`;
  }

  #chooseOrganization(existing: readonly AdminOrganization[]): TemplateResult {
    const form = this.#organizationForm;
    const isNew = form.values.existing === 'new';
    return html`<form class="narrow" novalidate @submit=${this.#submitOrganization}>
      <p class="hint">
        An organization is a product or tenant of yours. Its customers, connectors and settings are separate
        from those of other organizations.
      </p>
      ${failureNotice(form.failure)}
      ${
        existing.length > 0
          ? selectField(form, 'existing', {
              label: 'Organization',
              required: true,
              choices: [...existing.map(({ id, name }) => [id, name] as const), ['new', 'Create a new one']],
            })
          : nothing
      }
      ${
        isNew
          ? textField(form, 'name', {
              label: 'Name',
              required: true,
              placeholder: 'Acme Analytics',
              hint: 'People see it in the widget. You can set another display name later.',
            })
          : nothing
      }
      <div class="actions">
        ${submitButton(form, isNew ? 'Create organization' : 'Use this organization')}
      </div>
    </form>`;
  }

  #createApplication(): TemplateResult {
    const form = this.#applicationForm;
    return html`<form class="narrow" novalidate @submit=${this.#submitApplication}>
      <p class="hint">
        An application is a backend of yours. It gets a client ID and a client secret, with which it creates
        tokens for your customers.
      </p>
      ${failureNotice(form.failure)}
      ${textField(form, 'name', { label: 'Name', required: true, placeholder: 'Acme backend' })}
      <div class="actions">${submitButton(form, 'Create application')}</div>
    </form>`;
  }

  #code(): TemplateResult | typeof nothing {
    const { application } = this;
    if (!application) return nothing;
    return html`${notice({
        tone: 'warn',
        text: 'Copy the environment now and store it in a safe place. You won’t be able to see the client secret again.',
      })}
      ${connectCode({
        serviceUrl: this.app.serviceUrl,
        clientId: application.client_id,
        clientSecret: application.client_secret,
        organizations: application.organizations,
      })}
      <p class="hint">
        Start your backend and open the page: the widget lists the sources. A source that uses OAuth also
        needs an OAuth app, which you set on the organization’s page.
      </p>
      <div class="actions">
        ${linkButton('I’ve stored it, finish', '/', 'primary')}
        ${linkButton('Set up OAuth apps', `/organizations/${this.organization?.id ?? ''}`)}
      </div>`;
  }

  readonly #submitOrganization = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const chosen = await this.#organizationForm.submit(({ existing, name }, idempotencyKey) => {
      const found = this.#organizations.value?.find(({ id }) => id === existing);
      return found
        ? Promise.resolve(found)
        : this.app.call('createOrganization', { body: { name }, idempotencyKey });
    });
    if (!chosen) return;
    this.organization = chosen;
    await this.#focusStep();
  };

  readonly #submitApplication = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { organization } = this;
    if (!organization) return;
    const created = await this.#applicationForm.submit(({ name }, idempotencyKey) =>
      this.app.call('createApplication', {
        body: { name, organization_ids: [organization.id] },
        idempotencyKey,
      }),
    );
    if (!created) return;
    this.application = created;
    await this.#focusStep();
  };

  async #focusStep(): Promise<void> {
    await this.updateComplete;
    this.querySelector<HTMLElement>('.step.current h2')?.focus();
  }
}
