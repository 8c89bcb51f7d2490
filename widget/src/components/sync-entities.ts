import type { EntitySync, SyncState } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import { isSetUpCode, syncErrorWords, type Parties } from '../messages/failure-words.ts';
import type { Messages } from '../messages/messages.ts';
import { timeUntil } from '../messages/relative-time.ts';
import { titleOf } from './entity-rows.ts';
import { icons } from './icons.ts';
import { spinner, stepIcons } from './step-icons.ts';
import { ticking } from './ticking.ts';

/** Renders the state of each type of data by its name for users, and why it could not be imported. */
export function syncEntities({ entities }: SyncState, names: Parties, messages: Messages): TemplateResult {
  return html`<ul class="entities">
    ${Object.entries(entities).map(([name, entity]) => {
      const { icon, words } = progressOf(entity, messages);
      return html`<li class=${entity.state === 'done' ? 'good' : ''} part="sync-entity">
        ${icon}
        <span class="name" part="name" dir="auto">${entity.title ?? titleOf(name)}</span>
        <span class="note">${words}</span>
        ${
          entity.state === 'failed'
            ? html`<span class="note whole" part="sync-error" dir="auto"
                >${syncErrorWords(entity.last_error_code, names, messages) ?? messages.failingHint}</span
              >`
            : nothing
        }
      </li>`;
    })}
  </ul>`;
}

/** Returns a share that is done as a percentage. */
export function shareWords(share: number, { language }: Messages): string {
  // Rounding up would show 100 % before the sync is complete.
  return (Math.floor(Math.min(share, 0.99) * 100) / 100).toLocaleString(language, { style: 'percent' });
}

function progressOf({ state, retry_at, records, last_error_code: code }: EntitySync, messages: Messages) {
  if (state === 'done') return { icon: icons.check, words: messages.records(records) };
  if (state === 'running') return { icon: spinner, words: messages.syncBuilding };
  if (isSetUpCode(code)) return { icon: icons.alert, words: messages.syncFailed };
  if (retry_at && Date.parse(retry_at) > Date.now()) {
    const words = ticking(retry_at, messages, messages.syncRetrying(timeUntil(retry_at, messages)));
    return { icon: stepIcons.clock, words };
  }
  return state === 'failed'
    ? { icon: icons.alert, words: messages.willRetry }
    : { icon: stepIcons.clock, words: messages.syncWaiting };
}
