import type { CreateApplicationRequest, Reference } from '@connector-auth/api/admin';
import { html } from 'lit';
import { CreatePage } from '../../components/create-page.ts';
import type { FormValues } from '../../components/form.ts';
import { applicationFields } from './settings-form.ts';

/** `/applications/new`: creates an application, and shows its secret and the code to paste. */
export class NewApplicationPage extends CreatePage {
  #organizations: readonly Reference[] = [];

  constructor() {
    const parent = { path: '/applications', label: 'Applications' };
    super({ parent, noun: 'application', secretName: 'client secret' });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const id = this.app.query.get()['organization'];
    if (id !== undefined) void this.#preselect(id);
  }

  protected override fields() {
    return applicationFields(this, this.#organizations);
  }

  protected override async create(values: FormValues, idempotencyKey: string) {
    // The fields are declared for the members of this request.
    const body = this.bodyOf(values) as CreateApplicationRequest;
    const created = await this.app.call('createApplication', { body, idempotencyKey });
    const { id, name, client_id: clientId, client_secret: secret, organizations } = created;
    const credentials = { serviceUrl: this.app.serviceUrl, clientId, clientSecret: secret, organizations };
    return {
      name,
      secret,
      path: `/applications/${id}`,
      content: html`<console-connect-code .credentials=${credentials}></console-connect-code>`,
    };
  }

  /** Selects the organization from whose page the operator came. If it cannot be loaded, nothing is selected. */
  async #preselect(id: string): Promise<void> {
    try {
      const { name } = await this.app.call('getOrganization', { params: { organization_id: id } });
      this.#organizations = [{ id, name }];
      this.form.prefill('organization_ids', [id]);
    } catch {
      // The operator can still choose it from the list.
    }
  }
}
