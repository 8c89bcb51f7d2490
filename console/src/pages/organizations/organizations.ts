import { html, type TemplateResult } from 'lit';
import { PagedList } from '../../api/paged-list.ts';
import { activeBadge } from '../../components/badge.ts';
import { icons } from '../../components/icons.ts';
import { listView } from '../../components/list-view.ts';
import { linkButton, pageHead } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { timeAgo } from '../../components/time.ts';
import { urlOfPage } from '../../routing/router.ts';

export class OrganizationsPage extends Page {
  #list = new PagedList(this, 'listOrganizations', { sort: 'name' });

  protected override render(): TemplateResult {
    const create = linkButton('New organization', '/organizations/new', 'primary');
    return html`${pageHead({
      title: 'Organizations',
      lead: 'An organization is a product or tenant of yours. Its customers connect their data sources.',
      actions: html`${linkButton('Deleted organizations', '/organizations/deletions')} ${create}`,
    })}
    ${listView({
      list: this.#list,
      what: 'organizations',
      isSearchable: true,
      columns: [
        {
          label: 'Name',
          sort: 'name',
          cell: ({ id, name }) =>
            html`<a class="clamp" href=${urlOfPage(`/organizations/${id}`)}>${name}</a>`,
        },
        { label: 'Status', cell: ({ status }) => activeBadge(status) },
        { label: 'Customers', isNumber: true, cell: ({ customers }) => customers.toLocaleString('en') },
        { label: 'Connectors', isNumber: true, cell: ({ connectors }) => connectors.toLocaleString('en') },
        { label: 'Created', sort: 'created_at', cell: ({ created_at }) => timeAgo(created_at) },
      ],
      empty: {
        icon: icons.organizations,
        title: 'No organizations yet',
        hint: 'Create the first one, then an application that belongs to it.',
        action: create,
      },
    })}`;
  }
}
