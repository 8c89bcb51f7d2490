import { css, html, LitElement, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { sheet } from '../styles.ts';
import type { ChartSpec } from './chart-spec.ts';

/** `<fieldbook-chart>`: a chart with its title, and its data as a table. */
@customElement('fieldbook-chart')
export class FieldbookChart extends LitElement {
  @property({ attribute: false }) spec: ChartSpec | null = null;
  @state() private width = 0;
  #drawn = 0;
  readonly #resizes = new ResizeObserver(([entry]) => {
    this.width = Math.floor(entry?.contentRect.width ?? 0);
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resizes.disconnect();
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('spec') || changed.has('width')) void this.#draw();
  }

  /** The library is large, so the page is shown before it is loaded. */
  async #draw(): Promise<void> {
    const { spec, width } = this;
    if (spec === null || width === 0) return;
    const order = ++this.#drawn;
    const { drawChart } = await import('./draw-chart.ts');
    if (order !== this.#drawn) return;
    this.renderRoot.querySelector('.drawing')?.replaceChildren(drawChart(spec, width));
  }

  protected override render() {
    const { spec } = this;
    if (spec === null) return null;
    const [first = '', ...others] = spec.table.head;
    return html`<figure>
      <figcaption>${spec.title}</figcaption>
      <div class="drawing ${spec.shape}"></div>
      <details>
        <summary>Show as table<span class="visually-hidden">: ${spec.title}</span></summary>
        <div class="table" tabindex="0" role="region" aria-label=${spec.title}>
          <table>
            <thead>
              <tr>
                <th scope="col">${first}</th>
                ${others.map(name => html`<th scope="col" class="number">${name}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${spec.table.rows.map(
                ([name, ...values]) =>
                  html`<tr>
                    <th scope="row" dir="auto">${name}</th>
                    ${values.map(value => html`<td class="number">${value}</td>`)}
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>
      </details>
    </figure>`;
  }

  static override styles = [
    sheet,
    css`
      :host {
        display: block;
        min-inline-size: 0;
      }
      figure {
        margin: 0;
      }
      figcaption {
        font-size: 0.875rem;
        font-weight: 600;
        margin-block-end: 0.35rem;
      }
      .drawing {
        direction: ltr;
        color: var(--quiet);
        min-block-size: 190px;
      }
      .drawing.bars {
        color: var(--ink);
        min-block-size: 0;
      }
      svg {
        display: block;
      }
      details {
        margin-block-start: 0.35rem;
        font-size: 0.8125rem;
        color: var(--quiet);
      }
      summary {
        cursor: pointer;
        inline-size: fit-content;
        padding-block: 0.2rem;
      }
      summary:hover {
        color: var(--ink);
      }
      .table {
        margin-block-start: 0.4rem;
        max-block-size: 18rem;
        color: var(--ink);
        box-shadow: none;
      }
      thead th {
        position: sticky;
        inset-block-start: 0;
      }
      tbody th {
        background: none;
        font-weight: 500;
        color: var(--ink);
        white-space: normal;
      }
    `,
  ];
}
