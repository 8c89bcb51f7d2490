import { html, type TemplateResult } from 'lit';
import { PagedList } from '../../api/paged-list.ts';
import { activeBadge } from '../../components/badge.ts';
import { cell } from '../../components/cell.ts';
import { icons } from '../../components/icons.ts';
import { listView } from '../../components/list-view.ts';
import { linkButton, pageHead } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { timeAgo } from '../../components/time.ts';
import { urlOfPage } from '../../routing/router.ts';
import { lastUseOf } from './secrets.ts';

export class ApplicationsPage extends Page {
  #list = new PagedList(this, 'listApplications', { sort: 'name' });

  protected override render(): TemplateResult {
    const create = linkButton('New application', '/applications/new', 'primary');
    return html`${pageHead({
      title: 'Applications',
      lead: 'An application is a backend of yours. It signs in with a client ID and a client secret.',
      actions: create,
    })}
    ${listView({
      list: this.#list,
      what: 'applications',
      isSearchable: true,
      columns: [
        {
          label: 'Name',
          sort: 'name',
          cell: ({ id, name, client_id }) =>
            cell(
              html`<a class="clamp" href=${urlOfPage(`/applications/${id}`)}>${name}</a>`,
              html`<code>${client_id}</code>`,
            ),
        },
        { label: 'Status', cell: ({ status }) => activeBadge(status) },
        {
          label: 'Organizations',
          cell: ({ organizations }) =>
            html`<span class="clamp"
              >${organizations
                .slice(0, 3)
                .map(({ name }) => name)
                .join(', ')}${organizations.length > 3 ? ` and ${organizations.length - 3} more` : ''}</span
            >`,
        },
        { label: 'Last used', cell: application => timeAgo(lastUseOf(application)) },
        { label: 'Created', sort: 'created_at', cell: ({ created_at }) => timeAgo(created_at) },
      ],
      empty: {
        icon: icons.applications,
        title: 'No applications yet',
        hint: 'Create one for the backend that embeds the widget.',
        action: create,
      },
    })}`;
  }
}
