import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { ListName } from '../api/call.ts';
import type { ItemOf, PagedList } from '../api/paged-list.ts';
import { icons } from './icons.ts';
import { emptyState, failureNotice, skeleton } from './notice.ts';
import { table, type TableOptions } from './table.ts';
import { count } from './time.ts';

export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
  /** Returns the label of a value in the URL that is not among the choices. */
  readonly labelOf?: (value: string) => string;
}

export interface ListViewOptions<Name extends ListName> extends Pick<
  TableOptions<ItemOf<Name>>,
  'columns' | 'groupOf' | 'isCompact'
> {
  readonly list: PagedList<Name>;
  /** What the list contains, such as “organizations”. */
  readonly what: string;
  /** Whether the API can search the list by name. */
  readonly isSearchable?: boolean;
  readonly filters?: readonly Filter[];
  /** More filters, rendered after the others. */
  readonly moreFilters?: { readonly names: readonly string[]; readonly content: TemplateResult };
  readonly empty: {
    readonly icon: TemplateResult;
    readonly title: string;
    readonly hint: string;
    readonly action?: TemplateResult | typeof nothing;
  };
}

/** Renders a list as a table with search, filters, sorting and paging. */
export function listView<Name extends ListName>(options: ListViewOptions<Name>): TemplateResult {
  const { list, what, filters = [], isSearchable = false, empty } = options;
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
          : table({
              caption: `${what.charAt(0).toUpperCase()}${what.slice(1)}${list.pageNumber > 1 ? `, page ${list.pageNumber}` : ''}`,
              columns: options.columns,
              items: list.items,
              groupOf: options.groupOf,
              isCompact: options.isCompact,
              isLoading: list.isLoading,
              sorting: { key: list.sort, onSort: key => list.set('sort', key) },
            })
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
  const active = [...filters.map(({ name }) => name), ...(moreFilters?.names ?? [])].filter(
    name => list.valueOf(name) !== '',
  ).length;
  return html`<div class="list-tools" role="search" aria-label=${what}>
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
    <details class="filters ${moreFilters ? 'many' : ''}" ?open=${matchMedia('(width >= 48rem)').matches}>
      <summary class="button">
        ${icons.filter}Filters${active > 0 ? html` <span class="badge info">${active}</span>` : nothing}
      </summary>
      <div>
        ${filters.map(({ name, label, choices, labelOf = value => value }) => {
          const chosen = list.valueOf(name);
          const others =
            chosen === '' || choices.some(([value]) => value === chosen)
              ? []
              : [[chosen, labelOf(chosen)] as const];
          return html`<label class="filter"
            ><span>${label}</span
            ><select
              @change=${({ target }: Event) =>
                // The handler is bound only to this control.
                list.set(name, (target as HTMLSelectElement).value)}
            >
              ${[['', 'All'] as const, ...choices, ...others].map(
                ([value, text]) =>
                  html`<option value=${value} .selected=${live(value === chosen)}>${text}</option>`,
              )}
            </select></label
          >`;
        })}
        ${moreFilters?.content ?? nothing}
      </div>
    </details>
  </div>`;
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
