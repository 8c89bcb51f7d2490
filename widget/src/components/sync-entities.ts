import type { Connector, EntitySync, SyncState } from '@connector-auth/api';
import { connectionState, entityState } from '@connector-auth/api/connection-state';
import { html, nothing, type TemplateResult } from 'lit';
import { syncErrorWords, type Parties } from '../messages/failure-words.ts';
import type { Messages } from '../messages/messages.ts';
import { dateFormat } from '../messages/relative-time.ts';
import { entityRow, line, type EntityEntry } from './entity-rows.ts';
import { icons } from './icons.ts';
import { stepIcons } from './step-icons.ts';

/** How many finished types of data have a row of their own. Others that wait fill up what they leave. */
const maxFinished = 3;
const maxLatest = 3;

/**
 * Renders what was imported: the finished types of data first, then those that are being imported or could not be.
 * Those that wait or are finished and do not fit have one row together.
 */
export function syncEntities(connector: Connector, names: Parties, messages: Messages): TemplateResult {
  const { tone } = connectionState(connector);
  const entries = Object.entries(connector.sync.entities);
  const isWaiting = ([, { state, retry_at: retryAt }]: EntityEntry) => state === 'waiting' && !retryAt;
  const finished = entries.filter(([, { state }]) => state === 'done');
  const shown = finished.length > maxFinished + 1 ? maxFinished : finished.length;
  const waiting = entries.filter(isWaiting);
  const free = Math.max(maxFinished - (entries.length - waiting.length), 0);
  const named = waiting.length === free + 1 ? waiting.length : free;
  return html`<ul class="lines entities">
    ${finished.slice(0, shown).map(renderEntity)}
    ${renderRest(finished.slice(shown), icons.check, 'good', recordsIn(finished.slice(shown)))}
    ${entries.filter(entry => entry[1].state !== 'done' && !isWaiting(entry)).map(renderEntity)}
    ${waiting.slice(0, named).map(renderEntity)}
    ${renderRest(waiting.slice(named), stepIcons.clock, 'neutral', messages.syncWaiting)}
  </ul>`;

  function renderRest(rest: readonly EntityEntry[], icon: TemplateResult, tone: string, value: string) {
    return rest.length ? line(icon, tone, [messages.moreTypes(rest.length), value]) : nothing;
  }

  function recordsIn(some: readonly EntityEntry[]): string {
    return messages.records(some.reduce((sum, [, { records }]) => sum + records, 0));
  }

  function renderEntity(entry: EntityEntry): TemplateResult {
    const { state: step, dates, records, last_error_code: code } = entry[1];
    const state = entityState(entry[1]);
    return entityRow(entry, messages, {
      state,
      tone,
      detail: step === 'done' && dates && rangeOf(dates, messages),
      error:
        state === 'failing'
          ? (syncErrorWords(code, names, messages) ?? (records ? messages.failingHint : null))
          : null,
    });
  }
}

/** Renders the newest records of all types of data that report them. */
export function latestRecords({ entities }: SyncState, messages: Messages): TemplateResult | typeof nothing {
  const latest = Object.values(entities)
    .flatMap(entity => entity.latest ?? [])
    .sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
    .slice(0, maxLatest);
  if (!latest.length) return nothing;
  return html`<h3 part="heading">${messages.latestRecords}</h3>
    <ul class="lines entities">
      ${latest.map(
        ({ title, at }) =>
          html`<li class="line entry" part="record">
            <div class="line-text">
              <span class="line-title" part="name" dir="auto">${title}</span>
              <span class="line-value">${dateFormat(messages).format(new Date(at))}</span>
            </div>
          </li>`,
      )}
    </ul>`;
}

/** Renders how many types of data are imported. How many records the rest has is unknown until it is imported. */
export function importProgress(
  {
    finished,
    total,
    progress,
  }: { readonly finished: number; readonly total: number; readonly progress: number | null },
  messages: Messages,
): TemplateResult {
  const steps = progress === null ? 1 : total;
  const isCounted = steps > 1;
  return html`<progress
    part="progress"
    .style=${`--_steps: ${steps}`}
    aria-label=${isCounted ? messages.typesOfData(finished, total) : messages.statusSyncing}
    max=${steps}
    value=${(isCounted && finished) || nothing}
  ></progress>`;
}

function rangeOf({ from, to }: NonNullable<EntitySync['dates']>, messages: Messages): string {
  return dateFormat(messages).formatRange(new Date(from), new Date(to));
}
