import type { AdminOAuthApp, AdminOrganization } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { ApiError } from '../../api/api-error.ts';
import { Loader } from '../../api/loader.ts';
import { submitButton } from '../../components/fields.ts';
import { Form } from '../../components/form.ts';
import { loaded } from '../../components/loaded.ts';
import { failureNotice, notice } from '../../components/notice.ts';
import { facts, pageHead, section } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { timeAgo } from '../../components/time.ts';
import { oauthAppBadge } from './organization.ts';
import { fieldsOf, schemaFields } from './schema-fields.ts';

export class OAuthAppPage extends Page {
  #setting = new Loader<{ readonly organization: AdminOrganization; readonly app: AdminOAuthApp }>(
    this,
    async () => {
      const params = { organization_id: this.params['organization'] ?? '' };
      const [organization, { data }] = await Promise.all([
        this.app.call('getOrganization', { params }),
        this.app.call('listOAuthApps', { params }),
      ]);
      const app = data.find(({ connector_type: kind }) => kind === this.params['kind']);
      if (!app) throw new ApiError('definition_not_found', 'This source doesn’t use OAuth.', 404);
      return { organization, app };
    },
    ({ app }) => this.#form.reset(emptyValues(app)),
  );
  #form = new Form<Record<string, string>>(this, {});

  protected override render(): TemplateResult {
    const { organization, app } = this.#setting.value ?? {};
    return html`${pageHead({
      title: app ? `${app.kind_name} OAuth app` : 'OAuth app',
      parent: {
        path: `/organizations/${this.params['organization'] ?? ''}`,
        label: organization?.name ?? 'Organization',
      },
      badge: app ? oauthAppBadge(app.source) : nothing,
    })}
    ${loaded(this.#setting, ({ app }) => this.#content(app))}`;
  }

  #content(app: AdminOAuthApp): TemplateResult {
    const form = this.#form;
    return html`${
      app.source === 'environment'
        ? notice({
            text: 'Customers consent to the app in this service’s OAUTH_ variables. If you set up your own app, new consents use it.',
          })
        : nothing
    }
    ${section(
      'Current app',
      html`${facts([
          ['Client ID', app.client_id === null ? null : html`<code>${app.client_id}</code>`],
          [
            'Last changed',
            timeAgo(app.updated_at, app.source === 'organization' ? 'Unknown' : 'Not set here'),
          ],
        ])}
        <div class="field">
          <span class="label">Redirect URL</span>
          <div class="secret-value">
            <code>${app.redirect_url}</code
            ><console-copy .text=${app.redirect_url} what="redirect URL"></console-copy>
          </div>
          <p class="hint">Register this URL in the OAuth app at ${app.kind_name}.</p>
        </div>`,
    )}
    ${
      this.canWrite
        ? section(
            app.source === 'organization' ? 'Replace the app' : 'Use your own app',
            html`<form class="narrow" novalidate autocomplete="off" @submit=${this.#submit}>
              ${failureNotice(form.failure)} ${schemaFields(form, fieldsOf(app.schema))}
              <div class="actions">${submitButton(form, 'Save OAuth app')}</div>
            </form>`,
            { lead: 'Stored encrypted. Secrets are never shown again.' },
          )
        : nothing
    }
    ${
      this.canWrite && app.source === 'organization'
        ? section(
            'Delete the app',
            html`<div class="actions">
              <button type="button" class="button danger" @click=${() => this.#delete(app)}>
                Delete OAuth app
              </button>
            </div>`,
            {
              lead: 'Connectors that were connected through it need reconnecting once their tokens expire.',
            },
          )
        : nothing
    }`;
  }

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const saved = await this.#form.submit(values =>
      this.app.call('setOAuthApp', {
        params: this.#params,
        body: { configuration: configurationOf(values) },
      }),
    );
    if (!saved) return;
    this.#set(saved);
    this.app.toast('OAuth app saved');
  };

  async #delete({ kind_name: name }: AdminOAuthApp): Promise<void> {
    const isDone = await this.app.confirm({
      title: `Delete the OAuth app for ${name}?`,
      body: 'Its connectors can’t renew their access, so customers have to reconnect them.',
      action: 'Delete OAuth app',
      name,
      run: () => this.app.call('deleteOAuthApp', { params: this.#params }),
    });
    if (!isDone) return;
    this.app.toast('OAuth app deleted');
    this.focusHeading();
    await this.#setting.reload();
  }

  #set(app: AdminOAuthApp): void {
    const { value } = this.#setting;
    if (value) this.#setting.set({ ...value, app });
    this.#form.reset(emptyValues(app));
  }

  get #params(): { organization_id: string; type: string } {
    return { organization_id: this.params['organization'] ?? '', type: this.params['kind'] ?? '' };
  }
}

const prefix = 'configuration.';

function emptyValues({ schema }: AdminOAuthApp): Record<string, string> {
  return Object.fromEntries(fieldsOf(schema).map(({ key }) => [`${prefix}${key}`, '']));
}

/** Returns the request's configuration, without empty optional values. */
function configurationOf(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value.trim() !== '')
      .map(([name, value]) => [name.slice(prefix.length), value.trim()]),
  );
}
