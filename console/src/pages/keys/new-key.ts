import type { AdminAccess } from '@connector-auth/api/admin';
import { CreatePage } from '../../components/create-page.ts';
import type { Fields } from '../../components/fields.ts';
import type { FormValues } from '../../components/form.ts';
import { expiryChoices, expiryOf } from '../../components/time.ts';

/** `/keys/new`: creates an admin key and shows it. */
export class NewKeyPage extends CreatePage {
  constructor() {
    super({
      parent: { path: '/keys', label: 'Admin keys' },
      noun: 'admin key',
      secretName: 'admin key',
      initial: { access: 'write', expires_at: '90' },
    });
  }

  protected override fields(): Fields {
    return {
      name: {
        label: 'Name',
        required: true,
        hint: 'The person or script that uses it. Appears in the audit log.',
      },
      access: {
        label: 'Access',
        type: 'select',
        required: true,
        choices: [
          ['write', 'Read and write'],
          ['read', 'Read only'],
        ],
      },
      expires_at: { label: 'Expires', type: 'select', required: true, choices: expiryChoices },
    };
  }

  protected override async create({ name, access, expires_at: days }: FormValues, idempotencyKey: string) {
    const created = await this.app.call('createAdminKey', {
      // The choices above are the values of the contract.
      body: { name: String(name), access: access as AdminAccess, ...expiryOf(String(days)) },
      idempotencyKey,
    });
    return { name: created.name, secret: created.key, path: '/keys' };
  }
}
