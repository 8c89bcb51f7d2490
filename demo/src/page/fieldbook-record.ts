import type { Connector } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { execute, search, type Row } from './backend.ts';
import { Loader, PageElement, renderError } from './element.ts';
import { closeIcon } from './icons.ts';
import { labelOf, textOf, viewOf } from './views.ts';

/** How deep objects inside a record are shown. */
const maxDepth = 3;

/** Opens a record in a dialog beside the page. */
export function openRecord(connector: Connector, entity: string, row: Row, currency: string | null): void {
  const record = document.createElement('fieldbook-record');
  Object.assign(record, { connector, entity, row, currency });
  document.body.append(record);
}

/** `<fieldbook-record>`: all values of a record, in a dialog that is open as long as the element exists. */
@customElement('fieldbook-record')
export class FieldbookRecord extends PageElement {
  @property({ attribute: false }) connector!: Connector;
  @property() entity = '';
  @property({ attribute: false }) row!: Row;
  /** The currency of amounts that do not say theirs. */
  @property() currency: string | null = null;
  /** Some sources list less of a record than they have. */
  readonly #whole = new Loader<Row>(
    this,
    () => 'whole',
    () => loadWhole(this.connector, this.entity, this.row),
  );

  protected override firstUpdated(): void {
    this.querySelector('dialog')?.showModal();
  }

  protected override render() {
    const { columns } = viewOf(this.connector.connector_type, this.entity);
    const [title = 'id'] = columns;
    const heading = textOf(this.row, title) || 'Record';
    const { value, error, reload } = this.#whole;
    return html`<dialog
      class="record"
      aria-labelledby="record-title"
      @close=${() => this.remove()}
      @click=${this.#handleClick}
    >
      <header>
        <h2 id="record-title" dir="auto">${heading}</h2>
        <p class="quiet">${this.connector.name} · ${this.connector.sync.entities[this.entity]?.title}</p>
        <button class="button plain" aria-label="Close" @click=${this.#close}>${closeIcon}</button>
      </header>
      <div class="body">
        ${error === null ? nothing : renderError(error, reload)}${renderMembers({ ...inOrder(value ?? this.row, columns), [title]: null }, 0, this.currency)}
      </div>
    </dialog>`;
  }

  readonly #close = (): void => this.querySelector('dialog')?.close();

  /** The content fills the dialog, so a click on the dialog itself is one beside it. */
  readonly #handleClick = (event: MouseEvent): void => {
    if (event.target instanceof HTMLDialogElement) this.#close();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'fieldbook-record': FieldbookRecord;
  }
}

async function loadWhole({ id, connector_type }: Connector, entity: string, row: Row): Promise<Row> {
  const { read } = viewOf(connector_type, entity);
  if (read) return execute<Row>(id, entity, read.action, { [read.id]: row['id'], include: 'transcript' });
  if (connector_type !== 'gong' || entity !== 'calls') return row;
  // Who took part and what was said is in another type of data.
  const { data } = await search(id, 'calls_extensive', {
    query: { filter: { eq: { id: row['id'] } } },
    fields: ['content', 'parties'],
    limit: 1,
  });
  return { ...row, ...data[0] };
}

/** Puts the columns of the table first, then what is only here, then details such as ids. */
function inOrder(row: Row, columns: readonly string[]): Row {
  const rank = (name: string) => (columns.includes(name) ? 0 : typeof row[name] === 'object' ? 1 : 2);
  const names = Object.keys(row).toSorted((one, other) => rank(one) - rank(other));
  return Object.fromEntries(names.map(name => [name, row[name]]));
}

function renderMembers(row: Row, depth: number, currency: string | null): TemplateResult {
  const filled = Object.keys(row).filter(name => !isEmpty(row[name]));
  return html`<dl>
    ${filled.map(
      name =>
        html`<dt>${labelOf(name)}</dt>
          <dd dir="auto">${renderValue(row, name, depth, currency)}</dd>`,
    )}
  </dl>`;
}

function renderValue(row: Row, name: string, depth: number, currency: string | null): unknown {
  const value = row[name];
  if (typeof value === 'string' && /^https?:\/\//.test(value)) {
    return html`<a href=${value} target="_blank" rel="noreferrer">${value}</a>`;
  }
  if (typeof value !== 'object' || value === null || depth >= maxDepth) return textOf(row, name, currency);
  if (!Array.isArray(value)) return renderMembers(value as Row, depth + 1, currency);
  // Lists of objects, such as people or the lines of a transcript.
  if (!value.some(item => typeof item === 'object' && item !== null)) return textOf(row, name);
  return html`<ul>
    ${value.map((_item, index) => html`<li>${textOf({ item: value[index] as unknown }, 'item')}</li>`)}
  </ul>`;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
