import type { AdminConnector } from '@connector-auth/api/admin';
import { html, type TemplateResult } from 'lit';
import { FilterChoices } from '../../api/filter-choices.ts';
import { PagedList } from '../../api/paged-list.ts';
import { cell, errorLine } from '../../components/cell.ts';
import { icons } from '../../components/icons.ts';
import { listView } from '../../components/list-view.ts';
import { pageHead } from '../../components/page-head.ts';
import { pageLink } from '../../components/page-link.ts';
import { Page } from '../../components/page.ts';
import { timeAgo } from '../../components/time.ts';
import { connectorBadge, connectorStatuses } from './status.ts';

/** `/connectors`: the connectors of all organizations. */
export class ConnectorsPage extends Page {
  #choices = new FilterChoices(this);
  #list = new PagedList(this, 'listConnectors', {
    filters: ['organization_id', 'connector_type', 'status', 'customer_id'],
  });

  protected override render(): TemplateResult {
    return html`${pageHead({
      title: 'Connectors',
      lead: 'Everything that customers have connected, in all organizations.',
    })}
    ${listView({
      list: this.#list,
      what: 'connectors',
      isSearchable: true,
      filters: [
        { name: 'status', label: 'Status', choices: connectorStatuses },
        { name: 'organization_id', label: 'Organization', choices: this.#choices.organizations },
        { name: 'connector_type', label: 'Kind', choices: this.#choices.kinds },
      ],
      columns: [
        { label: 'Name', sort: 'name', cell: connector => connectorNameOf(connector, this.#choices) },
        { label: 'Customer', cell: customerOf },
        { label: 'Status', cell: connectorStatusOf },
        { label: 'Last synced', cell: ({ last_synced_at }) => timeAgo(last_synced_at) },
        { label: 'Changed', sort: 'updated_at', cell: ({ updated_at }) => timeAgo(updated_at) },
      ],
      empty: {
        icon: icons.connectors,
        title: 'No connectors yet',
        hint: 'They appear here as soon as a customer connects a source in the widget.',
      },
    })}`;
  }
}

/** Renders a connector's name as a link, with its kind. */
export function connectorNameOf(
  { id, name, connector_type }: AdminConnector,
  choices: FilterChoices,
): TemplateResult {
  return cell(pageLink(`/connectors/${id}`, name), choices.nameOfKind(connector_type));
}

/** Renders a customer with its organization. */
export function customerOf({
  customer,
  organization,
}: Pick<AdminConnector, 'customer' | 'organization'>): TemplateResult {
  return cell(pageLink(`/customers/${customer.id}`, customer.name), organization.name);
}

/** Renders a connector's status, with its last sync error. */
export function connectorStatusOf({ status, last_error }: AdminConnector): TemplateResult {
  return cell(connectorBadge(status, last_error !== null), errorLine(last_error));
}
