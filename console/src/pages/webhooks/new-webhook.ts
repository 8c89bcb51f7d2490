import type { CreateWebhookRequest } from '@connector-auth/api';
import { html } from 'lit';
import { CreatePage } from '../../components/create-page.ts';
import type { FormValues } from '../../components/form.ts';
import { webhookFields } from './status.ts';

/** `/organizations/:organization/webhooks/new`: creates a webhook, and shows its secret. */
export class NewWebhookPage extends CreatePage {
  constructor() {
    super({
      parent: ({ organization = '' }) => ({ path: `/organizations/${organization}`, label: 'Organization' }),
      noun: 'webhook',
      secretName: 'signing secret',
      initial: { events: null },
    });
  }

  protected override fields() {
    return webhookFields;
  }

  protected override async create(values: FormValues) {
    const params = { organization_id: this.params['organization'] ?? '' };
    // The fields are declared for the members of this request.
    const body = this.bodyOf(values) as CreateWebhookRequest;
    const { id, secret } = await this.app.call('createWebhook', { params, body });
    return {
      name: 'The webhook',
      secret,
      path: `/organizations/${params.organization_id}/webhooks/${id}`,
      content: html`<p class="hint">
        Your backend verifies each event with it. Set it as <code>webhookSecret</code> of the server helper,
        or in a library of Standard Webhooks. Then send a test event from the webhook’s page.
      </p>`,
    };
  }
}
