import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { icons } from './icons.ts';

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

/** A column with a button that takes the item away. */
export function deleteColumn<Item>(
  label: string,
  nameOf: (item: Item) => string,
  onDelete: (item: Item) => unknown,
  canDelete: (item: Item) => boolean = () => true,
): Column<Item> {
  return {
    label,
    isAction: true,
    cell: item =>
      canDelete(item)
        ? html`<button
            type="button"
            class="button small danger"
            aria-label=${nameOf(item)}
            @click=${() => onDelete(item)}
          >
            ${label}
          </button>`
        : nothing,
  };
}

export interface TableOptions<Item> {
  readonly caption: string;
  /** Whether the caption is visible. */
  readonly hasTitle?: boolean;
  /** The first column names the item and should contain its link. */
  readonly columns: readonly Column<Item>[];
  readonly items: readonly Item[];
  /** Returns the heading above an item. Items with the same heading follow each other. */
  readonly groupOf?: ((item: Item) => string) | undefined;
  /** Shows each item in a line. */
  readonly isCompact?: boolean | undefined;
  readonly isLoading?: boolean;
  /** The chosen sort key, and what chooses another one. */
  readonly sorting?: { readonly key: string; readonly onSort: (key: string) => void };
}

/** Renders a table. On phones, rows become cards. The roles keep the meaning, which some browsers derive from the layout. */
export function table<Item>(options: TableOptions<Item>): TemplateResult {
  const {
    caption,
    hasTitle = false,
    columns,
    items,
    groupOf,
    isCompact = false,
    isLoading = false,
  } = options;
  const groups = items.map(item => groupOf?.(item));
  return html`<table role="table" class=${isCompact ? 'compact' : ''} aria-busy=${isLoading}>
    <caption class=${hasTitle ? 'table-title' : 'visually-hidden'}>
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(column => heading(column, options.sorting))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${repeat(
        items,
        (item, index) => idOf(item) ?? index,
        (item, index) =>
          html`${
              groups[index] === (index === 0 ? undefined : groups[index - 1])
                ? nothing
                : html`<tr role="row" class="group">
                    <th role="rowheader" scope="rowgroup" colspan=${columns.length}>${groups[index]}</th>
                  </tr>`
            }
            <tr role="row">
              ${columns.map(({ label, cell, isNumber, isAction }, place) => {
                const content = cell(item);
                if (place === 0) return html`<th role="rowheader" scope="row">${content}</th>`;
                return html`<td
                  role="cell"
                  class=${isAction ? 'row-actions' : isNumber ? 'number' : ''}
                  data-label=${isAction || content === '' ? '' : label}
                >
                  ${content}
                </td>`;
              })}
            </tr>`,
      )}
    </tbody>
  </table>`;
}

/** Returns what identifies an item, so that focus stays in its row when others are added or removed. */
function idOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined;
}

function heading(
  { label, sort, isNumber, isAction }: Column<never>,
  sorting: TableOptions<never>['sorting'],
): TemplateResult {
  if (isAction)
    return html`<th role="columnheader" scope="col"><span class="visually-hidden">${label}</span></th>`;
  if (sort === undefined || sorting === undefined)
    return html`<th role="columnheader" scope="col" class=${isNumber ? 'number' : ''}>${label}</th>`;
  const isAscending = sorting.key === sort;
  const isDescending = sorting.key === `-${sort}`;
  return html`<th
    role="columnheader"
    scope="col"
    aria-sort=${isAscending ? 'ascending' : isDescending ? 'descending' : 'none'}
  >
    <button type="button" class="sort" @click=${() => sorting.onSort(isAscending ? `-${sort}` : sort)}>
      ${label}${isAscending ? icons.up : isDescending ? icons.down : nothing}
    </button>
  </th>`;
}
