import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { ListName } from '../api/call.ts';
import type { ItemOf, PagedList } from '../api/paged-list.ts';
import { icons } from './icons.ts';
import { emptyState, failureNotice, skeleton } from './notice.ts';
import { count } from './time.ts';

export interface Column<Item> {
  readonly label: string;
  readonly cell: (item: Item) => unknown;
  /** The sort key of the API. Choosing the column's heading sorts by it. */
  readonly sort?: string;
  /** Whether the column contains buttons, so that its label is not shown. */
  readonly isAction?: boolean;
  /** Aligns numbers at their end. */
  readonly isNumber?: boolean;
}

export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
}

export interface ListViewOptions<Name extends ListName> {
  readonly list: PagedList<Name>;
  /** What the list contains, such as “organizations”. */
  readonly what: string;
  /** The first column names the item and should contain its link. */
  readonly columns: readonly Column<ItemOf<Name>>[];
  /** Whether the API can search the list by name. */
  readonly isSearchable?: boolean;
  readonly filters?: readonly Filter[];
  /** More filters, rendered after the others. */
  readonly moreFilters?: TemplateResult;
  readonly empty: {
    readonly icon: TemplateResult;
    readonly title: string;
    readonly hint: string;
    readonly action?: TemplateResult | typeof nothing;
  };
}

/**
 * Renders a list as a table with search, filters, sorting and paging. On phones, rows become cards. The roles keep the
 * meaning of a table, which some browsers derive from the layout.
 */
export function listView<Name extends ListName>(options: ListViewOptions<Name>): TemplateResult {
  const { list, what, columns, filters = [], isSearchable = false, empty } = options;
  const hasTools = isSearchable || filters.length > 0;
  const isUnused = list.items?.length === 0 && !list.isFiltered && list.pageNumber === 1;
  return html`<div class="list">
    ${hasTools && !(isUnused && !list.isLoading) ? tools(options) : nothing}
    ${failureNotice(list.failure, () => void list.reload())}
    ${
      list.items === null
        ? list.failure === null
          ? skeleton(6)
          : nothing
        : list.items.length === 0
          ? emptyState(
              isUnused
                ? empty
                : {
                    icon: icons.search,
                    title: `No matching ${what}`,
                    hint: 'Try other words or fewer filters.',
                    action: html`<button type="button" class="button" @click=${() => list.clear()}>
                      Clear search and filters
                    </button>`,
                  },
            )
          : table(what, columns, list)
    }
    ${list.pageNumber > 1 || list.hasMore ? paging(list, what) : nothing}
    <p class="visually-hidden" role="status">${list.isLoading ? nothing : statusOf(list, what)}</p>
  </div>`;
}

function statusOf<Name extends ListName>(list: PagedList<Name>, what: string): string {
  if (list.items === null) return '';
  return `${count(list.items.length, singularOf(what), what)}${list.pageNumber > 1 || list.hasMore ? ` on page ${list.pageNumber}` : ''}`;
}

/** Returns the singular of what a list contains: “audit entry” for “audit entries”. */
function singularOf(what: string): string {
  return what.replace(/ies$/, 'y').replace(/s$/, '');
}

function tools<Name extends ListName>({
  list,
  what,
  filters = [],
  moreFilters,
  isSearchable = false,
}: ListViewOptions<Name>): TemplateResult {
  return html`<div class="list-tools ${moreFilters ? 'many' : ''}" role="search" aria-label=${what}>
    ${
      isSearchable
        ? html`<div class="search">
            ${icons.search}
            <input
              type="search"
              maxlength="200"
              autocomplete="off"
              spellcheck="false"
              aria-label="Search ${what}"
              placeholder="Search ${what}"
              .value=${live(list.valueOf('search'))}
              @input=${({ target }: Event) =>
                // The handler is bound only to this control.
                list.set('search', (target as HTMLInputElement).value.trim())}
            />
          </div>`
        : nothing
    }
    ${filters.map(
      ({ name, label, choices }) =>
        html`<label class="filter"
          ><span>${label}</span
          ><select
            @change=${({ target }: Event) =>
              // The handler is bound only to this control.
              list.set(name, (target as HTMLSelectElement).value)}
          >
            ${[['', 'All'] as const, ...choices].map(
              ([value, text]) =>
                html`<option value=${value} .selected=${live(value === list.valueOf(name))}>${text}</option>`,
            )}
          </select></label
        >`,
    )}
    ${moreFilters ?? nothing}
  </div>`;
}

function table<Name extends ListName>(
  what: string,
  columns: readonly Column<ItemOf<Name>>[],
  list: PagedList<Name>,
): TemplateResult {
  return html`<table role="table" aria-busy=${list.isLoading}>
    <caption class="visually-hidden">
      ${what[0]?.toUpperCase()}${what.slice(1)}${list.pageNumber > 1 ? `, page ${list.pageNumber}` : ''}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(column => heading(column, list.sort, key => list.set('sort', key)))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${list.items?.map(
        item =>
          html`<tr role="row">
            ${columns.map(({ label, cell, isNumber, isAction }, index) =>
              index === 0
                ? html`<th role="rowheader" scope="row">${cell(item)}</th>`
                : html`<td
                    role="cell"
                    class=${isAction ? 'row-actions' : isNumber ? 'number' : ''}
                    data-label=${isAction ? '' : label}
                  >
                    ${cell(item)}
                  </td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function heading(
  { label, sort, isNumber, isAction }: Column<never>,
  sorted: string,
  onSort: (key: string) => void,
): TemplateResult {
  const isAscending = sorted === sort;
  const isDescending = sorted === `-${sort}`;
  if (isAction)
    return html`<th role="columnheader" scope="col"><span class="visually-hidden">${label}</span></th>`;
  if (sort === undefined)
    return html`<th role="columnheader" scope="col" class=${isNumber ? 'number' : ''}>${label}</th>`;
  return html`<th
    role="columnheader"
    scope="col"
    aria-sort=${isAscending ? 'ascending' : isDescending ? 'descending' : 'none'}
  >
    <button type="button" class="sort" @click=${() => onSort(isAscending ? `-${sort}` : sort)}>
      ${label}${isAscending ? icons.up : isDescending ? icons.down : nothing}
    </button>
  </th>`;
}

function paging<Name extends ListName>(list: PagedList<Name>, what: string): TemplateResult {
  return html`<nav class="paging" aria-label="Pages of ${what}">
    <button
      type="button"
      class="button small"
      aria-disabled=${list.pageNumber === 1}
      @click=${() => void list.showPrevious()}
    >
      ${icons.back}Previous
    </button>
    <span>Page ${list.pageNumber}</span>
    <button
      type="button"
      class="button small"
      aria-disabled=${!list.hasMore}
      @click=${() => void list.showNext()}
    >
      Next${icons.forward}
    </button>
  </nav>`;
}
