import type { Connector } from '@connector-auth/api';
import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { day, daysAgo, minutes, time } from '../format.ts';
import { Loader } from '../loader.ts';
import { sheet } from '../styles.ts';
import { byDay, loadCalls, type Call } from './calls.ts';
import { freshnessOf, versionOf } from './freshness.ts';
import { importing, sourceList, sourceStyles } from './source-state.ts';

const entity = 'calls_extensive';
const maxSpeakers = 3;

/** `<fieldbook-calls>`: the latest calls as a timeline. */
@customElement('fieldbook-calls')
export class FieldbookCalls extends LitElement {
  @property({ attribute: false }) connector!: Connector;
  /** In milliseconds since 1970. */
  @property({ attribute: false }) now = 0;

  readonly #calls = new Loader<readonly Call[]>(
    this,
    () => `calls-${this.connector.id}|${versionOf(this.connector, entity)}`,
    () => loadCalls(this.connector.id, new Date()),
  );

  protected override render() {
    const freshness = freshnessOf(this.connector, entity, this.now);
    return sourceList(this.#calls, {
      heading: 'Latest calls',
      noun: 'calls',
      freshness,
      render: calls => {
        if (calls.length > 0) return byDay(calls).map(each => this.#renderDay(each));
        return freshness.is === 'importing'
          ? importing(freshness, 'Calls')
          : html`<p class="quiet">No calls have been recorded yet.</p>`;
      },
    });
  }

  #renderDay({ day: date, calls }: ReturnType<typeof byDay>[number]) {
    return html`<h3>${dayName(date, new Date(this.now))}</h3>
      <ol>
        ${calls.map(
          call =>
            html`<li>
              <time datetime=${call.started}>${time(call.started, undefined, { timeStyle: 'short' })}</time>
              <div>
                <p class="title">
                  <span dir="auto">${call.title}</span>
                  <span class="badge">${minutes(call.seconds)}</span>
                </p>
                ${speakers(call)}
              </div>
            </li>`,
        )}
      </ol>`;
  }

  static override styles = [
    sheet,
    sourceStyles,
    css`
      :host {
        display: block;
      }
      h3 {
        font-size: 0.8125rem;
        color: var(--quiet);
        margin-block: 1rem 0.35rem;
      }
      .card-head + h3 {
        margin-block-start: 0;
      }
      ol {
        list-style: none;
        margin: 0;
        padding: 0;
      }
      li {
        display: grid;
        grid-template-columns: 4.75rem minmax(0, 1fr);
        gap: 1.5rem;
        padding-block: 0.45rem;
        position: relative;
      }
      /* The line of the timeline, with a dot for each call. */
      li::before {
        content: '';
        position: absolute;
        inset-block: 0;
        inset-inline-start: 5.45rem;
        inline-size: 2px;
        background: var(--line);
      }
      li::after {
        content: '';
        position: absolute;
        inset-block-start: 0.8rem;
        inset-inline-start: 5.45rem;
        translate: calc(1px - 50%);
        inline-size: 0.6rem;
        block-size: 0.6rem;
        border-radius: 50%;
        background: var(--brand);
        box-shadow: 0 0 0 3px var(--card);
      }
      li:dir(rtl)::after {
        translate: calc(50% - 1px);
      }
      time {
        font-variant-numeric: tabular-nums;
        font-size: 0.8125rem;
        line-height: 1.6;
        color: var(--quiet);
        text-align: end;
        white-space: nowrap;
      }
      .title {
        display: flex;
        flex-wrap: wrap;
        gap: 0.2rem 0.6rem;
        align-items: baseline;
        font-weight: 550;
        overflow-wrap: anywhere;
      }
    `,
  ];
}

function speakers({ speakers }: Call) {
  if (speakers.length === 0) return nothing;
  const named = speakers.slice(0, maxSpeakers);
  const more = speakers.length - named.length;
  return html`<p class="quiet small">
    <span class="visually-hidden">Speakers: </span>${named.map(
      ({ name, isGuest }, index) =>
        html`${index === 0 ? '' : ', '}<bdi>${name}</bdi>${isGuest ? html` (guest)` : nothing}`,
    )}${more === 0 ? nothing : ` and ${more} more`}
  </p>`;
}

function dayName(date: string, now: Date): string {
  if (date === daysAgo(0, now)) return 'Today';
  if (date === daysAgo(1, now)) return 'Yesterday';
  return day(date, undefined, { weekday: 'long', day: 'numeric', month: 'long' });
}
