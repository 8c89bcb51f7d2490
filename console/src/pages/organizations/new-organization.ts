import type { Overview } from '@connector-auth/api/admin';
import { html, type TemplateResult } from 'lit';
import { Loader } from '../../api/loader.ts';
import { submitButton } from '../../components/fields.ts';
import { Form } from '../../components/form.ts';
import { loaded } from '../../components/loaded.ts';
import { failureNotice } from '../../components/notice.ts';
import { leaveButton, pageHead } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { changesOf, newOrganization, organizationFields, type OrganizationValues } from './settings-form.ts';

export class NewOrganizationPage extends Page {
  #overview = new Loader<Overview>(this, () => this.app.call('getOverview'));
  #form = new Form<OrganizationValues>(this, newOrganization);

  protected override render(): TemplateResult {
    const form = this.#form;
    return html`${pageHead({
      title: 'New organization',
      parent: { path: '/organizations', label: 'Organizations' },
    })}
    ${loaded(
      this.#overview,
      overview =>
        html`<form class="card narrow" novalidate @submit=${this.#submit}>
          ${failureNotice(form.failure)} ${organizationFields(form, overview)}
          <div class="actions">
            ${submitButton(form, 'Create organization')} ${leaveButton('Cancel', '/organizations')}
          </div>
        </form>`,
    )}`;
  }

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const created = await this.#form.submit((values, idempotencyKey) =>
      this.app.call('createOrganization', {
        body: { ...changesOf(values, this.#form.changedNames), name: values.name },
        idempotencyKey,
      }),
    );
    if (!created) return;
    this.app.toast('Organization created');
    this.app.replace(`/organizations/${created.id}`);
  };
}
