import type { Agent } from '@connector-auth/api';
import type { AdminCustomer } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { Loader } from '../../api/loader.ts';
import { PagedList } from '../../api/paged-list.ts';
import { cell } from '../../components/cell.ts';
import { icons } from '../../components/icons.ts';
import { listView } from '../../components/list-view.ts';
import { loaded } from '../../components/notice.ts';
import {
  button,
  facts,
  idWithCopy,
  linkButton,
  pageHead,
  pageLink,
  section,
} from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { deleteColumn } from '../../components/table.ts';
import { count, pointInTime, timeAgo } from '../../components/time.ts';
import { AuditList, timelineLinks } from '../audit/audit-list.ts';
import { connectorColumns } from '../connectors/connectors-page.ts';

/** `/customers/:customer`: one customer with their connectors. */
export class CustomerPage extends Page {
  #customer = new Loader(
    this,
    () => this.app.call('getCustomer', { params: this.#params }),
    () => void this.#timeline.list.reload(),
  );
  #timeline: AuditList = new AuditList(this, { fixed: () => this.#about, isPart: true, pageSize: 10 });
  #connectors = new PagedList(this, 'listConnectors', { fixed: () => this.#params });

  #agents = new PagedList(this, 'listAgents', { params: () => this.#params, isPart: true });

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
      actions:
        customer && this.canWrite
          ? html`${button('Revoke tokens…', this.#revokeTokens)}
            ${button('Delete…', () => this.#delete(customer), 'danger')}`
          : nothing,
    })}
    ${loaded(this.#customer, value => this.#content(value))}`;
  }

  #content({ id, organization, created_at }: AdminCustomer): TemplateResult {
    return html`${section(
      'Connectors',
      listView({
        list: this.#connectors,
        what: 'connectors',
        columns: connectorColumns(this.choices),
        empty: {
          icon: icons.connectors,
          title: 'No connectors',
          hint: 'This customer has connected nothing, or disconnected everything.',
        },
      }),
    )}
    ${section(
      'Apps and agents',
      listView({
        list: this.#agents,
        what: 'apps and agents',
        columns: [
          {
            label: 'Client',
            cell: ({ client }) =>
              cell(
                client.host ?? 'App on a device',
                client.name && html`Calls itself <bdi>${client.name}</bdi>`,
              ),
          },
          {
            label: 'Person',
            cell: ({ user }) => cell(html`<bdi>${user.name}</bdi>`, html`<bdi>${user.id}</bdi>`),
          },
          {
            label: 'Allows',
            cell: ({ scopes, allowed_sources: sources }) =>
              cell(scopes.join(', '), sources?.map(key => this.choices.nameOfKind(key)).join(', ')),
          },
          { label: 'Last used', cell: ({ last_used_at: at }) => timeAgo(at) },
          { label: 'Ends', cell: ({ expires_at: at }) => timeAgo(at) },
          ...(this.canWrite
            ? [
                deleteColumn<Agent>(
                  'Revoke',
                  agent => `Revoke access of ${nameOf(agent)}`,
                  agent => this.#revokeAgent(agent),
                ),
              ]
            : []),
        ],
        empty: {
          icon: icons.keys,
          title: 'No apps or agents',
          hint: 'No one at this customer has signed in to the MCP server from a chat client.',
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

  async #revokeAgent(agent: Agent): Promise<void> {
    const isDone = await this.app.confirm({
      title: `Revoke access of ${nameOf(agent)}?`,
      body: html`<p>
        Its tokens are rejected now. <bdi>${agent.user.name}</bdi> can sign in and allow it again.
      </p>`,
      action: 'Revoke access',
      done: 'Access revoked',
      run: () => this.app.call('deleteAgent', { params: { agent_id: agent.id } }),
    });
    if (isDone) await this.#agents.reload();
  }

  readonly #revokeTokens = (): Promise<boolean> =>
    this.app.confirm({
      title: 'Revoke this customer’s tokens?',
      body: html`<p>
        Every token issued until now is rejected within a second. The integrator’s backend can request new
        ones, so open pages recover by themselves. Apps and agents end, and people must allow them again.
        Connectors and syncs continue.
      </p>`,
      action: 'Revoke tokens',
      done: 'Tokens revoked',
      run: () => this.app.call('revokeCustomerTokens', { params: this.#params }),
    });

  async #delete({ name, connectors }: AdminCustomer): Promise<void> {
    const isDone = await this.app.confirm({
      title: 'Delete this customer?',
      body: html`<p>
        ${connectors === 0 ? 'Their' : html`${count(connectors, 'connector')}, their`} credentials and all
        synced records are deleted, and their tokens are rejected. This can’t be undone.
      </p>`,
      action: 'Delete customer',
      done: 'Customer deleted',
      name,
      run: () => this.app.call('deleteCustomer', { params: this.#params }),
    });
    if (isDone) this.app.replace('/customers');
  }
}

/** Returns what identifies an agent: what it says about itself could be anything. */
function nameOf({ client }: Agent): string {
  return client.host ?? 'the app on a device';
}
