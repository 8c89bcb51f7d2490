import type { Connector } from '@connector-auth/api';
import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { search, type SearchPage } from './backend.ts';
import { Loader, PageElement, renderError, renderSkeleton, versionOf } from './element.ts';
import { openRecord } from './fieldbook-record.ts';
import { queryOf, textOf, viewOf } from './views.ts';

const maxRows = 5;

/** `<fieldbook-latest>`: the latest records of one type of data, which open beside the page. */
@customElement('fieldbook-latest')
export class FieldbookLatest extends PageElement {
  @property({ attribute: false }) connector!: Connector;
  @property() entity = '';

  readonly #rows = new Loader<SearchPage>(
    this,
    () => versionOf(this.connector, this.entity),
    () => {
      const query = queryOf(viewOf(this.connector.connector_type, this.entity));
      return search(this.connector.id, this.entity, { query, limit: maxRows });
    },
  );

  protected override render() {
    const { name, connector_type, sync } = this.connector;
    const title = sync.entities[this.entity]?.title ?? this.entity;
    return html`${cardHead(`${name} ${title.toLowerCase()}`, connector_type)} ${this.#renderRows()}
      <p class="card-foot"><a href="#data/${connector_type}">See all</a></p>`;
  }

  #renderRows() {
    const { value, error, reload } = this.#rows;
    if (error !== null) return renderError(error, reload);
    if (value === null) return renderSkeleton(maxRows);
    if (value.data.length === 0) return html`<p class="quiet">The first records are on their way.</p>`;
    const [title = 'id', ...details] = viewOf(this.connector.connector_type, this.entity).columns;
    return html`<ul class="rows">
      ${value.data.map(
        row =>
          html`<li>
            <button @click=${() => openRecord(this.connector, this.entity, row, null)}>
              <span dir="auto">${textOf(row, title) || 'Untitled'}</span>
              <span class="quiet"
                >${details
                  .slice(0, 2)
                  .map(each => textOf(row, each))
                  .filter(Boolean)
                  .join(' · ')}</span
              >
            </button>
          </li>`,
      )}
    </ul>`;
  }
}

/** The head of a card: what it shows, and the state of its source. */
export function cardHead(title: string, source: string) {
  return html`<header class="card-head">
    <h2>${title}</h2>
    <connector-auth-status source=${source}></connector-auth-status>
  </header>`;
}
