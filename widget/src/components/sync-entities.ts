import type { EntitySync, SyncState } from '@connector-auth/api';
import { html, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';
import { timeUntil } from '../messages/relative-time.ts';
import { titleOf } from './entity-rows.ts';
import { icons } from './icons.ts';
import { spinner, stepIcons } from './step-icons.ts';
import { ticking } from './ticking.ts';

/** Renders the state of each type of data, with the names that users know. */
export function syncEntities({ entities }: SyncState, messages: Messages): TemplateResult {
  return html`<ul class="entities">
    ${Object.entries(entities).map(([name, entity]) => {
      const { icon, tone, words } = entityState(entity, messages);
      return html`<li class=${tone} part="sync-entity">
        ${icon}<span class="name" part="name" dir="auto">${entity.title ?? titleOf(name)}</span>
        <span class="note">${words}</span>
      </li>`;
    })}
  </ul>`;
}

/** Returns whether an import has failed, and not only waits for a retry at a known time. */
export function hasFailed({ state, retry_at }: EntitySync): boolean {
  return state === 'failed' && !(retry_at && Date.parse(retry_at) > Date.now());
}

function entityState({ state, retry_at }: EntitySync, messages: Messages) {
  if (state === 'done') return { icon: icons.check, tone: 'good', words: messages.syncReady };
  if (state === 'running') return { icon: spinner, tone: 'running', words: messages.syncBuilding };
  if (retry_at && Date.parse(retry_at) > Date.now()) {
    const words = ticking(retry_at, messages, messages.syncRetrying(timeUntil(retry_at, messages)));
    return { icon: stepIcons.clock, tone: 'warn', words };
  }
  return state === 'failed'
    ? { icon: icons.alert, tone: 'bad', words: messages.syncFailed }
    : { icon: stepIcons.clock, tone: '', words: messages.syncWaiting };
}
