import type { Connector } from '@connector-auth/api';
import { html, nothing, svg } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { changeOf, loadAds, periodDays, type Ads, type Sum } from './ads.ts';
import { Loader, PageElement, renderError, renderSkeleton, versionOf } from './element.ts';
import { cardHead } from './fieldbook-latest.ts';
import { count, day, money, percent } from './format.ts';

const entity = 'campaigns';
const chart = { width: 560, height: 120 };

/** `<fieldbook-ads>`: ad spend and conversions over time and by campaign. */
@customElement('fieldbook-ads')
export class FieldbookAds extends PageElement {
  @property({ attribute: false }) connector!: Connector;

  readonly #ads = new Loader<Ads | null>(
    this,
    // Part of the days would give wrong totals.
    () => (this.#isImported ? versionOf(this.connector, entity) : null),
    () => loadAds(this.connector.id, new Date()),
  );

  get #isImported(): boolean {
    return (this.connector.sync.entities[entity]?.last_synced_at ?? null) !== null;
  }

  protected override render() {
    return html`${cardHead('Advertising', this.connector.connector_type)} ${this.#renderData()}`;
  }

  #renderData() {
    const { value, error, reload } = this.#ads;
    if (error !== null) return renderError(error, reload);
    if (!this.#isImported)
      return html`<p class="quiet">The figures appear when all campaigns are imported.</p>`;
    if (value === null) return renderSkeleton(5);
    return renderAds(value);
  }
}

function renderAds({ account, currency, days, total, before }: Ads) {
  const amount = (spend: number) => money(spend, currency);
  const cost = ({ spend, conversions }: Sum) => (conversions === 0 ? 0 : spend / conversions);
  const [first = '', last = ''] = [days[0]?.day, days.at(-1)?.day];
  return html`<p class="quiet">
      ${account}, ${day(first)} to ${day(last)}, compared with the ${periodDays} days before
    </p>
    <dl class="figures">
      ${figure('Spend', amount(total.spend), changeOf(total.spend, before.spend), '')}
      ${figure('Conversions', count(Math.round(total.conversions)), changeOf(total.conversions, before.conversions), 'more')}
      ${figure('Cost per conversion', amount(cost(total)), changeOf(cost(total), cost(before)), 'less')}
    </dl>
    <figure>
      <figcaption>Spend per day</figcaption>
      ${renderDays(days, total, currency)}
      <p class="axis quiet" aria-hidden="true">
        <span>${day(first, undefined, short)}</span><span>${day(last, undefined, short)}</span>
      </p>
    </figure>`;
}

const short = { day: 'numeric', month: 'short' } as const;

function renderDays(days: Ads['days'], total: Sum, currency: string | null) {
  const amount = (spend: number) =>
    money(spend, currency, undefined, { trailingZeroDisplay: 'stripIfInteger' });
  const most = Math.max(...days.map(({ spend }) => spend));
  const top = roundUp(most);
  const width = chart.width / days.length;
  return html`<div class="days">
    <ol class="scale quiet" aria-hidden="true">
      ${[top, top / 2, 0].map(spend => html`<li>${amount(spend)}</li>`)}
    </ol>
    <svg
      viewBox="0 0 ${chart.width} ${chart.height}"
      preserveAspectRatio="none"
      role="img"
      aria-label="Ad spend per day: ${amount(total.spend)} in ${days.length} days, at most ${amount(most)} a day"
    >
      ${days.map(({ day: date, spend }, index) => {
        const height = (spend / top) * chart.height;
        return svg`<rect x=${index * width + 2} y=${chart.height - height} width=${width - 4} height=${height} rx="2"><title>${day(date)}: ${amount(spend)}</title></rect>`;
      })}
    </svg>
  </div>`;
}

/** Returns the next number whose first digit is the only one, and whose half is short too: 347 becomes 400. */
function roundUp(amount: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(amount, 1)));
  return Math.ceil(Math.max(amount, 1) / unit) * unit;
}

/** @param good which direction of a change is good. */
function figure(name: string, value: string, change: number | null, good: 'more' | 'less' | '') {
  const isUp = (change ?? 0) > 0;
  const tone = good === '' ? '' : isUp === (good === 'more') ? 'good' : 'warn';
  return html`<div>
    <dt>${name}</dt>
    <dd>
      <b>${value}</b>
      ${
        change === null
          ? nothing
          : html`<span class="badge ${tone}">
              <span aria-hidden="true">${isUp ? '↑' : '↓'}</span
              ><span class="visually-hidden">${isUp ? 'up' : 'down'}</span>
              ${percent(Math.abs(change))}
            </span>`
      }
    </dd>
  </div>`;
}
