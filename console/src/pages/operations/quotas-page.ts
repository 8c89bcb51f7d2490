import type { VendorQuota } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { Loader } from '../../api/loader.ts';
import { poll } from '../../api/polling.ts';
import { badge } from '../../components/cell.ts';
import { icons } from '../../components/icons.ts';
import { emptyState, loaded } from '../../components/notice.ts';
import { pageHead, pageLink, section } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { table } from '../../components/table.ts';
import { fullTime, timeAgo } from '../../components/time.ts';

const pollMs = 15_000;
/** From this share on, a quota may not last until the end of its window. */
const tightShare = 0.8;

/** `/vendor-quotas`: how much of the vendors' daily quotas is used, and by whom. */
export class QuotasPage extends Page {
  #quotas = new Loader(this, async () => (await this.app.call('listVendorQuotas')).data);

  constructor() {
    super();
    poll(this, pollMs, () => this.#quotas.reload());
  }

  protected override render(): TemplateResult {
    return html`${pageHead({
      title: 'Vendor quotas',
      lead: 'Some vendors limit requests per day, shared by all customers. This page updates by itself.',
    })}
    ${loaded(this.#quotas, quotas =>
      quotas.length === 0
        ? emptyState({
            icon: icons.quotas,
            title: 'No quota used yet',
            hint: 'Daily quotas appear here after the first request that counts against one.',
          })
        : html`${quotas.map(quota => this.#quota(quota))}`,
    )}`;
  }

  #quota(quota: VendorQuota): TemplateResult {
    const { connector_type, name, limit, used, window_ends_at, customers } = quota;
    const title = `${this.choices.nameOfKind(connector_type)}: ${name}`;
    return section(
      title,
      html`${limit === null ? nothing : bar(used, limit, `${title}: ${shareOf(used, limit)} used`)}
        <p class="quota-text">
          <span
            ><strong>${used.toLocaleString('en')}</strong> ${
              limit === null
                ? 'used, no limit known'
                : html`of ${limit.toLocaleString('en')} used (${shareOf(used, limit)})`
            }</span
          >
          ${levelOf(used, limit)}
        </p>
        ${customers.length === 0 ? nothing : topCustomers(quota)}`,
      window_ends_at === null ? {} : { lead: `Starts again ${fullTime(window_ends_at)}` },
    );
  }
}

/** Renders a share as a bar. The same numbers are beside it as text. */
function bar(used: number, limit: number, label: string): TemplateResult {
  const tone = used >= limit ? 'bad' : used >= limit * tightShare ? 'warn' : '';
  return html`<progress
    class="share ${tone}"
    max=${Math.max(limit, 1)}
    .value=${Math.min(used, limit)}
    aria-label=${label}
  >
    ${shareOf(used, limit)}
  </progress>`;
}

function levelOf(used: number, limit: number | null): TemplateResult | typeof nothing {
  if (limit === null || used < limit * tightShare) return nothing;
  return used >= limit ? badge('Used up', 'bad') : badge('Almost used up', 'warn');
}

function topCustomers({ used, customers }: VendorQuota): TemplateResult {
  return table({
    caption: customers.length === 1 ? 'Used by' : `Top ${customers.length} customers`,
    hasTitle: true,
    items: customers,
    columns: [
      { label: 'Customer', cell: ({ customer }) => pageLink(`/customers/${customer.id}`, customer.name) },
      {
        label: 'Organization',
        cell: ({ organization }) => html`<span dir="auto">${organization.name}</span>`,
      },
      { label: 'Requests', isNumber: true, cell: entry => entry.used.toLocaleString('en') },
      { label: 'Share of use', isNumber: true, cell: entry => shareOf(entry.used, used) },
      { label: 'Last used', cell: ({ last_used_at }) => timeAgo(last_used_at) },
    ],
  });
}

function shareOf(part: number, whole: number): string {
  if (whole === 0) return '0%';
  const share = part / whole;
  return share > 0 && share < 0.01 ? '<1%' : `${Math.floor(share * 100)}%`;
}
