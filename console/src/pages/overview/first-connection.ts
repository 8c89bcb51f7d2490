import type { AdminApplication, AdminOrganization } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { maxLiveSecrets } from 'virtual:admin-contract';
import { Loader } from '../../api/loader.ts';
import { renderFields, submitButton, type Field } from '../../components/fields.ts';
import { Form } from '../../components/form.ts';
import { icons } from '../../components/icons.ts';
import { failureNotice, loaded, notice } from '../../components/notice.ts';
import { leaveButton, linkButton, pageHead, pageLink } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { count } from '../../components/time.ts';

const newOne = 'new';

/** An application with the secret that is shown only now. */
type ConnectedApplication = Pick<AdminApplication, 'name' | 'client_id' | 'organizations'> & {
  readonly client_secret: string;
};

/** The guide from an empty service to a connected widget: an organization, an application, the code to paste. */
export class FirstConnectionPage extends Page {
  @state() private organization: Pick<AdminOrganization, 'id' | 'name'> | null = null;
  @state() private application: ConnectedApplication | null = null;
  #organizations = new Loader<readonly AdminOrganization[]>(
    this,
    async () => {
      const { data } = await this.app.call('listOrganizations', { query: { sort: 'name', limit: 100 } });
      return data.filter(({ status }) => status === 'active');
    },
    all => void this.#continue(all),
  );
  /** The chosen organization’s applications that operators manage, newest first. */
  #applications: readonly AdminApplication[] = [];
  #organizationForm = new Form<{ existing: string; name: string }>(this, { existing: newOne, name: '' });
  #applicationForm = new Form<{ existing: string; name: string }>(
    this,
    { existing: newOne, name: '' },
    { createsSecret: true },
  );

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
    const isNew = form.values.existing === newOne;
    return html`<form class="narrow" novalidate @submit=${this.#submitOrganization}>
      <p class="hint">
        An organization is a product or tenant of yours. Its customers, connectors and settings are separate
        from those of other organizations.
      </p>
      ${failureNotice(form.failure)}
      ${renderFields(form, {
        ...(existing.length > 0 && { existing: choiceOf('Organization', existing, ({ name }) => name) }),
        ...(isNew && {
          name: {
            label: 'Name',
            required: true,
            placeholder: 'Acme Analytics',
            hint: 'People see it in the widget. You can set another display name later.',
          },
        }),
      })}
      <div class="actions">
        ${submitButton(form, isNew ? 'Create organization' : 'Use this organization')}
      </div>
    </form>`;
  }

  #createApplication(): TemplateResult {
    const form = this.#applicationForm;
    const chosen = this.#chosenApplication;
    const isFull = chosen !== undefined && chosen.secrets.length >= maxLiveSecrets;
    return html`<form class="narrow" novalidate @submit=${this.#submitApplication}>
      <p class="hint">
        An application is a backend of yours. It gets a client ID and a client secret, with which it creates
        tokens for your customers.
      </p>
      ${failureNotice(form.failure)} ${this.#existingApplications()}
      ${
        chosen
          ? this.#newSecretNotice(chosen)
          : renderFields(form, { name: { label: 'Name', required: true, placeholder: 'Acme backend' } })
      }
      <div class="actions">
        ${submitButton(form, chosen ? 'Continue with a new secret' : 'Create application', { isEnabled: !isFull })}
      </div>
    </form>`;
  }

  #existingApplications(): TemplateResult | typeof nothing {
    const all = this.#applications;
    if (all.length === 0) return nothing;
    return html`<p>
        <strong>${this.organization?.name}</strong> already has ${count(all.length, 'application')}. Continue
        with ${all.length === 1 ? 'it' : 'one of them'}, or create another.
      </p>
      ${renderFields(this.#applicationForm, {
        existing: choiceOf('Application', all, ({ name, client_id: clientId }) => `${name} (${clientId})`),
      })}`;
  }

  #newSecretNotice({ id, secrets }: AdminApplication): TemplateResult {
    if (secrets.length >= maxLiveSecrets) {
      return notice({
        tone: 'warn',
        text: html`It has ${maxLiveSecrets} client secrets, the maximum, and neither can be shown again.
        ${pageLink(`/applications/${id}`, 'Delete one of them')} first.`,
      });
    }
    return notice({
      text:
        secrets.length === 0
          ? 'It has no client secret. You get a new one.'
          : 'Its client secret can’t be shown again, so you get a second one. The first one works until you delete it on the application’s page.',
    });
  }

  get #chosenApplication(): AdminApplication | undefined {
    return this.#applications.find(({ id }) => id === this.#applicationForm.values.existing);
  }

  #code(): TemplateResult | typeof nothing {
    const { application } = this;
    if (!application) return nothing;
    return html`<console-secret-guard .secret=${application.client_secret}></console-secret-guard>
      <console-first-connector
        .call=${this.app.call}
        .organization=${this.organization?.id ?? ''}
      ></console-first-connector>
      ${notice({
        tone: 'warn',
        text: 'Copy the environment now and store it in a safe place. You won’t be able to see the client secret again.',
      })}
      <console-connect-code
        .credentials=${{
          serviceUrl: this.app.serviceUrl,
          clientId: application.client_id,
          clientSecret: application.client_secret,
          organizations: application.organizations,
        }}
      ></console-connect-code>
      <p class="hint">
        A source that uses OAuth also needs an OAuth app, which you set on the organization’s page.
      </p>
      <div class="actions">
        ${leaveButton('I’ve stored it, finish', '/', 'primary')}
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
    await this.#choose(chosen);
    await this.focusOn('.step.current h2');
  };

  readonly #submitApplication = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { organization } = this;
    if (!organization) return;
    const chosen = this.#chosenApplication;
    if (chosen && chosen.secrets.length >= maxLiveSecrets) return;
    const connected = await this.#applicationForm.submit(async ({ name }, idempotencyKey) => {
      if (!chosen) {
        const body = { name, organization_ids: [organization.id] };
        return this.app.call('createApplication', { body, idempotencyKey });
      }
      const params = { application_id: chosen.id };
      return { ...chosen, ...(await this.app.call('createSecret', { params, body: {}, idempotencyKey })) };
    });
    if (!connected) return;
    this.application = connected;
    await this.focusOn('.step.current h2');
  };

  /** Continues with the organization in the URL, for example after a reload. */
  async #continue(all: readonly AdminOrganization[]): Promise<void> {
    const id = this.app.query.get()['organization'];
    const chosen = all.find(organization => organization.id === id);
    this.#organizationForm.reset({ existing: (chosen ?? all[0])?.id ?? newOne, name: '' });
    if (chosen && !this.organization) await this.#choose(chosen);
  }

  async #choose(organization: Pick<AdminOrganization, 'id' | 'name'>): Promise<void> {
    try {
      const query = { organization_id: organization.id, sort: '-created_at', limit: 100 } as const;
      const { data } = await this.app.call('listApplications', { query });
      this.#applications = data.filter(
        ({ status, managed_by: manager }) => status === 'active' && manager === 'operator',
      );
    } catch {
      // The operator can still create one; the API rejects a name that is taken.
      this.#applications = [];
    }
    this.#applicationForm.reset({ existing: this.#applications[0]?.id ?? newOne, name: '' });
    this.organization = organization;
    this.app.query.set({ organization: organization.id });
  }
}

/** Returns the field to choose what exists, or to create a new one. */
function choiceOf<Item extends { readonly id: string }>(
  label: string,
  items: readonly Item[],
  nameOf: (item: Item) => string,
): Field {
  const choices = items.map(item => [item.id, nameOf(item)] as const);
  return { label, type: 'select', required: true, choices: [...choices, [newOne, 'Create a new one']] };
}
