import type { CreateOrganizationRequest } from '@connector-auth/api/admin';
import { CreatePage } from '../../components/create-page.ts';
import type { FormValues } from '../../components/form.ts';
import { organizationFields } from './settings-form.ts';

/** `/organizations/new`: creates an organization. */
export class NewOrganizationPage extends CreatePage {
  constructor() {
    const parent = { path: '/organizations', label: 'Organizations' };
    super({ parent, noun: 'organization', secretName: null });
  }

  protected override fields() {
    return organizationFields(this.choices);
  }

  protected override async create(values: FormValues, idempotencyKey: string) {
    // The fields are declared for the members of this request.
    const body = this.bodyOf(values) as CreateOrganizationRequest;
    const { id, name } = await this.app.call('createOrganization', { body, idempotencyKey });
    return { name, path: `/organizations/${id}` };
  }
}
