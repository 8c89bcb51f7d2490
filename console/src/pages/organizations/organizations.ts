import { activeBadge } from '../../components/cell.ts';
import { icons } from '../../components/icons.ts';
import { listPage } from '../../components/list-page.ts';
import { pageLink } from '../../components/page-head.ts';
import { timeAgo } from '../../components/time.ts';

export const OrganizationsPage = listPage(
  'listOrganizations',
  () => ({
    title: 'Organizations',
    lead: 'An organization is a product or tenant of yours. Its customers connect their data sources.',
    link: { label: 'Deleted organizations', path: '/organizations/deletions' },
    create: { label: 'New organization', path: '/organizations/new' },
    isSearchable: true,
    columns: [
      { label: 'Name', sort: 'name', cell: ({ id, name }) => pageLink(`/organizations/${id}`, name) },
      { label: 'Status', cell: ({ status }) => activeBadge(status) },
      { label: 'Customers', isNumber: true, cell: ({ customers }) => customers.toLocaleString('en') },
      { label: 'Connectors', isNumber: true, cell: ({ connectors }) => connectors.toLocaleString('en') },
      { label: 'Created', sort: 'created_at', cell: ({ created_at }) => timeAgo(created_at) },
    ],
    empty: {
      icon: icons.organizations,
      title: 'No organizations yet',
      hint: 'Create the first one, then an application that belongs to it.',
    },
  }),
  { sort: 'name' },
);
