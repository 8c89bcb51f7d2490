import type { AdminApplication } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { poll } from '../../api/polling.ts';
import { activeBadge } from '../../components/cell.ts';
import { loaded, notice } from '../../components/notice.ts';
import { button, facts, pageHead, pageLink, section } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { Settings } from '../../components/settings.ts';
import { statusSection } from '../../components/status-section.ts';
import { pointInTime } from '../../components/time.ts';
import { applicationFields } from './settings-form.ts';

const pollMs = 10_000;

/** `/applications/:application`: the secrets and settings of an application. */
export class ApplicationPage extends Page {
  #settings: Settings<AdminApplication> = new Settings<AdminApplication>(this, {
    load: () => this.app.call('getApplication', { params: this.#params }),
    fields: () => applicationFields(this, this.#organizations),
    read: stored => ({ ...stored, organization_ids: stored.organizations.map(({ id }) => id) }),
    save: (changes, version) =>
      this.app.call('editApplication', { params: this.#params, body: { ...changes, version } }),
  });

  constructor() {
    super();
    poll(this, pollMs, () => this.#settings.loader.reload());
  }

  get #organizations(): AdminApplication['organizations'] {
    return this.isConnected ? (this.#settings.loader.value?.organizations ?? []) : [];
  }

  protected override render(): TemplateResult {
    const application = this.#settings.loader.value;
    return html`${pageHead({
      title: application?.name ?? 'Application',
      parent: { path: '/applications', label: 'Applications' },
      badge: application ? activeBadge(application.status) : nothing,
    })}
    ${loaded(this.#settings.loader, application => this.#content(application))}`;
  }

  #content(application: AdminApplication): TemplateResult {
    const { name, status } = application;
    const isOwn = application.managed_by === 'operator';
    const canChange = this.canWrite && isOwn;
    return html`${isOwn ? nothing : this.#environment(name)}
      ${
        status === 'disabled'
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
        .canWrite=${canChange}
        .onChange=${this.#reload}
      ></console-secrets>
      ${section('Settings', isOwn ? this.#settings.render() : factsOf(application))}
      ${
        canChange
          ? statusSection(
              this,
              { noun: 'application', name, status },
              {
                disable: {
                  lead: 'Rejects its secrets and tokens within a second, for example because they leaked. Nothing is deleted.',
                  body: 'Its secrets and tokens are rejected immediately, also those in browsers of your customers.',
                  run: () => this.#change('disableApplication'),
                },
                enable: {
                  lead: 'Accepts its secrets again. Tokens from before stay rejected.',
                  body: 'Its secrets are accepted again. If one of them leaked, add a new secret and delete the old one first.',
                  run: () => this.#change('enableApplication'),
                },
              },
            )
          : nothing
      }`;
  }

  #environment(name: string): TemplateResult {
    const adopt = () =>
      this.app.confirm({
        title: `Take over ${name}?`,
        body: 'From now on you manage it here. The service ignores the BOOTSTRAP_ variables and logs a warning until you remove them.',
        action: 'Take over',
        done: 'You manage this application now',
        isDestructive: false,
        run: () => this.#change('adoptApplication'),
      });
    return notice({
      title: 'The BOOTSTRAP_ variables own this application',
      text: 'The service updates it from these variables at each start, so it can’t be changed here. If you take it over, the variables are ignored and you can remove them.',
      actions: this.canWrite ? button('Take over', adopt, 'small') : nothing,
    });
  }

  async #change(name: 'adoptApplication' | 'disableApplication' | 'enableApplication'): Promise<void> {
    this.#settings.set(await this.app.call(name, { params: this.#params }));
  }

  readonly #reload = async (): Promise<void> => {
    await this.#settings.loader.reload();
    await this.updateComplete;
  };

  get #params(): { application_id: string } {
    return { application_id: this.params['application'] ?? '' };
  }
}

function factsOf({ organizations, redirect_urls: urls, created_at: at }: AdminApplication): TemplateResult {
  return facts([
    [
      'Organizations',
      organizations.map(({ id, name }) => html`<div>${pageLink(`/organizations/${id}`, name)}</div>`),
    ],
    ['Redirect URLs', urls.length === 0 ? null : urls.map(url => html`<div>${url}</div>`)],
    ['Created', pointInTime(at)],
  ]);
}
