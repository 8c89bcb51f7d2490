import { html } from 'lit';
import { activeBadge, cell } from '../../components/cell.ts';
import { icons } from '../../components/icons.ts';
import { listPage } from '../../components/list-page.ts';
import { pageLink } from '../../components/page-head.ts';
import { timeAgo } from '../../components/time.ts';
import { lastUseOf } from './secrets.ts';

export const ApplicationsPage = listPage(
  'listApplications',
  () => ({
    title: 'Applications',
    lead: 'An application is a backend of yours. It signs in with a client ID and a client secret.',
    create: { label: 'New application', path: '/applications/new' },
    isSearchable: true,
    columns: [
      {
        label: 'Name',
        sort: 'name',
        cell: ({ id, name, client_id }) =>
          cell(pageLink(`/applications/${id}`, name), html`<code>${client_id}</code>`),
      },
      { label: 'Status', cell: ({ status }) => activeBadge(status) },
      {
        label: 'Organizations',
        cell: ({ organizations: all }) =>
          html`<span class="clamp"
            >${all
              .slice(0, 3)
              .map(({ name }) => name)
              .join(', ')}${all.length > 3 ? ` and ${all.length - 3} more` : ''}</span
          >`,
      },
      { label: 'Last used', cell: application => timeAgo(lastUseOf(application)) },
      { label: 'Created', sort: 'created_at', cell: ({ created_at }) => timeAgo(created_at) },
    ],
    empty: {
      icon: icons.applications,
      title: 'No applications yet',
      hint: 'Create one for the backend that embeds the widget.',
    },
  }),
  { sort: 'name' },
);
