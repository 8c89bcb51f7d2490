import type { Connector } from '@connector-auth/api';
import { ConnectorAuthController } from '@connector-auth/widget/lit';
import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { search, type Row, type SearchPage } from './backend.ts';
import { Loader, PageElement, renderError, renderSkeleton, versionOf } from './element.ts';
import { openRecord } from './fieldbook-record.ts';
import { searchIcon, tableIcon } from './icons.ts';
import {
  entitiesOf,
  inOrderOfTime,
  isNumeric,
  labelOf,
  queryOf,
  textOf,
  viewOf,
  type View,
} from './views.ts';

const pageSize = 50;
/** How many columns a table has whose columns are not declared. */
const maxColumns = 6;

/** `<fieldbook-data>`: the records of the customer's sources in a table, with search and filters. */
@customElement('fieldbook-data')
export class FieldbookData extends PageElement {
  /** The source to show; the latest connection by default. */
  @property({ attribute: false }) source: string | null = null;
  @state() private entity: string | null = null;
  @state() text = '';
  @state() filters: Row = {};
  @state() private limit = pageSize;
  /** The values that were seen of each field, by which people can filter. */
  #values = new Map<string, Set<unknown>>();
  readonly #flow = new ConnectorAuthController(this);

  readonly #rows = new Loader<SearchPage>(
    this,
    () => {
      const { connector, entity } = this.#shown;
      if (!connector || !entity) return null;
      return [versionOf(connector, entity), JSON.stringify(this.#query), this.limit].join('|');
    },
    async () => {
      const { connector, entity } = this.#shown;
      if (!connector || !entity) throw new Error('Nothing is connected');
      const page = await search(connector.id, entity, { query: this.#query, limit: this.limit });
      this.#remember(page.data);
      return { ...page, data: inOrderOfTime(page.data, this.#view) };
    },
  );
  /** Amounts of Google Ads are in the currency of their account. */
  readonly #currency = new Loader<string | null>(
    this,
    () => (this.#shown.connector?.connector_type === 'google-ads' ? this.#shown.connector.id : null),
    async () => {
      const id = this.#shown.connector?.id ?? '';
      const { data } = await search(id, 'accounts', {
        query: {},
        fields: ['customer.currency_code'],
        limit: 100,
      });
      const currencies = new Set(data.map(row => row['customer.currency_code']));
      const [currency] = currencies;
      return currencies.size === 1 && typeof currency === 'string' ? currency : null;
    },
  );

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('source') && changed.get('source') !== undefined) this.#show(null);
  }

  protected override render() {
    if (!this.#flow.isLoaded) return renderSkeleton(8);
    const { connector, entity } = this.#shown;
    if (!connector || !entity) {
      return html`<section class="empty">
        ${tableIcon}
        <h2>Nothing connected yet</h2>
        <p class="quiet">Connect a source to see its records here.</p>
        <a class="button primary" href="#connections/gong">Connect a source</a>
      </section>`;
    }
    const view = this.#view;
    return html`<div class="tools">
        ${this.#renderSources(connector)}
        <connector-auth-status source=${connector.connector_type}></connector-auth-status>
      </div>
      <div class="tools" role="search">
        <select aria-label="Type of data" @change=${(event: Event) => this.#show(valueOf(event))}>
          ${entitiesOf(connector).map(
            each =>
              html`<option value=${each} ?selected=${each === entity}>
                ${connector.sync.entities[each]?.title}
              </option>`,
          )}
        </select>
        ${this.#renderSearch(view)} ${view.filters.map(field => this.#renderFilter(field))}
      </div>
      ${this.#renderFound(connector, entity, view)}`;
  }

  #renderSources(shown: Connector) {
    return html`<div class="segments" role="group" aria-label="Source">
      ${this.#connectors.map(
        ({ id, name, connector_type }) =>
          html`<button
            aria-pressed=${id === shown.id}
            @click=${() => {
              location.hash = `#data/${connector_type}`;
            }}
          >
            ${name}
          </button>`,
      )}
    </div>`;
  }

  #renderSearch({ search: field }: View) {
    if (field === null) return nothing;
    return html`<label class="search">
      ${searchIcon}<span class="visually-hidden">Search by ${labelOf(field)}</span>
      <input
        type="search"
        placeholder="Search by ${labelOf(field).toLowerCase()}"
        .value=${this.text}
        @input=${(event: Event) => {
          this.text = valueOf(event);
        }}
      />
    </label>`;
  }

  #renderFilter(field: string) {
    const values = [...(this.#values.get(field) ?? [])].toSorted((one, other) =>
      textOf({ [field]: one }, field).localeCompare(textOf({ [field]: other }, field)),
    );
    if (values.length < 2) return nothing;
    const chosen = values.indexOf(this.filters[field]);
    return html`<select
      class=${chosen === -1 ? 'filter' : 'filter set'}
      aria-label="Filter by ${labelOf(field)}"
      @change=${(event: Event) => {
        const { [field]: _chosen, ...others } = this.filters;
        const index = Number(valueOf(event));
        this.filters = index === -1 ? others : { ...others, [field]: values[index] };
      }}
    >
      <option value="-1" ?selected=${chosen === -1}>${labelOf(field)}: all</option>
      ${values.map(
        (value, index) =>
          html`<option value=${index} ?selected=${chosen === index}>
            ${textOf({ [field]: value }, field)}
          </option>`,
      )}
    </select>`;
  }

  #renderFound(connector: Connector, entity: string, view: View) {
    const { value, error, reload } = this.#rows;
    if (error !== null) return renderError(error, reload);
    if (value === null) return renderSkeleton(8);
    const { data: rows, meta } = value;
    if (rows.length === 0) {
      const isImporting = (connector.sync.entities[entity]?.last_synced_at ?? null) === null;
      return html`<section class="empty">
        <h2>${isImporting ? 'Importing…' : 'No matching records'}</h2>
        <p class="quiet">
          ${isImporting ? 'Records appear here as they arrive.' : 'Try another search, or remove a filter.'}
        </p>
      </section>`;
    }
    const declared = view.columns.length > 0 ? view.columns : Object.keys(rows[0] ?? {});
    const columns = declared.slice(0, maxColumns);
    return html`<table>
        <thead>
          <tr>
            ${columns.map(
              column =>
                html`<th scope="col" class=${rows.some(row => isNumeric(row, column)) ? 'number' : nothing}>
                  ${labelOf(column)}
                </th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            row =>
              html`<tr @click=${() => openRecord(connector, entity, row, this.#currency.value)}>
                ${columns.map((column, index) => this.#renderCell(row, column, index === 0))}
              </tr>`,
          )}
        </tbody>
      </table>
      <p class="more quiet" role="status">
        ${rows.length}
        records${
          meta.cursor === null
            ? nothing
            : html` shown
                <button
                  class="button"
                  @click=${() => {
                    this.limit += pageSize;
                  }}
                >
                  Show more
                </button>`
        }
      </p>`;
  }

  #renderCell(row: Row, column: string, isFirst: boolean) {
    const text = textOf(row, column, this.#currency.value);
    // The button is for the keyboard. Its click reaches the row.
    if (isFirst) return html`<th scope="row" dir="auto"><button>${text || 'Untitled'}</button></th>`;
    if (column.endsWith('status') && text !== '')
      return html`<td><span class="badge ${toneOf(String(row[column]))}">${text}</span></td>`;
    return html`<td dir="auto" class=${isNumeric(row, column) ? 'number' : nothing}>${text}</td>`;
  }

  get #connectors(): readonly Connector[] {
    return this.#flow.connectors.toSorted((one, other) => (one.created_at > other.created_at ? -1 : 1));
  }

  get #shown() {
    const connectors = this.#connectors;
    const connector =
      connectors.find(({ connector_type }) => connector_type === this.source) ?? connectors[0];
    const entities = connector ? entitiesOf(connector) : [];
    return { connector, entity: entities.find(each => each === this.entity) ?? entities[0] };
  }

  get #view(): View {
    const { connector, entity } = this.#shown;
    return viewOf(connector?.connector_type ?? '', entity ?? '');
  }

  get #query(): object {
    return queryOf(this.#view, this);
  }

  #show(entity: string | null): void {
    this.entity = entity;
    this.text = '';
    this.filters = {};
    this.limit = pageSize;
    this.#values = new Map();
    this.#rows.value = null;
  }

  #remember(rows: readonly Row[]): void {
    for (const field of this.#view.filters) {
      const values = this.#values.get(field) ?? new Set();
      for (const row of rows) if (row[field] !== null && row[field] !== undefined) values.add(row[field]);
      this.#values.set(field, values);
    }
  }
}

function valueOf({ target }: Event): string {
  return (target as HTMLInputElement | HTMLSelectElement).value;
}

function toneOf(status: string): string {
  if (/ENABLE|ACTIVE|SERVING/.test(status)) return 'good';
  return /PAUSE|DISABLE/.test(status) ? 'warn' : '';
}
