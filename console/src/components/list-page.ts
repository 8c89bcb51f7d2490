import { html, nothing, type TemplateResult } from 'lit';
import type { ListName } from '../api/call.ts';
import { PagedList } from '../api/paged-list.ts';
import { poll } from '../api/polling.ts';
import { listView, type ListViewOptions } from './list-view.ts';
import { linkButton, pageHead } from './page-head.ts';
import { Page } from './page.ts';

interface ListPageOptions {
  /** The sort key until the operator chooses one. */
  readonly sort?: string;
  /** How often the list is loaded again. */
  readonly pollMs?: number;
}

/** What a page with a list shows. */
export interface ListDeclaration<Name extends ListName> extends Omit<ListViewOptions<Name>, 'list' | 'what'> {
  /** What the list contains, such as “Organizations”. */
  readonly title: string;
  readonly lead: string;
  /** Where operators create one. */
  readonly create?: { readonly label: string; readonly path: string };
  /** The page above this one. */
  readonly parent?: { readonly label: string; readonly path: string };
  /** A related page. */
  readonly link?: { readonly label: string; readonly path: string };
}

/** The page with a list of the API. */
export abstract class ListPage<Name extends ListName> extends Page {
  protected readonly list: PagedList<Name>;

  constructor(name: Name, { sort = '', pollMs }: ListPageOptions = {}) {
    super();
    this.list = new PagedList(this, name, { sort });
    if (pollMs !== undefined) poll(this, pollMs, () => this.list.refresh());
  }

  protected abstract declare(): ListDeclaration<Name>;

  protected override render(): TemplateResult {
    const { title, lead, create, parent, link, empty, ...view } = this.declare();
    const action = create && this.canWrite ? linkButton(create.label, create.path, 'primary') : nothing;
    const actions = link ? html`${linkButton(link.label, link.path)} ${action}` : action;
    return html`${pageHead({ title, lead, actions, ...(parent && { parent }) })}
    ${listView({ ...view, list: this.list, what: title.toLowerCase(), empty: { ...empty, action } })}`;
  }
}

/** Declares the page with a list that needs nothing else. */
export function listPage<Name extends ListName>(
  name: Name,
  declare: (page: Page) => ListDeclaration<Name>,
  options?: ListPageOptions,
): new () => Page {
  return class extends ListPage<Name> {
    constructor() {
      super(name, options);
    }

    protected override declare(): ListDeclaration<Name> {
      return declare(this);
    }
  };
}
