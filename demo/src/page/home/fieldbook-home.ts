import './fieldbook-ads.ts';
import './fieldbook-calls.ts';
import './fieldbook-notes.ts';
import type { Connector } from '@connector-auth/api';
import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import type { Session } from '../backend.ts';
import { plugIcon } from '../icons.ts';
import { sheet } from '../styles.ts';

/** How often the ages of data are shown again. */
const tickMs = 30_000;

interface Card {
  /** The connector type. */
  readonly source: string;
  readonly name: string;
  /** What connecting the source adds to the page. */
  readonly offer: string;
  readonly title: string;
  readonly render: (connector: Connector, now: number) => TemplateResult;
}

const cards: readonly Card[] = [
  {
    source: 'google-ads',
    name: 'Google Ads',
    title: 'Advertising',
    offer: 'See what you spend on ads, and what you get for it.',
    render: (connector, now) => html`<fieldbook-ads .connector=${connector} .now=${now}></fieldbook-ads>`,
  },
  {
    source: 'gong',
    name: 'Gong',
    title: 'Calls',
    offer: 'See who your team talked to, when and for how long.',
    render: (connector, now) => html`<fieldbook-calls .connector=${connector} .now=${now}></fieldbook-calls>`,
  },
  {
    source: 'granola',
    name: 'Granola',
    title: 'No notes yet',
    offer: 'See your team’s meeting notes here.',
    render: (connector, now) => html`<fieldbook-notes .connector=${connector} .now=${now}></fieldbook-notes>`,
  },
];

/** `<fieldbook-home>`: the latest of what the customer's sources contain. */
@customElement('fieldbook-home')
export class FieldbookHome extends LitElement {
  /** Null while they are loading. */
  @property({ attribute: false }) connectors: readonly Connector[] | null = null;
  @property({ attribute: false }) session: Session | null = null;
  /** In milliseconds since 1970. */
  @state() private now = Date.now();
  #timer: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.now = Date.now();
    this.#timer = setInterval(() => {
      this.now = Date.now();
    }, tickMs);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  protected override willUpdate(): void {
    // A sync that has just ended would otherwise seem to end in the future.
    this.now = Date.now();
  }

  protected override render() {
    const { connectors } = this;
    return cards.map(card => {
      const connector = connectors?.find(({ connector_type }) => connector_type === card.source);
      return html`<div class=${card.source}>
        ${
          connectors === null
            ? html`<div class="card" role="status">
                <span class="visually-hidden">Loading…</span>
                <div class="skeleton"></div>
              </div>`
            : connector === undefined
              ? renderOffer(card)
              : keyed(connector.id, card.render(connector, this.now))
        }
      </div>`;
    });
  }

  static override styles = [
    sheet,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
        gap: 1.25rem;
        align-items: start;
      }
      .google-ads {
        grid-column: 1 / -1;
      }
      .skeleton {
        min-block-size: 12rem;
      }
      @media (max-width: 64rem) {
        :host {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];
}

function renderOffer({ source, name, title, offer }: Card) {
  return html`<section class="empty">
    <div class="empty-mark">${plugIcon}</div>
    <h2>${title}</h2>
    <p>${offer}</p>
    <connector-auth-button source=${source}>Connect ${name}</connector-auth-button>
  </section>`;
}
