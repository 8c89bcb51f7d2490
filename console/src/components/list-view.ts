import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { ListName } from '../api/call.ts';
import type { ItemOf, PagedList } from '../api/paged-list.ts';
import { icons } from './icons.ts';
import { searchField } from './name-search.ts';
import { emptyState, failureNotice, skeleton } from './notice.ts';
import { button, capitalized } from './page-head.ts';
import { table, type TableOptions } from './table.ts';
import { count } from './time.ts';

type Choice = readonly [value: string, label: string];

/** A filter by one of a few values, by a value that is found by its name, or by a point in time. */
export type Filter = { readonly name: string; readonly label: string } & (
  | {
      readonly choices: readonly Choice[];
      /** Returns the label of a value in the URL that is not among the choices. */
      readonly labelOf?: (value: string) => string;
    }
  | {
      readonly find: (text: string) => Promise<readonly Choice[]>;
      /** Returns the name of the chosen value. */
      readonly nameOf: (value: string) => string;
    }
  | { readonly isTime: true }
);

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
  /** Shown below the filters. */
  readonly belowFilters?: TemplateResult;
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
                    action: button('Clear search and filters', () => list.clear()),
                  },
            )
          : table({
              caption: `${capitalized(what)}${list.pageNumber > 1 ? `, page ${list.pageNumber}` : ''}`,
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

/** From this number on, filters are in a grid. */
const manyFilters = 5;

function tools<Name extends ListName>({
  list,
  what,
  filters = [],
  belowFilters,
  isSearchable = false,
}: ListViewOptions<Name>): TemplateResult {
  const active = filters.filter(({ name }) => list.valueOf(name) !== '').length;
  return html`<div class="list-tools" role="search" aria-label=${what}>
    ${
      isSearchable
        ? searchField(`Search ${what}`, list.valueOf('search'), text => list.set('search', text))
        : nothing
    }
    <details
      class="filters ${filters.length >= manyFilters ? 'many' : ''}"
      ?open=${matchMedia('(width >= 48rem)').matches}
    >
      <summary class="button">
        ${icons.filter}Filters${active > 0 ? html` <span class="badge info">${active}</span>` : nothing}
      </summary>
      <div>
        ${filters.map(filter => filterField(filter, list.valueOf(filter.name), value => list.set(filter.name, value)))}
        ${belowFilters ?? nothing}
      </div>
    </details>
  </div>`;
}

/** Renders a labelled filter. */
export function filterField(
  filter: Filter,
  chosen: string,
  onChange: (value: string) => void,
): TemplateResult {
  const { label } = filter;
  if ('find' in filter) {
    return html`<console-picker
      label=${label}
      .chosen=${filter.nameOf(chosen)}
      .find=${filter.find}
      .onChange=${onChange}
    ></console-picker>`;
  }
  const handleChange = ({ target }: Event): void => {
    // The handler is bound only to the controls below.
    const { value } = target as HTMLInputElement | HTMLSelectElement;
    onChange('isTime' in filter && value !== '' ? new Date(value).toISOString() : value);
  };
  return html`<label class="filter"
    ><span>${label}</span>${
      'isTime' in filter
        ? html`<input type="datetime-local" .value=${live(localTime(chosen))} @change=${handleChange} />`
        : html`<select @change=${handleChange}>
            ${withChosen(filter, chosen).map(
              ([value, text]) =>
                html`<option value=${value} .selected=${live(value === chosen)}>${text}</option>`,
            )}
          </select>`
    }</label
  >`;
}

function withChosen(
  { choices, labelOf = value => value }: Extract<Filter, { choices: unknown }>,
  chosen: string,
): readonly Choice[] {
  const all = [['', 'All'] as const, ...choices];
  return all.some(([value]) => value === chosen) ? all : [...all, [chosen, labelOf(chosen)]];
}

/** Returns a time as the value of a `datetime-local` field. Empty if it is not a time. */
function localTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
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
