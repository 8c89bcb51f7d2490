import type { SyncState } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';

/** Renders a connector's sync state with details for each entity, or nothing if the connector has no sync. */
export function syncProgress(
  { status, entities }: SyncState,
  messages: Messages,
): TemplateResult | typeof nothing {
  if (status === 'none') return nothing;
  const all = Object.entries(entities);
  const labels = {
    building: messages.syncBuilding,
    preview: messages.syncPreview,
    ready: messages.syncReady,
  };
  const records = all.reduce((sum, [, entity]) => sum + entity.records, 0);
  const error = all.find(([, { state }]) => state === 'failed')?.[1].last_error;
  const time = new Intl.DateTimeFormat(messages.language, { dateStyle: 'medium', timeStyle: 'short' });
  return html`<details class="sync">
      <summary part="sync">${labels[status]} · ${messages.records(records)}</summary>
      <ul>
        ${all.map(
          ([name, { records, state, last_synced_at, last_error }]) =>
            html`<li part="sync-entity">
              <strong dir="auto">${name.replaceAll('_', ' ')}</strong>
              ${messages.records(records)}${
                state === 'running' ? ` · ${messages.syncBuilding}` : nothing
              }${last_synced_at ? ` · ${time.format(new Date(last_synced_at))}` : nothing}
              ${last_error ? html`<p dir="auto">${last_error}</p>` : nothing}
            </li>`,
        )}
      </ul>
    </details>
    ${error ? html`<p dir="auto">${error}</p>` : nothing}
    ${
      status === 'ready'
        ? nothing
        : html`<progress
            part="progress"
            aria-label=${messages.syncBuilding}
            max=${all.length}
            value=${all.filter(([, { state }]) => state === 'done').length}
          ></progress>`
    }`;
}
