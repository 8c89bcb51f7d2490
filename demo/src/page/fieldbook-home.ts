import type { Connector } from '@connector-auth/api';
import { ConnectorAuthController } from '@connector-auth/widget/lit';
import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import type { Session } from './backend.ts';
import { PageElement, renderSkeleton } from './element.ts';
import './fieldbook-ads.ts';
import './fieldbook-latest.ts';

interface Offer {
  readonly source: string;
  readonly name: string;
  /** What connecting the source adds to the page. */
  readonly text: string;
  /** What connecting needs. */
  readonly needs: 'Sign-in' | 'API key';
  /** The type of data whose latest records the page shows; null for the figures of ads. */
  readonly entity: string | null;
}

/** The sources that Fieldbook suggests. The first one is offered most visibly: its OAuth is the hard part to build. */
const offers: readonly Offer[] = [
  {
    source: 'gong',
    name: 'Gong',
    text: 'See who your team talked to, and what was said, beside your ads and notes.',
    needs: 'Sign-in',
    entity: 'calls',
  },
  {
    source: 'google-ads',
    name: 'Google Ads',
    text: 'Spend and conversions of all campaigns, every hour.',
    needs: 'Sign-in',
    entity: null,
  },
  {
    source: 'granola',
    name: 'Granola',
    text: 'The notes of your whole team, with their summaries.',
    needs: 'API key',
    entity: 'notes',
  },
  {
    source: 'tiktok-marketing',
    name: 'TikTok Marketing',
    text: 'All campaigns with their state and budget.',
    needs: 'Sign-in',
    entity: 'campaigns',
  },
];

/** `<fieldbook-home>`: the latest of what the customer's sources contain, and what is missing. */
@customElement('fieldbook-home')
export class FieldbookHome extends PageElement {
  @property({ attribute: false }) session!: Session;
  readonly #flow = new ConnectorAuthController(this);

  protected override render() {
    if (!this.#flow.isLoaded) return renderSkeleton(6);
    const [best, ...others] = offers;
    const missing = others.filter(({ source }) => !this.#connectorOf(source));
    return html`${best && !this.#connectorOf(best.source) ? this.#renderFirst(best) : nothing}
      <div class="cards">
        ${offers.map(offer => {
          const connector = this.#connectorOf(offer.source);
          return connector ? keyed(connector.id, renderCard(offer, connector)) : nothing;
        })}
      </div>
      ${
        missing.length === 0
          ? nothing
          : html`<ul class="offers">
              ${missing.map(offer => this.#renderOffer(offer))}
            </ul>`
      }`;
  }

  #renderFirst({ source, name, text, needs }: Offer) {
    return html`<section class="card first">
      ${this.#icon(source)}
      <div>
        <h2>Bring in your sales calls <span class="badge">${needs}</span></h2>
        <p class="quiet">${text}</p>
      </div>
      <a class="button primary" href="#connections/${source}">Connect ${name}</a>
    </section>`;
  }

  #renderOffer({ source, name, text, needs }: Offer) {
    return html`<li class="card">
      ${this.#icon(source)}
      <p>
        <strong>${name}</strong> <span class="badge">${needs}</span><br /><span class="quiet">${text}</span>
      </p>
      <a class="button" href="#connections/${source}" aria-label="Connect ${name}">Connect</a>
    </li>`;
  }

  #icon(source: string) {
    const url = this.#flow.sources.find(({ connectorType }) => connectorType === source)?.iconUrl;
    return url ? html`<img src=${url} alt="" width="36" height="36" />` : nothing;
  }

  #connectorOf(source: string): Connector | undefined {
    return this.#flow.connectorsOf(source)[0];
  }
}

function renderCard({ entity }: Offer, connector: Connector) {
  return entity === null
    ? html`<fieldbook-ads class="card wide-card" .connector=${connector}></fieldbook-ads>`
    : html`<fieldbook-latest class="card" .connector=${connector} .entity=${entity}></fieldbook-latest>`;
}
