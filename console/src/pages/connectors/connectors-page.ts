import type { AdminConnector } from '@connector-auth/api/admin';
import type { TemplateResult } from 'lit';
import type { FilterChoices } from '../../api/filter-choices.ts';
import { cell, errorLine } from '../../components/cell.ts';
import { icons } from '../../components/icons.ts';
import { listPage } from '../../components/list-page.ts';
import { pageLink } from '../../components/page-head.ts';
import type { Column } from '../../components/table.ts';
import { timeAgo } from '../../components/time.ts';
import { connectorBadge, connectorStatuses, pausedBy } from './status.ts';

/** `/connectors`: the connectors of all organizations. */
export const ConnectorsPage = listPage('listConnectors', ({ choices }) => {
  const [name, ...others] = connectorColumns(choices);
  return {
    title: 'Connectors',
    lead: 'Everything that customers have connected, in all organizations.',
    isSearchable: true,
    filters: [
      { name: 'status', label: 'Status', choices: connectorStatuses },
      { name: 'organization_id', label: 'Organization', choices: choices.organizations },
      { name: 'connector_type', label: 'Kind', choices: choices.kinds },
    ],
    columns: [name, { label: 'Customer', cell: customerOf }, ...others],
    empty: {
      icon: icons.connectors,
      title: 'No connectors yet',
      hint: 'They appear here as soon as a customer connects a source in the widget.',
    },
  };
});

/** The columns of a list of one customer's connectors. */
export function connectorColumns(
  choices: FilterChoices,
): readonly [Column<AdminConnector>, ...Column<AdminConnector>[]] {
  return [
    {
      label: 'Name',
      sort: 'name',
      cell: ({ id, name, connector_type }) =>
        cell(pageLink(`/connectors/${id}`, name), choices.nameOfKind(connector_type)),
    },
    {
      label: 'Status',
      cell: connector =>
        cell(connectorBadge(connector), pausedBy(connector), errorLine(connector.last_error)),
    },
    { label: 'Last synced', cell: ({ last_synced_at }) => timeAgo(last_synced_at) },
    { label: 'Changed', sort: 'updated_at', cell: ({ updated_at }) => timeAgo(updated_at) },
  ];
}

/** Renders a customer with its organization. */
export function customerOf({
  customer,
  organization,
}: Pick<AdminConnector, 'customer' | 'organization'>): TemplateResult {
  return cell(pageLink(`/customers/${customer.id}`, customer.name), organization.name);
}
