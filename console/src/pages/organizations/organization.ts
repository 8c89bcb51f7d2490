import type { Webhook } from '@connector-auth/api';
import type { AdminApplication, AdminOAuthApp, AdminOrganization } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { Loader } from '../../api/loader.ts';
import { activeBadge, badge, cell } from '../../components/cell.ts';
import { loaded, notice } from '../../components/notice.ts';
import { facts, linkButton, pageHead, pageLink, section } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { Settings } from '../../components/settings.ts';
import { statusSection } from '../../components/status-section.ts';
import { table } from '../../components/table.ts';
import { pointInTime } from '../../components/time.ts';
import { webhookBadge } from '../webhooks/status.ts';
import { organizationFields } from './settings-form.ts';

/** `/organizations/:organization`: the settings, logo, OAuth apps and applications of an organization. */
export class OrganizationPage extends Page {
  #settings = new Settings<AdminOrganization>(this, {
    load: () => this.app.call('getOrganization', { params: this.#params }),
    fields: () => organizationFields(this.choices),
    read: stored => ({ ...stored }),
    save: (changes, version) =>
      this.app.call('editOrganization', { params: this.#params, body: { ...changes, version } }),
  });
  #oauthApps = new Loader<readonly AdminOAuthApp[]>(this, async () => {
    const { data } = await this.app.call('listOAuthApps', { params: this.#params });
    return data;
  });
  #webhooks = new Loader<readonly Webhook[]>(this, async () => {
    const { data } = await this.app.call('listWebhooks', { params: this.#params });
    return data;
  });
  #applications = new Loader<readonly AdminApplication[]>(this, async () => {
    const { data } = await this.app.call('listApplications', { query: { ...this.#params, limit: 25 } });
    return data;
  });

  protected override render(): TemplateResult {
    const organization = this.#settings.loader.value;
    return html`${pageHead({
      title: organization?.name ?? 'Organization',
      parent: { path: '/organizations', label: 'Organizations' },
      badge: organization ? activeBadge(organization.status) : nothing,
    })}
    ${loaded(this.#settings.loader, organization => this.#content(organization))}`;
  }

  #content(organization: AdminOrganization): TemplateResult {
    const { id, name, status } = organization;
    if (status === 'deleting') {
      return notice({
        tone: 'bad',
        title: 'This organization is being deleted',
        text: html`It can’t be used any more. ${pageLink(`/organizations/deletions/${id}`, 'View progress')}`,
      });
    }
    const query = `?organization_id=${id}`;
    return html`${
      status === 'disabled'
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
        ['Customers', pageLink(`/customers${query}`, organization.customers.toLocaleString('en'))],
        ['Connectors', pageLink(`/connectors${query}`, organization.connectors.toLocaleString('en'))],
        ['Created', pointInTime(organization.created_at)],
        ['Organization ID', html`<code>${id}</code>`],
      ]),
    )}
    ${section('Settings', this.#settings.render())}
    ${section(
      'Logo',
      html`<console-logo
        .app=${this.app}
        .organization=${organization}
        .onChange=${(changed: AdminOrganization) => this.#settings.set(changed)}
      ></console-logo>`,
      { lead: 'People see it in the widget, on consent pages and on connect links.' },
    )}
    ${this.#oauthAppList()} ${this.#applicationList()} ${this.#webhookList()}
    ${
      this.canWrite
        ? html`${statusSection(
            this,
            { noun: 'organization', name, status },
            {
              disable: {
                lead: 'Rejects its tokens and stops its syncs. Nothing is deleted, and you can enable it again.',
                body: 'Its customers can’t connect sources or use data until you enable it again. Their tokens end now.',
                run: () => this.#change('disableOrganization'),
              },
              enable: {
                lead: 'Accepts it again and resumes its syncs. Its applications need new tokens.',
                body: 'Its applications can get new tokens, and its syncs resume.',
                run: () => this.#change('enableOrganization'),
              },
            },
          )}
          ${this.#deletion(name)}`
        : nothing
    }`;
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
                    ${cell(pageLink(`/applications/${id}`, name), html`<code>${clientId}</code>`)}
                    ${activeBadge(status)}
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

  #webhookList(): TemplateResult {
    const path = `/organizations/${this.#params.organization_id}/webhooks`;
    return section(
      'Webhooks',
      loaded(this.#webhooks, webhooks =>
        webhooks.length === 0
          ? html`<p class="muted">No backend receives events of this organization yet.</p>`
          : html`<ul class="rows">
              ${webhooks.map(
                webhook =>
                  html`<li>
                    ${cell(
                      pageLink(`${path}/${webhook.id}`, webhook.description ?? webhook.url),
                      webhook.description === null ? nothing : webhook.url,
                    )}
                    ${webhookBadge(webhook.status)}
                  </li>`,
              )}
            </ul>`,
      ),
      {
        lead: 'Where the service sends events, such as a connector that needs reconnecting.',
        actions: this.canWrite ? linkButton('Add webhook', `${path}/new`) : nothing,
      },
    );
  }

  async #change(name: 'disableOrganization' | 'enableOrganization'): Promise<void> {
    this.#settings.set(await this.app.call(name, { params: this.#params }));
  }

  #deletion(name: string): TemplateResult {
    return section(
      'Delete organization',
      html`<div class="actions">
        <button type="button" class="button danger" @click=${() => this.#delete(name)}>
          Delete organization
        </button>
      </div>`,
      {
        lead: 'Deletes its customers, connectors, records and applications, and revokes its grants at the vendors. You can’t undo this.',
      },
    );
  }

  async #delete(name: string): Promise<void> {
    const isDone = await this.app.confirm({
      title: 'Delete this organization?',
      body: 'Its customers lose access now. All its data is deleted, including applications that belong to no other organization. You can’t undo this.',
      action: 'Delete organization',
      name,
      run: () => this.app.call('deleteOrganization', { params: this.#params }),
    });
    if (isDone) this.app.replace(`/organizations/deletions/${this.#params.organization_id}`);
  }

  get #params(): { organization_id: string } {
    return { organization_id: this.params['organization'] ?? '' };
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
