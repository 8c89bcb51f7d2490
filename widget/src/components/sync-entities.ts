import type { EntitySync, SyncState } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import { syncErrorWords, type Parties } from '../messages/failure-words.ts';
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
      const { icon, tone, words } = entityState(entity, messages);
      return html`<li class=${tone} part="sync-entity">
        ${icon}
        <span class="text">
          <span class="name" part="name" dir="auto">${entity.title ?? titleOf(name)}</span>
          ${
            entity.state === 'failed'
              ? html`<span class="note whole" part="sync-error" dir="auto"
                  >${syncErrorWords(entity.last_error_code, names, messages) ?? messages.failingHint}</span
                >`
              : nothing
          }
        </span>
        <span class="note">${words}</span>
      </li>`;
    })}
  </ul>`;
}

/** Returns a share that is done as a percentage. */
export function shareWords(share: number, { language }: Messages): string {
  // Rounding up would show 100 % before the sync is complete.
  return (Math.floor(Math.min(share, 0.99) * 100) / 100).toLocaleString(language, { style: 'percent' });
}

function entityState({ state, retry_at, records }: EntitySync, messages: Messages) {
  if (state === 'done') return { icon: icons.check, tone: 'good', words: messages.records(records) };
  if (state === 'running') return { icon: spinner, tone: 'running', words: messages.syncBuilding };
  if (retry_at && Date.parse(retry_at) > Date.now()) {
    const words = ticking(retry_at, messages, messages.syncRetrying(timeUntil(retry_at, messages)));
    return { icon: stepIcons.clock, tone: 'warn', words };
  }
  return state === 'failed'
    ? { icon: icons.alert, tone: 'bad', words: messages.syncFailed }
    : { icon: stepIcons.clock, tone: '', words: messages.syncWaiting };
}
