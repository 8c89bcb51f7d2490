import type { EntitySync, SyncState } from '@connector-auth/api';
import { entityState } from '@connector-auth/api/connection-state';
import { html, nothing, type TemplateResult } from 'lit';
import { isSetUpCode, syncErrorWords, type Parties } from '../messages/failure-words.ts';
import type { Messages } from '../messages/messages.ts';
import { timeUntil } from '../messages/relative-time.ts';
import { titleOf } from './entity-rows.ts';
import { icons } from './icons.ts';
import { spinner, stepIcons } from './step-icons.ts';
import { ticking } from './ticking.ts';

type Entry = readonly [name: string, entity: EntitySync];

/** How many finished types of data have a row of their own. */
const maxFinished = 3;
const maxLatest = 3;

/**
 * Renders what was imported: the finished types of data first, then those that are being imported or could not be.
 * Those that wait, and the finished ones that do not fit, have one row together.
 */
export function syncEntities({ entities }: SyncState, names: Parties, messages: Messages): TemplateResult {
  const entries = Object.entries(entities);
  const isWaiting = ([, { state, retry_at: retryAt }]: Entry) => state === 'waiting' && !retryAt;
  const finished = entries.filter(([, { state }]) => state === 'done');
  const shown = finished.length > maxFinished + 1 ? maxFinished : finished.length;
  const waiting = entries.filter(isWaiting);
  return html`<ul class="entities">
    ${finished.slice(0, shown).map(renderEntity)}
    ${renderRest(finished.slice(shown), icons.check, 'good', recordsIn(finished.slice(shown)))}
    ${entries.filter(entry => entry[1].state !== 'done' && !isWaiting(entry)).map(renderEntity)}
    ${waiting.length === 1 ? waiting.map(renderEntity) : renderRest(waiting, stepIcons.clock, '', messages.syncWaiting)}
  </ul>`;

  function renderRest(rest: readonly Entry[], icon: unknown, tone: string, note: string): unknown {
    return rest.length
      ? html`<li class=${tone} part="sync-entity">
          ${icon}<span class="name">${messages.moreTypes(rest.length)}</span><span class="note">${note}</span>
        </li>`
      : nothing;
  }

  function recordsIn(some: readonly Entry[]): string {
    return messages.records(some.reduce((sum, [, { records }]) => sum + records, 0));
  }

  function renderEntity([name, entity]: Entry): TemplateResult {
    const { icon, words } = progressOf(entity, messages);
    const { state, dates, last_error_code: code } = entity;
    return html`<li class=${state === 'done' ? 'good' : ''} part="sync-entity">
      ${icon}
      <span class="name" part="name" dir="auto">${titleOf(name, entity)}</span>
      <span class="note">${words}</span>
      ${
        entityState(entity) === 'failing'
          ? html`<span class="note whole" part="sync-error" dir="auto"
              >${syncErrorWords(code, names, messages) ?? (entity.records ? messages.failingHint : nothing)}</span
            >`
          : state === 'done' && dates
            ? html`<span class="note whole" part="hint">${rangeOf(dates, messages)}</span>`
            : nothing
      }
    </li>`;
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
    <ul class="entities latest">
      ${latest.map(
        ({ title, at }) =>
          html`<li part="record">
            <span class="name" part="name" dir="auto">${title}</span>
            <span class="note">${dateFormat(messages).format(new Date(at))}</span>
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

function dateFormat({ language }: Messages): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
}

function progressOf(entity: EntitySync, messages: Messages) {
  const { state, retry_at, records, last_error_code: code } = entity;
  if (state === 'done') return { icon: icons.check, words: messages.records(records) };
  if (state === 'running') {
    const words = records ? messages.recordsSoFar(messages.records(records)) : messages.syncBuilding;
    return { icon: spinner, words };
  }
  if (isSetUpCode(code)) return { icon: icons.alert, words: messages.syncFailed };
  if (retry_at && Date.parse(retry_at) > Date.now()) {
    const words = ticking(retry_at, messages, messages.syncRetrying(timeUntil(retry_at, messages)));
    return { icon: stepIcons.clock, words };
  }
  return state === 'failed'
    ? { icon: icons.alert, words: messages.willRetry }
    : { icon: stepIcons.clock, words: messages.syncWaiting };
}
