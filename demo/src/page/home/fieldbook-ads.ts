import './fieldbook-chart.ts';
import type { Connector } from '@connector-auth/api';
import { css, html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { count, day, money, percent } from '../format.ts';
import { Loader } from '../loader.ts';
import { sheet } from '../styles.ts';
import { conversionsByDay, spendByCampaign, spendByDay } from './ad-charts.ts';
import { changeOf, loadAds, periodDays, sumAds, type AdData, type AdFigures } from './ad-figures.ts';
import { freshnessOf, versionOf } from './freshness.ts';
import { importing, problem, sourceState, sourceStyles } from './source-state.ts';

const entity = 'campaigns';

/** `<fieldbook-ads>`: ad spend and conversions over time and by campaign. */
@customElement('fieldbook-ads')
export class FieldbookAds extends LitElement {
  @property({ attribute: false }) connector!: Connector;
  /** In milliseconds since 1970. */
  @property({ attribute: false }) now = 0;
  /** The id of the account that the user picked. */
  @state() private account: string | null = null;

  readonly #ads = new Loader<AdData>(
    this,
    // Part of the days would give wrong totals.
    () => (this.#isImported ? `ads-${this.connector.id}|${versionOf(this.connector, entity)}` : null),
    () => loadAds(this.connector.id, new Date()),
  );

  get #isImported(): boolean {
    return (this.connector.sync.entities[entity]?.last_synced_at ?? null) !== null;
  }

  protected override render() {
    const freshness = freshnessOf(this.connector, entity, this.now);
    return html`<section class="card" aria-labelledby="title">
      <div class="card-head">
        <h2 id="title">Advertising</h2>
        ${sourceState(freshness)}
      </div>
      ${this.#isImported ? this.#renderData() : importing(freshness, 'Spend and conversions')}
    </section>`;
  }

  #renderData() {
    const { state } = this.#ads;
    switch (state.is) {
      case 'loading':
        return html`<div class="loading" role="status">
          <span class="visually-hidden">Loading figures…</span>
          <div class="skeleton"></div>
          <div class="skeleton high"></div>
        </div>`;
      case 'failed':
        return problem(state.message, this.#ads.reload);
      case 'loaded':
        return this.#renderAccounts(state.value);
    }
  }

  #renderAccounts({ accounts, rows }: AdData) {
    const ids = [...rows.keys()];
    const [first = null] = ids;
    if (first === null) {
      return html`<p class="quiet">None of your campaigns ran in the last ${2 * periodDays} days.</p>`;
    }
    const picked = ids.find(id => id === this.account) ?? first;
    const accountOf = (id: string) => accounts.find(account => String(account['customer.id']) === id);
    const nameOf = (id: string) => accountOf(id)?.['customer.descriptive_name'] ?? id;
    const currency = accountOf(picked)?.['customer.currency_code'] ?? null;
    const figures = sumAds(rows.get(picked) ?? []);
    return html`
      <div class="scope">
        ${
          ids.length === 1
            ? html`<p dir="auto">${nameOf(picked)}</p>`
            : html`<label for="account">Account</label>
                <select id="account" @change=${this.#handleAccount}>
                  ${ids.map(id => html`<option value=${id} ?selected=${id === picked}>${nameOf(id)}</option>`)}
                </select>`
        }
        <p class="quiet">
          ${day(figures.days[0]?.day ?? '')} to ${day(figures.days.at(-1)?.day ?? '')}, compared with the
          ${periodDays} days before
        </p>
      </div>
      ${this.#renderFigures(figures, currency)}
    `;
  }

  #renderFigures(figures: AdFigures, currency: string | null) {
    const { total, before } = figures;
    const costOf = ({ spend, conversions }: AdFigures['total']) =>
      conversions === 0 ? 0 : spend / conversions;
    return html`
      <dl>
        ${tile('Spend', money(total.spend, currency), changeOf(total.spend, before.spend), 'neutral')}
        ${tile('Conversions', count(Math.round(total.conversions)), changeOf(total.conversions, before.conversions), 'more')}
        ${tile('Cost per conversion', money(costOf(total), currency), changeOf(costOf(total), costOf(before)), 'less')}
      </dl>
      <div class="charts">
        <fieldbook-chart .spec=${spendByDay(figures, currency)}></fieldbook-chart>
        <fieldbook-chart .spec=${conversionsByDay(figures)}></fieldbook-chart>
        <fieldbook-chart class="wide" .spec=${spendByCampaign(figures, currency)}></fieldbook-chart>
      </div>
    `;
  }

  readonly #handleAccount = (event: Event): void => {
    this.account = (event.target as HTMLSelectElement).value;
  };

  static override styles = [
    sheet,
    sourceStyles,
    css`
      :host {
        display: block;
        container-type: inline-size;
      }
      .scope {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.3rem 0.75rem;
        font-size: 0.8125rem;
        margin-block-end: 0.9rem;
      }
      dl {
        display: grid;
        grid-template-columns: repeat(3, minmax(0, 1fr));
        gap: 0.75rem;
        margin: 0 0 1.25rem;
      }
      dl > div {
        border-inline-start: 2px solid var(--line);
        padding-inline-start: 0.75rem;
      }
      dt {
        font-size: 0.8125rem;
        color: var(--quiet);
      }
      dd {
        margin: 0;
      }
      .value {
        font-size: 1.375rem;
        font-weight: 650;
        letter-spacing: -0.02em;
        font-variant-numeric: tabular-nums;
      }
      .charts {
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 1fr));
        gap: 1.5rem 2rem;
      }
      .wide {
        grid-column: 1 / -1;
      }
      .loading {
        display: grid;
        gap: 0.75rem;
      }
      .high {
        min-block-size: 14rem;
      }
      @container (max-width: 34rem) {
        .charts {
          grid-template-columns: minmax(0, 1fr);
        }
      }
      @container (max-width: 26rem) {
        dl {
          grid-template-columns: minmax(0, 1fr) auto auto;
        }
        dl > div {
          display: grid;
          grid-column: 1 / -1;
          grid-template-columns: subgrid;
          align-items: baseline;
        }
        dd {
          text-align: end;
        }
        .value {
          font-size: 1.125rem;
        }
      }
    `,
  ];
}

/** @param good which direction of a change is good. */
function tile(name: string, value: string, change: number | null, good: 'more' | 'less' | 'neutral') {
  const isUp = (change ?? 0) > 0;
  const tone = good === 'neutral' ? '' : isUp === (good === 'more') ? 'good' : 'warn';
  return html`<div>
    <dt>${name}</dt>
    <dd class="value">${value}</dd>
    ${
      change === null
        ? nothing
        : html`<dd>
            <span class="badge ${tone}">
              <span aria-hidden="true">${isUp ? '↑' : '↓'}</span>
              <span class="visually-hidden">${isUp ? 'up' : 'down'}</span> ${percent(Math.abs(change))}
            </span>
          </dd>`
    }
  </div>`;
}
