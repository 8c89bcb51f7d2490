import type { AdminOAuthApp, AdminOrganization } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { ApiError } from '../../api/api-error.ts';
import { Loader } from '../../api/loader.ts';
import { renderFields, submitButton, type Fields } from '../../components/fields.ts';
import { Form } from '../../components/form.ts';
import { failureNotice, loaded, notice } from '../../components/notice.ts';
import { button, capitalized, copyField, facts, pageHead, section } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { valuesOf } from '../../components/settings.ts';
import { timeAgo } from '../../components/time.ts';
import { oauthAppBadge } from './organization.ts';

/** `/organizations/:organization/oauth-apps/:kind`: the OAuth app that customers of an organization consent to. */
export class OAuthAppPage extends Page {
  #setting = new Loader<{ readonly organization: AdminOrganization; readonly app: AdminOAuthApp }>(
    this,
    async () => {
      const params = { organization_id: this.#params.organization_id };
      const [organization, { data }] = await Promise.all([
        this.app.call('getOrganization', { params }),
        this.app.call('listOAuthApps', { params }),
      ]);
      const app = data.find(({ connector_type: kind }) => kind === this.#params.type);
      if (!app) throw new ApiError('definition_not_found', 'This source doesn’t use OAuth.', 404);
      return { organization, app };
    },
    ({ app }) => this.#form.reset(valuesOf(fieldsOf(app), {})),
  );
  #form = new Form(this, {});

  protected override render(): TemplateResult {
    const { organization, app } = this.#setting.value ?? {};
    return html`${pageHead({
      title: app ? `${app.kind_name} OAuth app` : 'OAuth app',
      parent: {
        path: `/organizations/${this.#params.organization_id}`,
        label: organization?.name ?? 'Organization',
      },
      badge: app ? oauthAppBadge(app.source) : nothing,
    })}
    ${loaded(this.#setting, ({ app }) => this.#content(app))}`;
  }

  #content(app: AdminOAuthApp): TemplateResult {
    const form = this.#form;
    const isOwn = app.source === 'organization';
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
        ['Last changed', timeAgo(app.updated_at, isOwn ? 'Unknown' : 'Not set here')],
      ])}
      ${copyField('Redirect URL', app.redirect_url, `Register this URL in the OAuth app at ${app.kind_name}.`)}`,
    )}
    ${
      this.canWrite
        ? section(
            isOwn ? 'Replace the app' : 'Use your own app',
            html`<form class="narrow" novalidate autocomplete="off" @submit=${this.#submit}>
              ${failureNotice(form.failure)} ${renderFields(form, fieldsOf(app))}
              <div class="actions">${submitButton(form, 'Save OAuth app')}</div>
            </form>`,
            { lead: 'Stored encrypted. Secrets are never shown again.' },
          )
        : nothing
    }
    ${
      this.canWrite && isOwn
        ? section(
            'Delete the app',
            html`<div class="actions">${button('Delete OAuth app', () => this.#delete(app), 'danger')}</div>`,
            { lead: 'Connectors that were connected through it need reconnecting once their tokens expire.' },
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
    const { value } = this.#setting;
    if (!saved || !value) return;
    this.#setting.set({ ...value, app: saved });
    this.#form.reset(valuesOf(fieldsOf(saved), {}));
    this.app.toast('OAuth app saved');
  };

  async #delete({ kind_name: name }: AdminOAuthApp): Promise<void> {
    const isDone = await this.app.confirm({
      title: `Delete the OAuth app for ${name}?`,
      body: 'Its connectors can’t renew their access, so customers have to reconnect them.',
      action: 'Delete OAuth app',
      done: 'OAuth app deleted',
      name,
      run: () => this.app.call('deleteOAuthApp', { params: this.#params }),
    });
    if (!isDone) return;
    this.focusHeading();
    await this.#setting.reload();
  }

  get #params(): { organization_id: string; type: string } {
    return { organization_id: this.params['organization'] ?? '', type: this.params['kind'] ?? '' };
  }
}

const prefix = 'configuration.';

interface PropertySchema {
  readonly title?: string;
  readonly description?: string;
  readonly writeOnly?: boolean;
}

/** Returns the fields for the JSON Schema of an app, in its order. */
function fieldsOf({ schema }: AdminOAuthApp): Fields {
  // The service generates the schema, whose properties are strings.
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, PropertySchema>>;
    readonly required?: readonly string[];
  };
  return Object.fromEntries(
    Object.entries(properties).map(([key, { title = key, description: hint, writeOnly: isSecret }]) => [
      `${prefix}${key}`,
      {
        label: capitalized(title).replaceAll(/\bid\b/g, 'ID'),
        required: required.includes(key),
        type: isSecret ? 'password' : 'text',
        isCode: true,
        hint,
      },
    ]),
  );
}

/** Returns the request's configuration, without empty optional values. */
function configurationOf(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name.slice(prefix.length), String(value).trim()] as const)
      .filter(([, value]) => value !== ''),
  );
}
