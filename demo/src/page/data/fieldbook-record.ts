import '../fieldbook-panel.ts';
import './fieldbook-campaign.ts';
import type { Connector } from '@connector-auth/api';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { sheet } from '../styles.ts';
import { campaignOf } from './campaign.ts';
import { detailOf } from './cells.ts';
import { labelOf, type Row } from './fields.ts';
import { noNames, type Names } from './names.ts';

/** How deep objects inside a record are shown. */
const maxDepth = 4;

/** `<fieldbook-record>`: all values of a record in a panel, and what can be done with it. */
@customElement('fieldbook-record')
export class FieldbookRecord extends LitElement {
  @property({ attribute: false }) connector!: Connector;
  @property() entity = '';
  @property() heading = '';
  @property({ attribute: false }) row: Row = {};
  @property({ attribute: false }) names: Names = noNames;

  protected override render() {
    return html`<fieldbook-panel heading=${this.heading}>
      ${this.#renderActions()} ${this.#renderMembers(this.row, 0)}
      <details>
        <summary>Show as JSON</summary>
        <pre
          tabindex="0"
          role="region"
          aria-label="JSON"
          dir="ltr"
        ><code>${JSON.stringify(this.row, null, 2)}</code></pre>
      </details>
    </fieldbook-panel>`;
  }

  #renderActions() {
    const { connector, row } = this;
    const isCampaign = connector.connector_type === 'google-ads' && this.entity === 'campaigns';
    const campaign = isCampaign ? campaignOf(connector.id, row) : null;
    if (campaign === null || row['campaign.status'] === 'REMOVED') return nothing;
    return html`<fieldbook-campaign
      .campaign=${campaign}
      .row=${row}
      .names=${this.names}
      ?readonly=${connector.access === 'read'}
    ></fieldbook-campaign>`;
  }

  #renderMembers(row: Row, depth: number): TemplateResult {
    const filled = Object.keys(row).filter(name => !isEmpty(row[name]));
    return html`<dl>
      ${filled.map(
        name =>
          html`<div>
            <dt>${labelOf(name)}</dt>
            <dd dir="auto">${this.#renderValue(row, name, depth)}</dd>
          </div>`,
      )}
    </dl>`;
  }

  #renderValue(row: Row, name: string, depth: number): unknown {
    const value = row[name];
    if (typeof value === 'string' && /^https?:\/\//.test(value)) {
      return html`<a href=${value} target="_blank" rel="noreferrer">${value}</a>`;
    }
    if (typeof value !== 'object' || value === null || depth >= maxDepth)
      return detailOf(row, name, this.names);
    if (!Array.isArray(value)) return this.#renderMembers(value as Row, depth + 1);
    const isList = value.some(item => typeof item === 'object' && item !== null);
    if (!isList) return detailOf(row, name, this.names);
    return html`<ul>
      ${value.map(item => html`<li>${this.#renderMembers(item as Row, depth + 1)}</li>`)}
    </ul>`;
  }

  static override styles = [
    sheet,
    css`
      fieldbook-campaign {
        display: block;
        margin-block-end: 1.1rem;
      }
      dl {
        margin: 0;
      }
      dl > div {
        display: grid;
        grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
        gap: 0.25rem 1rem;
        padding-block: 0.35rem;
        border-block-end: 1px solid var(--line);
      }
      dl dl > div {
        border: 0;
        padding-block: 0.1rem;
      }
      dt {
        color: var(--quiet);
        font-size: 0.8125rem;
        line-height: 1.7;
      }
      dd {
        margin: 0;
        overflow-wrap: anywhere;
      }
      dd:has(> dl, > ul) {
        grid-column: 1 / -1;
        padding-inline-start: 0.75rem;
        border-inline-start: 2px solid var(--line);
      }
      ul {
        list-style: none;
        margin: 0;
        padding: 0;
        display: grid;
        gap: 0.6rem;
      }
      details {
        margin-block-start: 1rem;
      }
      summary {
        cursor: pointer;
        font-size: 0.8125rem;
        color: var(--quiet);
        margin-block-end: 0.5rem;
        inline-size: fit-content;
      }
    `,
  ];
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
