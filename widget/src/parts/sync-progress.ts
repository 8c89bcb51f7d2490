import type { SyncState } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';

/** How far the copy of a connector's data is; nothing where none is made. */
export function syncProgress(
  { status, entities }: SyncState,
  messages: Messages,
): TemplateResult | typeof nothing {
  if (status === 'none') return nothing;
  const all = Object.values(entities);
  const words = { building: messages.syncBuilding, preview: messages.syncPreview, ready: messages.syncReady };
  const records = all.reduce((sum, entity) => sum + entity.records, 0);
  const error = all.find(({ state }) => state === 'failed')?.last_error;
  return html`<p part="sync">${words[status]} · ${messages.records(records)}</p>
    ${error ? html`<p dir="auto">${error}</p>` : nothing}
    ${
      status === 'ready'
        ? nothing
        : html`<progress
            part="progress"
            aria-label=${messages.syncBuilding}
            max=${all.length}
            value=${all.filter(({ state }) => state === 'done').length}
          ></progress>`
    }`;
}
