import type { AdminApplication, AdminOAuthApp, AdminOrganization, Overview } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { Loader } from '../../api/loader.ts';
import { activeBadge, badge } from '../../components/badge.ts';
import { cell } from '../../components/cell.ts';
import { conflictNotice } from '../../components/conflict-notice.ts';
import { submitButton } from '../../components/fields.ts';
import { Form } from '../../components/form.ts';
import { loaded } from '../../components/loaded.ts';
import { failureNotice, notice } from '../../components/notice.ts';
import { facts, linkButton, pageHead, section } from '../../components/page-head.ts';
import { pageLink } from '../../components/page-link.ts';
import { Page } from '../../components/page.ts';
import { table } from '../../components/table.ts';
import { pointInTime } from '../../components/time.ts';
import { urlOfPage } from '../../routing/router.ts';
import {
  changesOf,
  newOrganization,
  organizationFields,
  organizationLabels,
  valuesOf,
  type OrganizationValues,
} from './settings-form.ts';

export class OrganizationPage extends Page {
  #organization = new Loader<AdminOrganization>(
    this,
    () => this.#load(),
    organization => {
      if (!this.#form.isChanged) this.#form.reset(valuesOf(organization));
    },
  );
  #overview = new Loader<Overview>(this, () => this.app.call('getOverview'));
  #oauthApps = new Loader<readonly AdminOAuthApp[]>(this, async () => {
    const { data } = await this.app.call('listOAuthApps', { params: this.#params });
    return data;
  });
  #applications = new Loader<readonly AdminApplication[]>(this, async () => {
    const { data } = await this.app.call('listApplications', { query: { ...this.#params, limit: 25 } });
    return data;
  });
  #form = new Form<OrganizationValues>(this, newOrganization, {
    loadStored: async () => {
      const stored = await this.#load();
      this.#organization.set(stored);
      return valuesOf(stored);
    },
  });

  protected override render(): TemplateResult {
    const organization = this.#organization.value;
    return html`${pageHead({
      title: organization?.name ?? 'Organization',
      parent: { path: '/organizations', label: 'Organizations' },
      badge: organization ? activeBadge(organization.status) : nothing,
    })}
    ${loaded(this.#organization, organization => this.#content(organization))}`;
  }

  #content(organization: AdminOrganization): TemplateResult {
    if (organization.status === 'deleting') {
      return notice({
        tone: 'bad',
        title: 'This organization is being deleted',
        text: html`It can’t be used any more.
        ${pageLink(`/organizations/deletions/${organization.id}`, 'View progress')}`,
      });
    }
    return html`${
      organization.status === 'disabled'
        ? notice({
            tone: 'bad',
            title: 'This organization is disabled',
            text: 'Its tokens are rejected and its syncs are stopped.',
          })
        : nothing
    }
    ${section(
      'At a glance',
      facts([
        ['Customers', this.#count(organization.customers, '/customers')],
        ['Connectors', this.#count(organization.connectors, '/connectors')],
        ['Created', pointInTime(organization.created_at)],
        ['Organization ID', html`<code>${organization.id}</code>`],
      ]),
    )}
    ${section('Settings', this.#settings(organization))}
    ${section(
      'Logo',
      html`<console-logo
        .app=${this.app}
        .organization=${organization}
        .onChange=${(changed: AdminOrganization) => this.#organization.set(changed)}
      ></console-logo>`,
      { lead: 'People see it in the widget, on consent pages and on connect links.' },
    )}
    ${this.#oauthAppList()} ${this.#applicationList()} ${this.canWrite ? this.#danger(organization) : nothing}`;
  }

  #count(number: number, path: string): TemplateResult {
    return html`<a href=${urlOfPage(`${path}?organization_id=${this.params['organization'] ?? ''}`)}
      >${number.toLocaleString('en')}</a
    >`;
  }

  #settings(organization: AdminOrganization): TemplateResult {
    const form = this.#form;
    return loaded(
      this.#overview,
      overview =>
        html`<form
          novalidate
          class="narrow"
          @submit=${(event: SubmitEvent) => this.#save(event, organization)}
        >
          ${failureNotice(form.failure)} ${conflictNotice(form, organizationLabels)}
          ${organizationFields(form, overview)}
          ${
            this.canWrite
              ? html`<div class="actions">
                  ${submitButton(form, 'Save', { isEnabled: form.isChanged && !form.conflict })}
                </div>`
              : nothing
          }
        </form>`,
    );
  }

  #oauthAppList(): TemplateResult {
    return section(
      'OAuth apps',
      loaded(this.#oauthApps, apps =>
        table({
          caption: 'OAuth apps',
          items: apps,
          columns: [
            {
              label: 'Source',
              cell: ({ connector_type: kind, kind_name: name }) =>
                pageLink(`/organizations/${this.#params.organization_id}/oauth-apps/${kind}`, name),
            },
            { label: 'App', cell: ({ source }) => oauthAppBadge(source) },
            {
              label: 'Client ID',
              cell: ({ client_id: id }) =>
                id === null ? html`<span class="muted">None</span>` : html`<code>${id}</code>`,
            },
          ],
        }),
      ),
      { lead: 'The apps that customers consent to when they connect a source with OAuth.' },
    );
  }

  #applicationList(): TemplateResult {
    const path = `/applications/new?organization=${this.#params.organization_id}`;
    return section(
      'Applications',
      loaded(this.#applications, applications =>
        applications.length === 0
          ? html`<p class="muted">No application belongs to this organization yet.</p>`
          : html`<ul class="rows">
              ${applications.map(
                ({ id, name, status, client_id: clientId }) =>
                  html`<li>
                    ${cell(
                      html`<a href=${urlOfPage(`/applications/${id}`)}>${name}</a>`,
                      html`<code>${clientId}</code>`,
                    )}${activeBadge(status)}
                  </li>`,
              )}
            </ul>`,
      ),
      {
        lead: 'The backends that can use this organization.',
        actions: this.canWrite ? linkButton('New application', path) : nothing,
      },
    );
  }

  #danger({ name, status }: AdminOrganization): TemplateResult {
    return html`${this.#disabling(name, status)}
    ${section(
      'Delete organization',
      html`<div class="actions">
        <button type="button" class="button danger" @click=${() => this.#delete(name)}>
          Delete organization
        </button>
      </div>`,
      {
        lead: 'Deletes its customers, connectors, records and applications, and revokes its grants at the vendors. You can’t undo this.',
      },
    )}`;
  }

  #disabling(name: string, status: AdminOrganization['status']): TemplateResult {
    return status === 'active'
      ? section(
          'Disable organization',
          html`<div class="actions">
            <button type="button" class="button danger" @click=${() => this.#disable(name)}>
              Disable organization
            </button>
          </div>`,
          {
            lead: 'Rejects its tokens and stops its syncs. Nothing is deleted, and you can enable it again.',
          },
        )
      : section(
          'Enable organization',
          html`<div class="actions">
            <button type="button" class="button" @click=${() => this.#enable(name)}>
              Enable organization
            </button>
          </div>`,
          { lead: 'Accepts it again and resumes its syncs. Its applications need new tokens.' },
        );
  }

  async #delete(name: string): Promise<void> {
    const isDone = await this.app.confirm({
      title: 'Delete this organization?',
      body: 'Everything of it is deleted, and its applications that belong to no other organization. It ends for its customers now. This can’t be undone.',
      action: 'Delete organization',
      name,
      run: () => this.app.call('deleteOrganization', { params: this.#params }),
    });
    if (isDone) this.app.replace(`/organizations/deletions/${this.#params.organization_id}`);
  }

  async #disable(name: string): Promise<void> {
    const isDone = await this.app.confirm({
      title: 'Disable this organization?',
      body: 'Its customers can’t connect sources or use data until you enable it again. Their tokens end now.',
      action: 'Disable organization',
      name,
      run: async () => {
        this.#organization.set(await this.app.call('disableOrganization', { params: this.#params }));
      },
    });
    if (isDone) this.app.toast('Organization disabled');
  }

  async #enable(name: string): Promise<void> {
    const isDone = await this.app.confirm({
      title: `Enable ${name}?`,
      body: 'Its applications can get new tokens, and its syncs resume.',
      action: 'Enable organization',
      isDestructive: false,
      run: async () => {
        this.#organization.set(await this.app.call('enableOrganization', { params: this.#params }));
      },
    });
    if (isDone) this.app.toast('Organization enabled');
  }

  readonly #save = async (event: SubmitEvent, { version }: AdminOrganization): Promise<void> => {
    event.preventDefault();
    const form = this.#form;
    if (!form.isChanged) return;
    const saved = await form.submit(values =>
      this.app.call('editOrganization', {
        params: this.#params,
        body: { version, ...changesOf(values, form.changedNames) },
      }),
    );
    if (!saved) return;
    this.#organization.set(saved);
    form.reset(valuesOf(saved));
    this.app.toast('Settings saved');
  };

  get #params(): { organization_id: string } {
    return { organization_id: this.params['organization'] ?? '' };
  }

  #load(): Promise<AdminOrganization> {
    return this.app.call('getOrganization', { params: this.#params });
  }
}

/** Renders whose OAuth app customers consent to. */
export function oauthAppBadge(source: AdminOAuthApp['source']): TemplateResult {
  switch (source) {
    case 'organization':
      return badge('Own app', 'good');
    case 'environment':
      return badge('App of this service', 'info');
    case 'none':
      return badge('Not set up', 'warn');
  }
}
