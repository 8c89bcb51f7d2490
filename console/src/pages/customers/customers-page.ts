import { html } from 'lit';
import { icons } from '../../components/icons.ts';
import { listPage } from '../../components/list-page.ts';
import { pageLink } from '../../components/page-head.ts';
import { timeAgo } from '../../components/time.ts';

/** `/customers`: the customers of all organizations. */
export const CustomersPage = listPage('listCustomers', ({ choices }) => ({
  title: 'Customers',
  lead: 'The end-customers of all organizations. A customer exists from the first connection on.',
  isSearchable: true,
  filters: [{ name: 'organization_id', label: 'Organization', choices: choices.organizations }],
  columns: [
    { label: 'Name', sort: 'name', cell: ({ id, name }) => pageLink(`/customers/${id}`, name) },
    { label: 'Organization', cell: ({ organization }) => html`<span dir="auto">${organization.name}</span>` },
    { label: 'Connectors', isNumber: true, cell: ({ connectors }) => connectors.toLocaleString('en') },
    { label: 'Created', sort: 'created_at', cell: ({ created_at }) => timeAgo(created_at) },
  ],
  empty: {
    icon: icons.customers,
    title: 'No customers yet',
    hint: 'A customer appears here when they connect their first source in the widget.',
  },
}));
