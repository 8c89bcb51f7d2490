import type { Connector, EntitySync } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';
import { timeUntil } from '../messages/relative-time.ts';
import { titleOf } from './entity-rows.ts';
import { icons } from './icons.ts';
import { spinner, stepIcons } from './step-icons.ts';
import { ticking } from './ticking.ts';

/** Renders the state of each type of data, with the names that users know, and what follows a failure. */
export function syncEntities({ name, sync }: Connector, messages: Messages): TemplateResult {
  const rows = Object.entries(sync.entities).map(([id, entity]) => ({
    title: entity.title ?? titleOf(id),
    ...entityState(entity, messages),
  }));
  return html`<ul class="entities">
      ${rows.map(
        ({ title, icon, tone, words }) =>
          html`<li class=${tone} part="sync-entity">
            ${icon}<span class="name" part="name" dir="auto">${title}</span>
            <span class="note">${words}</span>
          </li>`,
      )}
    </ul>
    ${
      rows.some(({ tone }) => tone === 'bad')
        ? html`<p class="hint" part="hint">${messages.importFailedHint(name)}</p>`
        : nothing
    }`;
}

function entityState({ state, retry_at }: EntitySync, messages: Messages) {
  if (state === 'done') return { icon: icons.check, tone: 'good', words: messages.syncReady };
  if (state === 'running') return { icon: spinner, tone: 'running', words: messages.syncBuilding };
  if (retry_at && Date.parse(retry_at) > Date.now()) {
    const words = ticking(retry_at, messages, () => messages.syncRetrying(timeUntil(retry_at, messages)));
    return { icon: stepIcons.clock, tone: 'warn', words };
  }
  return state === 'failed'
    ? { icon: icons.alert, tone: 'bad', words: messages.syncFailed }
    : { icon: stepIcons.clock, tone: '', words: messages.syncWaiting };
}
