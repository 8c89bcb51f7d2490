import type { Connector } from '@connector-auth/api';
import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { search, type Row } from './backend.ts';
import { Loader, PageElement, renderError, renderSkeleton, versionOf } from './element.ts';
import { openRecord } from './fieldbook-record.ts';
import { inOrderOfTime, queryOf, textOf, viewOf } from './views.ts';

const maxRows = 5;
/** The latest ones are among these, see {@link inOrderOfTime}. */
const maxRead = 30;

/** `<fieldbook-latest>`: the latest records of one type of data, which open beside the page. */
@customElement('fieldbook-latest')
export class FieldbookLatest extends PageElement {
  @property({ attribute: false }) connector!: Connector;
  @property() entity = '';

  readonly #rows = new Loader<readonly Row[]>(
    this,
    () => versionOf(this.connector, this.entity),
    async () => {
      const view = viewOf(this.connector.connector_type, this.entity);
      const page = await search(this.connector.id, this.entity, { query: queryOf(view), limit: maxRead });
      return inOrderOfTime(page.data, view).slice(0, maxRows);
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
    if (value.length === 0) return html`<p class="quiet">The first records are on their way.</p>`;
    const [title = 'id', ...details] = viewOf(this.connector.connector_type, this.entity).columns;
    return html`<ul class="rows">
      ${value.map(
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
