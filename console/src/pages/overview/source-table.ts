import type { Health, SourceHealth } from '@connector-auth/api/admin';
import { html, svg, type TemplateResult } from 'lit';
import type { FilterChoices } from '../../api/filter-choices.ts';
import { cell } from '../../components/cell.ts';
import { pageLink } from '../../components/page-head.ts';
import { table } from '../../components/table.ts';
import { count, lastingSince } from '../../components/time.ts';

const shownDays = 30;
const dayMs = 86_400_000;
/** A sync starts within this time after it is due, unless something is wrong. */
const punctualSeconds = 120;

type Uses = SourceHealth['last_day'];

/** Renders how each source works. */
export function sourceTable({ sources, problems }: Health, choices: FilterChoices): TemplateResult {
  const nameOf = ({ connector_type: kind }: SourceHealth) => choices.nameOfKind(kind);
  return table({
    caption: 'Sources',
    items: sources,
    columns: [
      {
        label: 'Source',
        cell: source =>
          cell(
            pageLink(`/connectors?connector_type=${source.connector_type}`, nameOf(source)),
            count(source.connectors, 'connector'),
          ),
      },
      {
        label: 'Success, 24 h',
        isNumber: true,
        cell: ({ last_day: uses }) =>
          html`<span class="rate ${toneOf(uses)}" title=${wordsOfUses(uses)}>${rateOf(uses)}</span>`,
      },
      { label: `Last ${shownDays} days`, cell: source => history(source, nameOf(source)) },
      { label: 'Sync delay', cell: source => delayOf(source, problems) },
      {
        label: 'Customers affected',
        cell: ({ affected_customers: customers, affected_since: since }) =>
          since === null
            ? html`<span class="muted">None</span>`
            : html`<span>${count(customers, 'customer')} ${lastingSince(since)}</span>`,
      },
    ],
  });
}

/** Draws a bar for each day, as high as the day is good, so that colours are not needed to find the bad ones. */
function history({ days }: SourceHealth, name: string): TemplateResult {
  const byDay = new Map(days.map(day => [day.day, day]));
  const now = Date.now();
  const bars = Array.from({ length: shownDays }, (_, index) => {
    const day = new Date(now - (shownDays - 1 - index) * dayMs).toISOString().slice(0, 10);
    const uses = byDay.get(day) ?? { succeeded: 0, failed: 0 };
    const total = uses.succeeded + uses.failed;
    const height = total === 0 ? 2 : Math.max(4, (uses.succeeded / total) * 20);
    return svg`<rect class=${toneOf(uses)} x=${index * 5} y=${20 - height} width="3.5" height=${height} rx="1">
      <title>${day}: ${wordsOfUses(uses)}</title></rect>`;
  });
  const total = days.reduce(
    (sum, { succeeded, failed }) => ({ succeeded: sum.succeeded + succeeded, failed: sum.failed + failed }),
    { succeeded: 0, failed: 0 },
  );
  return html`<svg
    class="history"
    viewBox="0 0 ${shownDays * 5 - 1.5} 20"
    role="img"
    aria-label="${name}, last ${shownDays} days: ${wordsOfUses(total)}"
  >
    ${bars}
  </svg>`;
}

function wordsOfUses(uses: Uses): string {
  const total = uses.succeeded + uses.failed;
  if (total === 0) return 'not used';
  return `${rateOf(uses)} of ${count(total, 'call or sync', 'calls and syncs')} succeeded`;
}

/** Returns the rate of success, rounded down, so that only 100% means that nothing failed. */
function rateOf({ succeeded, failed }: Uses): string {
  if (succeeded + failed === 0) return '–';
  return `${(Math.floor((succeeded / (succeeded + failed)) * 1000) / 10).toLocaleString('en')}%`;
}

function toneOf({ succeeded, failed }: Uses): 'good' | 'warn' | 'bad' | 'none' {
  const total = succeeded + failed;
  if (total === 0) return 'none';
  if (failed / total < 0.02) return 'good';
  return failed / total < 0.2 ? 'warn' : 'bad';
}

/** Returns the delay of the syncs that are planned. Those of connectors with a problem wait for its end. */
function delayOf(
  { connector_type: kind, connectors, sync_delay_seconds: seconds }: SourceHealth,
  problems: Health['problems'],
): TemplateResult {
  if (seconds > punctualSeconds) {
    const minutes = Math.round(seconds / 60);
    return html`<span
      >${minutes < 120 ? count(minutes, 'minute') : count(Math.round(minutes / 60), 'hour')} late</span
    >`;
  }
  const affected = problems
    .filter(problem => problem.connector_type === kind)
    .reduce((sum, problem) => sum + problem.connectors, 0);
  if (affected >= connectors) return html`<span>Interrupted</span>`;
  return html`<span class="muted">${affected === 0 ? 'On time' : 'Others on time'}</span>`;
}
