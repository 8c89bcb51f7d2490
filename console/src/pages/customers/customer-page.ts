import type { AdminCustomer } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { FilterChoices } from '../../api/filter-choices.ts';
import { Loader } from '../../api/loader.ts';
import { PagedList } from '../../api/paged-list.ts';
import { idWithCopy } from '../../components/copyable-id.ts';
import { icons } from '../../components/icons.ts';
import { listView } from '../../components/list-view.ts';
import { loaded } from '../../components/loaded.ts';
import { facts, linkButton, pageHead, section } from '../../components/page-head.ts';
import { pageLink } from '../../components/page-link.ts';
import { Page } from '../../components/page.ts';
import { count, pointInTime, timeAgo } from '../../components/time.ts';
import { AuditList, timelineLinks } from '../audit/audit-list.ts';
import { connectorNameOf, connectorStatusOf } from '../connectors/connectors-page.ts';

/** `/customers/:customer`: one customer with their connectors. */
export class CustomerPage extends Page {
  #choices = new FilterChoices(this);
  #customer = new Loader(
    this,
    () => this.app.call('getCustomer', { params: this.#params }),
    () => void this.#timeline.list.reload(),
  );
  #timeline: AuditList = new AuditList(this, this.#choices, { fixed: () => this.#about, pageSize: 10 });
  #connectors = new PagedList(this, 'listConnectors', { fixed: () => this.#params });

  get #params(): { customer_id: string } {
    return { customer_id: this.params['customer'] ?? '' };
  }

  /** What the audit log knows of the customer, once it is loaded. */
  get #about(): { organization_id: string; customer_name: string } | null {
    const { value: customer } = this.#customer;
    return customer && { organization_id: customer.organization.id, customer_name: customer.name };
  }

  protected override render(): TemplateResult {
    const { value: customer } = this.#customer;
    return html`${pageHead({
      title: customer?.name ?? 'Customer',
      parent: { path: '/customers', label: 'Customers' },
      actions: customer && this.canWrite ? this.#actions() : nothing,
    })}
    ${loaded(this.#customer, value => this.#content(value))}`;
  }

  #actions(): TemplateResult {
    return html`<button type="button" class="button" @click=${this.#revokeTokens}>Revoke tokens…</button>
      <button type="button" class="button danger" @click=${this.#delete}>Delete…</button>`;
  }

  #content({ id, organization, created_at }: AdminCustomer): TemplateResult {
    return html`${section(
      'Connectors',
      listView({
        list: this.#connectors,
        what: 'connectors',
        columns: [
          { label: 'Name', sort: 'name', cell: connector => connectorNameOf(connector, this.#choices) },
          { label: 'Status', cell: connectorStatusOf },
          { label: 'Last synced', cell: ({ last_synced_at }) => timeAgo(last_synced_at) },
          { label: 'Changed', sort: 'updated_at', cell: ({ updated_at }) => timeAgo(updated_at) },
        ],
        empty: {
          icon: icons.connectors,
          title: 'No connectors',
          hint: 'This customer has connected nothing, or disconnected everything.',
        },
      }),
    )}
    ${section('Timeline', this.#timeline.render(), { actions: timelineLinks(this.#about ?? {}) })}
    ${section(
      'Details',
      facts([
        ['Organization', pageLink(`/organizations/${organization.id}`, organization.name)],
        ['Created', pointInTime(created_at)],
        ['Customer ID', idWithCopy(id, 'customer ID')],
      ]),
    )}
    ${section(
      'If something leaked',
      html`<p class="hint">
          An incident rejects this customer’s tokens, freezes their connectors and revokes their grants at the
          vendors.
        </p>
        <div class="actions">
          ${linkButton('Declare an incident…', `/incidents/new?scope=customer&target=${id}`)}
        </div>`,
    )}`;
  }

  readonly #revokeTokens = async (): Promise<void> => {
    const customer = this.#customer.value;
    if (!customer) return;
    const isDone = await this.app.confirm({
      title: 'Revoke this customer’s tokens?',
      body: html`<p>
        Every token issued until now is rejected within a second. The integrator’s backend can request new
        ones, so open pages recover by themselves. Connectors and syncs continue.
      </p>`,
      action: 'Revoke tokens',
      run: () => this.app.call('revokeCustomerTokens', { params: this.#params }),
    });
    if (isDone) this.app.toast('Tokens revoked');
  };

  readonly #delete = async (): Promise<void> => {
    const customer = this.#customer.value;
    if (!customer) return;
    const isDone = await this.app.confirm({
      title: 'Delete this customer?',
      body: html`<p>
        ${customer.connectors === 0 ? 'Their' : html`${count(customer.connectors, 'connector')}, their`}
        credentials and all synced records are deleted, and their tokens are rejected. This can’t be undone.
      </p>`,
      action: 'Delete customer',
      name: customer.name,
      run: () => this.app.call('deleteCustomer', { params: this.#params }),
    });
    if (!isDone) return;
    this.app.toast('Customer deleted');
    this.app.replace('/customers');
  };
}
