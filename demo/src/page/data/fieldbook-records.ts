import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { sheet } from '../styles.ts';
import { isNumeric, textOf } from './cells.ts';
import type { Field, Row } from './fields.ts';
import { noNames, type Names } from './names.ts';
import type { Sort } from './query.ts';

/** Dispatched when the user asks for another order. */
export class SortEvent extends Event {
  static readonly type = 'fieldbook-sort';

  constructor(readonly sort: Sort) {
    super(SortEvent.type, { bubbles: true, composed: true });
  }
}

/** Dispatched when the user opens a record. */
export class OpenEvent extends Event {
  static readonly type = 'fieldbook-open';

  constructor(readonly index: number) {
    super(OpenEvent.type, { bubbles: true, composed: true });
  }
}

declare global {
  interface HTMLElementEventMap {
    [SortEvent.type]: SortEvent;
    [OpenEvent.type]: OpenEvent;
  }
}

/** `<fieldbook-records>`: a table of records. */
@customElement('fieldbook-records')
export class FieldbookRecords extends LitElement {
  @property() label = 'Records';
  @property({ attribute: false }) rows: readonly Row[] = [];
  @property({ attribute: false }) columns: readonly Field[] = [];
  @property({ attribute: false }) names: Names = noNames;
  @property({ attribute: false }) sort: Sort | null = null;

  protected override render() {
    return html`<div class="table" tabindex="0" role="region" aria-label=${this.label}>
      <table>
        <thead>
          <tr>
            ${this.columns.map(column => this.#renderHead(column))}
          </tr>
        </thead>
        <tbody>
          ${this.rows.map((row, index) => this.#renderRow(row, index))}
        </tbody>
      </table>
    </div>`;
  }

  #renderHead({ name, label, type }: Field) {
    const end = this.#isNumeric(name) ? 'number' : '';
    if (type === 'list' || type === 'object') return html`<th scope="col" class=${end}>${label}</th>`;
    const direction = this.sort?.field === name ? this.sort.direction : null;
    return html`<th scope="col" class=${end} aria-sort=${direction === null ? 'none' : `${direction}ending`}>
      <button
        @click=${() => {
          this.dispatchEvent(
            new SortEvent({ field: name, direction: direction === 'desc' ? 'asc' : 'desc' }),
          );
        }}
      >
        ${label}${direction === null ? nothing : html`<span aria-hidden="true">${direction === 'asc' ? ' ↑' : ' ↓'}</span>`}
      </button>
    </th>`;
  }

  #isNumeric(name: string): boolean {
    return this.rows.some(row => isNumeric(row, name));
  }

  #renderRow(row: Row, index: number) {
    const [first, ...others] = this.columns;
    if (first === undefined) return nothing;
    const open = () => this.dispatchEvent(new OpenEvent(index));
    return html`<tr @click=${open}>
      <th scope="row" dir="auto">
        <button
          @click=${(event: Event) => {
            event.stopPropagation();
            open();
          }}
        >
          ${textOf(row, first.name, this.names) || 'Open'}
        </button>
      </th>
      ${others.map(({ name }) => html`<td dir="auto" class=${isNumeric(row, name) ? 'number' : ''}>${this.#renderCell(row, name)}</td>`)}
    </tr>`;
  }

  #renderCell(row: Row, name: string) {
    const text = textOf(row, name, this.names);
    if (!/(^|[._])status$/.test(name) || text === '') return text;
    return html`<span class="badge ${toneOf(String(row[name]))}">${text}</span>`;
  }

  static override styles = [
    sheet,
    css`
      .table {
        max-block-size: max(24rem, 75dvh);
      }
      th,
      td {
        max-inline-size: 18rem;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      thead th {
        position: sticky;
        inset-block-start: 0;
        z-index: 1;
      }
      tbody tr {
        cursor: pointer;
      }
      tbody th {
        position: sticky;
        inset-inline-start: 0;
        background: var(--card);
        font-size: inherit;
      }
      tbody tr:hover th {
        background: var(--hover);
      }
      tr:last-child > th {
        border-block-end: 0;
      }
      th button {
        font: inherit;
        color: inherit;
        text-align: inherit;
        background: none;
        border: 0;
        padding: 0;
        cursor: pointer;
        max-inline-size: 100%;
        overflow: hidden;
        text-overflow: ellipsis;
        vertical-align: baseline;
      }
      tbody th button {
        color: var(--brand);
        font-weight: 550;
      }
      th button:hover {
        text-decoration: underline;
      }
      @media (max-width: 48rem) {
        th,
        td {
          max-inline-size: 55vw;
        }
        /* The end of a name may be what differs. */
        tbody th,
        tbody th button {
          white-space: normal;
          min-inline-size: 9rem;
        }
      }
    `,
  ];
}

function toneOf(status: string): string {
  if (/ENABLE|ACTIVE|SERVING/.test(status)) return 'good';
  return /PAUSE|DISABLE/.test(status) ? 'warn' : '';
}
