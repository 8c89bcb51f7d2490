import { html, type TemplateResult } from 'lit';
import { FilterChoices } from '../../api/filter-choices.ts';
import { PagedList } from '../../api/paged-list.ts';
import { icons } from '../../components/icons.ts';
import { listView } from '../../components/list-view.ts';
import { pageHead } from '../../components/page-head.ts';
import { pageLink } from '../../components/page-link.ts';
import { Page } from '../../components/page.ts';
import { timeAgo } from '../../components/time.ts';

/** `/customers`: the customers of all organizations. */
export class CustomersPage extends Page {
  #choices = new FilterChoices(this);
  #list = new PagedList(this, 'listCustomers', { filters: ['organization_id'] });

  protected override render(): TemplateResult {
    return html`${pageHead({
      title: 'Customers',
      lead: 'The end-customers of all organizations. A customer exists from the first connection on.',
    })}
    ${listView({
      list: this.#list,
      what: 'customers',
      isSearchable: true,
      filters: [{ name: 'organization_id', label: 'Organization', choices: this.#choices.organizations }],
      columns: [
        { label: 'Name', sort: 'name', cell: ({ id, name }) => pageLink(`/customers/${id}`, name) },
        {
          label: 'Organization',
          cell: ({ organization }) => html`<span dir="auto">${organization.name}</span>`,
        },
        { label: 'Connectors', isNumber: true, cell: ({ connectors }) => connectors.toLocaleString('en') },
        { label: 'Created', sort: 'created_at', cell: ({ created_at }) => timeAgo(created_at) },
      ],
      empty: {
        icon: icons.customers,
        title: 'No customers yet',
        hint: 'A customer appears here when they connect their first source in the widget.',
      },
    })}`;
  }
}
