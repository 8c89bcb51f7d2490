import type { Connector } from '@connector-auth/api';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { execute } from '../backend.ts';

type Row = Readonly<Record<string, unknown>>;

/** The response to a search (spec 2.7). */
interface Found {
  readonly data: readonly Row[];
  readonly meta: {
    readonly has_more: boolean;
    readonly cursor: string | null;
    readonly took_ms: number | null;
  };
}

type SearchState =
  | { is: 'searching' }
  | { is: 'failed'; message: string }
  | { is: 'found'; found: Found; columns: readonly string[] };

interface SearchQuery {
  readonly entity: string;
  readonly field: string;
  readonly words: string;
  readonly sort: { readonly field: string; readonly direction: 'asc' | 'desc' } | null;
}

const pageSize = 50;
const maxColumns = 8;

/**
 * Shows the synced records of one connector. The user can choose an entity, search a field and sort by a
 * column.
 */
export class DataView extends LitElement {
  static override properties = {
    connector: { attribute: false },
    query: { state: true },
    state: { state: true },
  };

  declare connector: Connector | null;
  declare private query: SearchQuery;
  declare private state: SearchState;
  /** The searchable fields, taken from the last non-empty page. */
  private fields: readonly string[] = [];

  constructor() {
    super();
    this.connector = null;
    this.query = { entity: '', field: '', words: '', sort: null };
    this.state = { is: 'searching' };
  }

  protected override createRenderRoot() {
    return this;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { connector } = this;
    if (!connector || !changed.has('connector')) return;
    const before = changed.get('connector');
    if (before?.id !== connector.id) {
      const [entity = ''] = Object.keys(connector.sync.entities);
      this.startSearch({ entity, field: '', words: '', sort: null });
      return;
    }
    // Repeats the search if the same connector now has a different number of records.
    const recordsIn = ({ sync }: Connector) => sync.entities[this.query.entity]?.records;
    if (recordsIn(before) !== recordsIn(connector)) void this.search(this.query);
  }

  private startSearch(query: SearchQuery): void {
    this.query = query;
    this.state = { is: 'searching' };
    void this.search(query);
  }

  private async search(query: SearchQuery): Promise<void> {
    const { connector } = this;
    const { entity, field, words, sort } = query;
    if (!connector || entity === '') return;
    try {
      const { result: found } = await execute<Found, null>(connector.id, entity, 'search', {
        query: {
          ...(words === '' || field === '' ? {} : { filter: { like: { [field]: `%${words}%` } } }),
          ...(sort ? { sort: [{ [sort.field]: sort.direction }] } : {}),
        },
        limit: pageSize,
      });
      if (query !== this.query) return;
      if (found.data.length > 0) this.fields = textColumns(found.data);
      this.state = { is: 'found', found, columns: columnsOf(found.data) };
    } catch (error) {
      if (query !== this.query) return;
      this.state = {
        is: 'failed',
        message: error instanceof Error ? error.message : 'Something went wrong. Try again.',
      };
    }
  }

  protected override render() {
    const { connector, query, state } = this;
    if (!connector) return nothing;
    const { entities, status } = connector.sync;
    return html`
      <form class="search-form" role="search" @submit=${this.handleSearch}>
        <label
          >Records
          <select name="entity" @change=${this.handleEntity}>
            ${Object.entries(entities).map(
              ([name, { title, records }]) =>
                html`<option value=${name} ?selected=${name === query.entity}>
                  ${title ?? words(name)} (${records})
                </option>`,
            )}
          </select>
        </label>
        <label
          >Field
          <select name="field">
            ${this.fields.map(name => html`<option value=${name} ?selected=${name === query.field}>${words(name)}</option>`)}
          </select>
        </label>
        <label>Search for <input name="words" type="search" .value=${query.words} /></label>
        <button class="button primary">Search</button>
      </form>
      <p class="quiet" role="status">${statusText(status, state)}</p>
      ${state.is === 'failed' ? html`<div class="problem" role="alert"><p>${state.message}</p></div>` : nothing}
      ${state.is === 'found' && state.found.data.length > 0 ? this.renderTable(state.found.data, state.columns) : nothing}
    `;
  }

  private renderTable(rows: readonly Row[], columns: readonly string[]) {
    return html`<div class="table" tabindex="0" role="region" aria-label="Records">
      <table>
        <thead>
          <tr>
            ${columns.map(name => {
              const direction = this.query.sort?.field === name ? this.query.sort.direction : null;
              return html`<th scope="col" aria-sort=${direction === null ? 'none' : `${direction}ending`}>
                <button data-field=${name} @click=${this.handleSort}>
                  ${words(name)}${direction === null ? nothing : html`<span aria-hidden="true">${direction === 'asc' ? ' ↑' : ' ↓'}</span>`}
                </button>
              </th>`;
            })}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            row =>
              html`<tr>
                ${columns.map(name => html`<td dir="auto" class=${typeof row[name] === 'number' ? 'number' : ''}>${cell(row[name])}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private handleSearch(event: SubmitEvent): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    this.startSearch({
      ...this.query,
      field: text(form.get('field')) || this.query.field,
      words: text(form.get('words')),
    });
  }

  private handleEntity(event: Event): void {
    this.fields = [];
    this.startSearch({ entity: (event.target as HTMLSelectElement).value, field: '', words: '', sort: null });
  }

  private handleSort(event: Event): void {
    const field = (event.currentTarget as HTMLElement).dataset['field'] ?? '';
    const { sort } = this.query;
    const direction = sort?.field === field && sort.direction === 'desc' ? 'asc' : 'desc';
    this.startSearch({ ...this.query, sort: { field, direction } });
  }
}

customElements.define('data-view', DataView);

/**
 * Chooses the columns to show: names first, then ids, then the rest, ordered by how many rows have a value.
 */
function columnsOf(rows: readonly Row[]): string[] {
  const names = Object.keys(rows[0] ?? {});
  const count = new Map(names.map(name => [name, rows.filter(row => cell(row[name]) !== '').length]));
  const filled = (name: string) => count.get(name) ?? 0;
  return names
    .filter(name => filled(name) > rows.length / 10)
    .toSorted((one, other) => rank(one) - rank(other) || filled(other) - filled(one))
    .slice(0, maxColumns);
}

function rank(name: string): number {
  if (/name$|title$|descriptive/.test(name)) return 0;
  return /(^|[._])id$/.test(name) ? 1 : 2;
}

function textColumns(rows: readonly Row[]): string[] {
  const names = Object.keys(rows[0] ?? {});
  return names
    .filter(name => rows.some(row => typeof row[name] === 'string'))
    .toSorted((one, other) => rank(one) - rank(other));
}

function statusText(status: Connector['sync']['status'], state: SearchState): string {
  const freshness = status === 'ready' ? '' : ' Still importing.';
  if (state.is !== 'found') return state.is === 'searching' ? 'Searching…' : '';
  const { data, meta } = state.found;
  const all = data.length === 1 ? '1 record' : `${data.length || 'No'} records`;
  const count = meta.has_more ? `First ${data.length} records` : all;
  return `${count} (${Math.round(meta.took_ms ?? 0)} ms).${freshness}`;
}

/** Splits a field name such as `campaign.advertising_channel_type` or `calendarEventId` into words. */
function words(name: string): string {
  return name
    .replaceAll(/[._]/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, (_match, last: string, first: string) => `${last} ${first.toLowerCase()}`);
}

function cell(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

function text(value: FormDataEntryValue | null): string {
  return typeof value === 'string' ? value : '';
}
