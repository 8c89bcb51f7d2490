import './fieldbook-ads.ts';
import './fieldbook-calls.ts';
import './fieldbook-notes.ts';
import type { Connector } from '@connector-auth/api';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
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
    title: 'Notes',
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

  /** Moves focus to the card of a source, which may be below the visible part of the page. */
  async reveal(source: string): Promise<void> {
    await this.updateComplete;
    const card = this.renderRoot.querySelector<HTMLElement>(`[data-source="${CSS.escape(source)}"]`);
    card?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: 'center' });
  }

  protected override render() {
    const { connectors } = this;
    const missing = cards.filter(({ source }) => this.#connectorOf(source) === undefined);
    // The charts of a connected source would push the other offers below the visible part of the page.
    const isPartlyConnected = connectors !== null && missing.length < cards.length;
    const shown = isPartlyConnected ? cards.filter(card => !missing.includes(card)) : cards;
    return html`${isPartlyConnected ? missing.map(renderSlimOffer) : nothing}${shown.map(
      card =>
        html`<div class="place" data-source=${card.source} tabindex="-1">${this.#renderCard(card)}</div>`,
    )}`;
  }

  #renderCard(card: Card) {
    if (this.connectors === null)
      return html`<div class="card" role="status">
        <span class="visually-hidden">Loading…</span>
        <div class="skeleton"></div>
      </div>`;
    const connector = this.#connectorOf(card.source);
    return connector ? keyed(connector.id, card.render(connector, this.now)) : renderOffer(card);
  }

  #connectorOf(source: string): Connector | undefined {
    return this.connectors?.find(({ connector_type }) => connector_type === source);
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
      .offer,
      [data-source='google-ads'],
      [data-source='gong']:last-child {
        grid-column: 1 / -1;
      }
      .place:focus {
        outline: 2px solid var(--brand);
        outline-offset: 4px;
        border-radius: var(--radius);
      }
      .offer {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 0.5rem 1rem;
        padding-block: 0.75rem;
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

function renderSlimOffer({ source, name, offer }: Card) {
  return html`<section class="card offer" aria-label=${name}>
    <p>${offer}</p>
    <connector-auth-button source=${source}>Connect ${name}</connector-auth-button>
  </section>`;
}

function renderOffer({ source, name, title, offer }: Card) {
  return html`<section class="empty">
    <div class="mark">${plugIcon}</div>
    <h2>${title}</h2>
    <p>${offer}</p>
    <connector-auth-button source=${source}>Connect ${name}</connector-auth-button>
  </section>`;
}
