import '../home/fieldbook-note.ts';
import './fieldbook-query-code.ts';
import './fieldbook-query.ts';
import './fieldbook-record.ts';
import './fieldbook-records.ts';
import type { Connector } from '@connector-auth/api';
import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { execute, syncNow, type Session } from '../backend.ts';
import { freshnessOf, versionOf } from '../home/freshness.ts';
import { problem, sourceState, sourceStyles } from '../home/source-state.ts';
import { Loader, messageOf } from '../loader.ts';
import type { SearchPage } from '../search-page.ts';
import { sheet } from '../styles.ts';
import { textOf } from './cells.ts';
import { columnsOf } from './columns.ts';
import type { CampaignChangeEvent } from './fieldbook-campaign.ts';
import type { ChoiceEvent } from './fieldbook-query.ts';
import type { OpenEvent, SortEvent } from './fieldbook-records.ts';
import { fieldsOf, type Field, type FieldType, type Row } from './fields.ts';
import { loadNames, noNames, type Names } from './names.ts';
import { toQuery, type Choice } from './query.ts';
import { RecentChanges } from './recent-changes.ts';
import { firstEntityOf, isWithoutDays, viewOf } from './views.ts';

interface Found {
  readonly rows: readonly Row[];
  /** What the latest page says. */
  readonly meta: SearchPage['meta'];
}

type Results =
  /** Keeps the table of the search before. */
  | { readonly is: 'searching'; readonly found: Found | null }
  | { readonly is: 'loading-more'; readonly found: Found }
  | { readonly is: 'failed'; readonly message: string }
  | { readonly is: 'found'; readonly found: Found };

const pageSize = 50;

/** `<fieldbook-search>`: searches one connector's records. */
@customElement('fieldbook-search')
export class FieldbookSearch extends LitElement {
  /** Always the same one; only its state changes. */
  @property({ attribute: false }) connector!: Connector;
  @property({ attribute: false }) session: Session | null = null;
  @state() private entity = '';
  @state() private choice: Choice = { conditions: [], sort: null };
  @state() private results: Results = { is: 'searching', found: null };
  /** The fields of the entity. Kept if a search finds nothing. */
  @state() private fields: readonly Field[] = [];
  /** The open record, which stays open if new results no longer contain it. */
  @state() private opened: Row | null = null;
  readonly #changes = new RecentChanges();
  #searches = 0;

  readonly #names = new Loader<Names>(
    this,
    () =>
      `names-${this.connector.id}|${Object.keys(this.connector.sync.entities)
        .map(entity => versionOf(this.connector, entity))
        .join(',')}`,
    () => loadNames(this.connector),
  );

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('connector')) return;
    const before = changed.get('connector');
    const entities = Object.keys(this.connector.sync.entities);
    if (before === undefined) {
      const first = firstEntityOf(this.connector.connector_type, entities);
      if (first !== null) this.#show(first);
    } else if (versionOf(before, this.entity) !== versionOf(this.connector, this.entity)) {
      const { results } = this;
      // New records must not move those that the user is reading.
      const isReading =
        this.opened !== null || ('found' in results && (results.found?.rows.length ?? 0) > pageSize);
      if (!isReading) void this.#search();
    }
  }

  /** Shows the records of an entity as they are of most use. */
  #show(entity: string): void {
    const { conditions, sort } = viewOf(this.connector.connector_type, entity);
    this.entity = entity;
    this.choice = { conditions, sort };
    this.fields = [];
    this.results = { is: 'searching', found: null };
    void this.#search();
  }

  #change(choice: Choice): void {
    const isSame = JSON.stringify(this.#paramsOf(choice)) === JSON.stringify(this.#params);
    this.choice = choice;
    // A condition without a value does not change what is searched for.
    if (!isSame || this.results.is === 'failed') void this.#search();
  }

  get #params(): { readonly query: object; readonly limit: number } {
    return this.#paramsOf(this.choice);
  }

  #paramsOf(choice: Choice) {
    const typeOf = (name: string): FieldType =>
      this.fields.find(field => field.name === name)?.type ?? 'text';
    return { query: toQuery(choice, typeOf), limit: pageSize };
  }

  readonly #search = async (): Promise<void> => {
    const order = ++this.#searches;
    const { results } = this;
    this.results = { is: 'searching', found: 'found' in results ? results.found : null };
    try {
      const { data, meta } = await this.#read(this.#params);
      if (order !== this.#searches) return;
      if (data.length > 0) this.fields = fieldsOf(data);
      this.results = { is: 'found', found: { rows: data, meta } };
    } catch (error) {
      if (order === this.#searches) this.results = { is: 'failed', message: messageOf(error) };
    }
  };

  async #read(params: Record<string, unknown>): Promise<SearchPage> {
    return (await execute<SearchPage, null>(this.connector.id, this.entity, 'search', params)).result;
  }

  async #loadMore(found: Found): Promise<void> {
    const order = ++this.#searches;
    this.results = { is: 'loading-more', found };
    try {
      const { data, meta } = await this.#read({ ...this.#params, cursor: found.meta.cursor });
      if (order !== this.#searches) return;
      this.results = { is: 'found', found: { rows: [...found.rows, ...data], meta } };
    } catch (error) {
      if (order === this.#searches) this.results = { is: 'failed', message: messageOf(error) };
    }
  }

  protected override render() {
    const { connector, entity, results } = this;
    if (entity === '') return html`<p class="quiet">${connector.name} has no data to search.</p>`;
    const found = 'found' in results ? results.found : null;
    const { state } = this.#names;
    const names = this.#changes.withLabels(state.is === 'loaded' ? state.value : noNames);
    const lastSyncedAt = found?.meta.sync.last_synced_at ?? null;
    const rows = this.#changes.apply(found?.rows ?? [], lastSyncedAt);
    const columns = columnsOf(rows, this.fields, viewOf(connector.connector_type, entity).columns);
    return html`
      <div class="card query">
        <div class="pickers">
          ${this.#renderEntities()}
          <fieldbook-query
            .fields=${this.fields}
            .choice=${this.choice}
            .rows=${found?.rows ?? []}
            @fieldbook-choice=${({ choice }: ChoiceEvent) => this.#change(choice)}
          ></fieldbook-query>
        </div>
        ${this.#renderCode()}
      </div>
      <div class="card-head">
        <p role="status">${statusOf(results)}</p>
        ${sourceState(freshnessOf(connector, entity, Date.now()))}
      </div>
      ${results.is === 'failed' ? problem(results.message, () => void this.#search()) : nothing}
      ${this.#renderTable(rows, columns, names)} ${this.#renderOpened(columns[0]?.name, names, lastSyncedAt)}
    `;
  }

  #renderCode() {
    const body = { entity: this.entity, action: 'search', params: this.#params };
    if (this.session === null) return nothing;
    return html`<fieldbook-query-code
      .session=${this.session}
      connector-id=${this.connector.id}
      .body=${body}
    ></fieldbook-query-code>`;
  }

  #renderEntities() {
    return html`<div>
      <label for="entity">Type of data</label>
      <select id="entity" @change=${(event: Event) => this.#show((event.target as HTMLSelectElement).value)}>
        ${Object.entries(this.connector.sync.entities).map(
          ([name, { title }]) =>
            html`<option value=${name} ?selected=${name === this.entity}>${title ?? name}</option>`,
        )}
      </select>
    </div>`;
  }

  #renderTable(rows: readonly Row[], columns: readonly Field[], names: Names) {
    const { results } = this;
    if (rows.length === 0) {
      if (results.is === 'searching') return html`<div class="skeleton" aria-hidden="true"></div>`;
      return results.is === 'found' ? this.#renderNothing() : nothing;
    }
    const found = 'found' in results ? results.found : null;
    const isLoadingMore = results.is === 'loading-more';
    return html`<fieldbook-records
        aria-busy=${results.is === 'searching'}
        label=${this.connector.sync.entities[this.entity]?.title ?? 'Records'}
        .rows=${rows}
        .columns=${columns}
        .names=${names}
        .sort=${this.choice.sort}
        @fieldbook-sort=${({ sort }: SortEvent) => this.#change({ ...this.choice, sort })}
        @fieldbook-open=${({ index }: OpenEvent) => {
          this.opened = found?.rows[index] ?? null;
        }}
      ></fieldbook-records>
      ${
        found === null || found.meta.cursor === null
          ? nothing
          : html`<button class="button more" ?disabled=${isLoadingMore} @click=${() => this.#loadMore(found)}>
              ${isLoadingMore ? 'Loading…' : `Show ${pageSize} more`}
            </button>`
      }`;
  }

  #renderNothing() {
    const isImporting = freshnessOf(this.connector, this.entity, Date.now()).is === 'importing';
    const conditions = this.choice.conditions.filter(condition => !isWithoutDays(condition));
    return html`<section class="empty">
      <h2>${isImporting ? 'Nothing here yet' : 'No records found'}</h2>
      <p>
        ${
          isImporting
            ? 'Records appear here as they are imported.'
            : conditions.length > 0
              ? 'No record meets all conditions. Change or remove one.'
              : 'This source has no records of this type.'
        }
      </p>
      ${
        conditions.length > 0 && !isImporting
          ? html`<button class="button" @click=${this.#removeConditions}>Remove all conditions</button>`
          : nothing
      }
    </section>`;
  }

  readonly #removeConditions = (): void => {
    this.#change({ ...this.choice, conditions: this.choice.conditions.filter(isWithoutDays) });
  };

  #renderOpened(nameField: string | undefined, names: Names, lastSyncedAt: string | null) {
    const [row] = this.#changes.apply(this.opened === null ? [] : [this.opened], lastSyncedAt);
    if (row === undefined) return nothing;
    const handleClose = () => {
      this.opened = null;
    };
    if (this.connector.connector_type === 'granola') {
      // Granola's only records are notes.
      return html`<fieldbook-note
        .connector=${this.connector}
        .note=${row}
        @fieldbook-close=${handleClose}
      ></fieldbook-note>`;
    }
    return html`<fieldbook-record
      .connector=${this.connector}
      entity=${this.entity}
      heading=${(nameField === undefined ? '' : textOf(row, nameField, names)) || 'Record'}
      .row=${row}
      .names=${names}
      @fieldbook-close=${handleClose}
      @fieldbook-campaign-change=${this.#handleCampaignChange}
    ></fieldbook-record>`;
  }

  readonly #handleCampaignChange = ({ resourceName, state }: CampaignChangeEvent): void => {
    this.#changes.add(resourceName, state, Date.now());
    this.requestUpdate();
    // Until the next sync, other searches show the campaign as it was. This one shows the change in any case.
    void syncNow(this.connector.id).catch(() => {});
  };

  static override styles = [
    sheet,
    sourceStyles,
    css`
      :host {
        display: grid;
        gap: 1rem;
        grid-template-columns: minmax(0, 1fr);
      }
      .query,
      .pickers {
        display: grid;
        gap: 0.9rem 2rem;
      }
      .query {
        container-type: inline-size;
      }
      .pickers {
        grid-template-columns: auto minmax(0, 1fr);
      }
      .pickers label {
        display: block;
        margin-block-end: 0.4rem;
      }
      #entity {
        min-inline-size: min(12rem, 100%);
      }
      .card-head {
        margin: 0;
      }
      .skeleton {
        min-block-size: 16rem;
      }
      .more {
        justify-self: center;
      }
      [aria-busy='true'] {
        opacity: 0.6;
      }
      /* A panel beside the page leaves less room, at the same width of the window. */
      @container (max-width: 44rem) {
        .pickers {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];
}

function statusOf(results: Results): string {
  if (results.is === 'searching') return 'Searching…';
  if (results.is === 'failed') return '';
  const { rows, meta } = results.found;
  const records = rows.length === 1 ? '1 record' : `${rows.length} records`;
  const took = meta.took_ms === null ? '' : ` in ${Math.max(1, Math.round(meta.took_ms))} ms`;
  return meta.has_more ? `First ${records}${took}` : `${records}${took}`;
}
