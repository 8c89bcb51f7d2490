import type { AdminApplication } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { Loader } from '../../api/loader.ts';
import { poll } from '../../api/polling.ts';
import { activeBadge } from '../../components/badge.ts';
import { conflictNotice } from '../../components/conflict-notice.ts';
import { submitButton } from '../../components/fields.ts';
import { Form } from '../../components/form.ts';
import { loaded } from '../../components/loaded.ts';
import { failureNotice, notice } from '../../components/notice.ts';
import { facts, pageHead, section } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { pointInTime } from '../../components/time.ts';
import { urlOfPage } from '../../routing/router.ts';
import { applicationFields, applicationLabels, changesOf, type ApplicationValues } from './settings-form.ts';

const pollMs = 10_000;

export class ApplicationPage extends Page {
  #application = new Loader<AdminApplication>(
    this,
    () => this.#load(),
    application => {
      // Loading the application again must not discard changes of its settings.
      if (this.#form.refresh(this.#valuesOf(application))) this.#version = application.version;
    },
  );
  #known = new Map<string, string>();
  /** The version that the form shows. The page may show a newer one. */
  #version = 0;
  #form = new Form<ApplicationValues>(
    this,
    { name: '', organization_ids: [], redirect_urls: '' },
    {
      loadStored: async () => {
        const stored = await this.#load();
        this.#application.set(stored);
        this.#version = stored.version;
        return this.#valuesOf(stored);
      },
    },
  );

  constructor() {
    super();
    poll(this, pollMs, () => this.#application.reload());
  }

  protected override render(): TemplateResult {
    const application = this.#application.value;
    return html`${pageHead({
      title: application?.name ?? 'Application',
      parent: { path: '/applications', label: 'Applications' },
      badge: application ? activeBadge(application.status) : nothing,
    })}
    ${loaded(this.#application, application => this.#content(application))}`;
  }

  #content(application: AdminApplication): TemplateResult {
    const isOwn = application.managed_by === 'operator';
    return html`${isOwn ? nothing : this.#environment(application)}
      ${
        application.status === 'disabled'
          ? notice({
              tone: 'bad',
              title: 'This application is disabled',
              text: 'Its secrets and tokens are rejected.',
            })
          : nothing
      }
      <console-secrets
        .app=${this.app}
        .application=${application}
        .canWrite=${this.canWrite && isOwn}
        .onChange=${this.#reload}
      ></console-secrets>
      ${isOwn ? section('Settings', this.#settings()) : this.#facts(application)}
      ${this.canWrite && isOwn ? this.#danger(application) : nothing}`;
  }

  #environment(application: AdminApplication): TemplateResult {
    return notice({
      title: 'The BOOTSTRAP_ variables own this application',
      text: 'The service updates it from these variables at each start, so it can’t be changed here. If you take it over, the variables are ignored and you can remove them.',
      actions: this.canWrite
        ? html`<button type="button" class="button small" @click=${() => this.#adopt(application)}>
            Take over
          </button>`
        : nothing,
    });
  }

  #facts({ organizations, redirect_urls: urls, created_at: at }: AdminApplication): TemplateResult {
    return section(
      'Settings',
      facts([
        [
          'Organizations',
          organizations.map(
            ({ id, name }) => html`<div><a href=${urlOfPage(`/organizations/${id}`)}>${name}</a></div>`,
          ),
        ],
        ['Redirect URLs', urls.length === 0 ? null : urls.map(url => html`<div>${url}</div>`)],
        ['Created', pointInTime(at)],
      ]),
    );
  }

  #settings(): TemplateResult {
    const form = this.#form;
    return html`<form novalidate class="narrow" @submit=${this.#save}>
      ${failureNotice(form.failure)} ${conflictNotice(form, applicationLabels)}
      ${applicationFields(form, { call: this.app.call, known: this.#known })}
      ${
        this.canWrite
          ? html`<div class="actions">
              ${submitButton(form, 'Save', { isEnabled: form.isChanged && !form.conflict })}
            </div>`
          : nothing
      }
    </form>`;
  }

  #danger({ name, status }: AdminApplication): TemplateResult {
    return status === 'active'
      ? section(
          'Disable application',
          html`<div class="actions">
            <button type="button" class="button danger" @click=${() => this.#disable(name)}>
              Disable application
            </button>
          </div>`,
          {
            lead: 'Rejects its secrets and tokens within a second, for example because they leaked. Nothing is deleted.',
          },
        )
      : section(
          'Enable application',
          html`<div class="actions">
            <button type="button" class="button" @click=${() => this.#enable(name)}>
              Enable application
            </button>
          </div>`,
          { lead: 'Accepts its secrets again. Tokens from before stay rejected.' },
        );
  }

  async #disable(name: string): Promise<void> {
    const isDone = await this.app.confirm({
      title: 'Disable this application?',
      body: 'Its secrets and tokens are rejected immediately, also those in browsers of your customers.',
      action: 'Disable application',
      name,
      run: async () => {
        this.#application.set(await this.app.call('disableApplication', { params: this.#params }));
      },
    });
    if (isDone) this.app.toast('Application disabled');
  }

  async #enable(name: string): Promise<void> {
    const isDone = await this.app.confirm({
      title: `Enable ${name}?`,
      body: 'Its secrets are accepted again. If one of them leaked, add a new secret and delete the old one first.',
      action: 'Enable application',
      isDestructive: false,
      run: async () => {
        this.#application.set(await this.app.call('enableApplication', { params: this.#params }));
      },
    });
    if (isDone) this.app.toast('Application enabled');
  }

  async #adopt({ name }: AdminApplication): Promise<void> {
    const isDone = await this.app.confirm({
      title: `Take over ${name}?`,
      body: 'From now on you manage it here. The service ignores the BOOTSTRAP_ variables and logs a warning until you remove them.',
      action: 'Take over',
      isDestructive: false,
      run: async () => {
        const adopted = await this.app.call('adoptApplication', { params: this.#params });
        this.#application.set(adopted);
        this.#reset(adopted);
      },
    });
    if (isDone) this.app.toast('You manage this application now');
  }

  readonly #save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = this.#form;
    if (!form.isChanged) return;
    const saved = await form.submit(values =>
      this.app.call('editApplication', {
        params: this.#params,
        body: { version: this.#version, ...changesOf(values, form.changedNames) },
      }),
    );
    if (!saved) return;
    this.#application.set(saved);
    this.#reset(saved);
    this.app.toast('Settings saved');
  };

  readonly #reload = async (): Promise<void> => {
    await this.#application.reload();
    await this.updateComplete;
  };

  #reset(application: AdminApplication): void {
    this.#version = application.version;
    this.#form.reset(this.#valuesOf(application));
  }

  #valuesOf({ name, organizations, redirect_urls: urls }: AdminApplication): ApplicationValues {
    for (const { id, name } of organizations) this.#known.set(id, name);
    return { name, organization_ids: organizations.map(({ id }) => id), redirect_urls: urls.join('\n') };
  }

  get #params(): { application_id: string } {
    return { application_id: this.params['application'] ?? '' };
  }

  #load(): Promise<AdminApplication> {
    return this.app.call('getApplication', { params: this.#params });
  }
}
