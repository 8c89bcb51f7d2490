import type { Connector, EntitySync } from '@connector-auth/api';
import { connectionState, entityState } from '@connector-auth/api/connection-state';
import { html, nothing, type TemplateResult } from 'lit';
import type { Catalog } from '../flow/flow.ts';
import { sourceOf } from '../flow/sources.ts';
import { isSetUpCode, syncErrorWords } from '../messages/failure-words.ts';
import type { Messages } from '../messages/messages.ts';
import { timeSince, timeUntil } from '../messages/relative-time.ts';
import { icons } from './icons.ts';
import { spinner, stepIcons } from './step-icons.ts';
import { ticking } from './ticking.ts';

/** Renders a row for each type of data: its name, records, when it was synced and why it cannot be synced. */
export function entityRows(
  connector: Connector,
  catalog: Catalog,
  messages: Messages,
): TemplateResult | typeof nothing {
  const { name, tone, since, errorCode } = connectionState(connector);
  const shownSync = name === 'current' && since ? timeSince(since, messages) : '';
  // While nothing is synced, what was to happen next to each entity no longer applies.
  const isStopped = name === 'expired' || name === 'paused';
  const names = {
    source: sourceOf(catalog, connector)?.name ?? connector.name,
    integrator: catalog.integrator,
  };
  const entities = Object.entries(connector.sync.entities);
  if (!entities.length) return nothing;
  return html`<section class="block">
    <h3 part="heading">${messages.dataHeading}</h3>
    <ul class="lines" part="sync">
      ${entities.map(([name, entity]) => renderRow(titleOf(name, entity), entity))}
    </ul>
  </section>`;

  function renderRow(title: string, entity: EntitySync): TemplateResult {
    const state = isStopped ? 'stopped' : entityState(entity);
    const { last_error_code: code, last_synced_at: synced } = entity;
    // The strip shows an error that all types of data share.
    const when = synced && (state === 'current' || state === 'stopped') ? timeSince(synced, messages) : '';
    const error = state === 'failing' && !errorCode ? syncErrorWords(code, names, messages) : null;
    return html`<li class="line ${state === 'failing' ? tone : tones[state]}" part="sync-entity">
      ${markOf(state, entity)}
      <div class="line-text">
        <span class="line-title" dir="auto">${title}</span>
        ${
          entity.records || synced
            ? html`<span class="line-value">${messages.records(entity.records)}</span>`
            : nothing
        }
        <span class="line-note">
          ${nextOf(state, entity, messages)}${
            // The strip shows the time that all types of data share.
            synced && when && when !== shownSync
              ? html`<span>${ticking(synced, messages, messages.synced(when))}</span>`
              : nothing
          }
        </span>
        ${error ? html`<span class="line-error" part="sync-error" dir="auto">${error}</span>` : nothing}
      </div>
    </li>`;
  }
}

type RowState = ReturnType<typeof entityState> | 'stopped';

/** The colours of the rows. What fails has that of the connection. */
const tones = { syncing: 'info', limited: 'neutral', current: 'good', stopped: 'neutral' } as const;

/** Renders the icon of a row. The words beside it say the same. */
function markOf(state: RowState, entity: EntitySync): TemplateResult {
  switch (state) {
    case 'failing':
      return icons.alert;
    case 'syncing':
      return entity.state === 'running' ? spinner : stepIcons.clock;
    case 'limited':
      return stepIcons.clock;
    case 'current':
      return icons.check;
    case 'stopped':
      return entity.last_synced_at ? icons.check : stepIcons.clock;
  }
}

/** Renders what happens to an entity now or next. */
function nextOf(state: RowState, entity: EntitySync, messages: Messages): unknown {
  const { retry_at: retryAt, last_synced_at: synced } = entity;
  switch (state) {
    case 'failing': {
      // The retry fails, too, until the integrator has repaired it.
      if (isSetUpCode(entity.last_error_code)) {
        return synced
          ? html`<span>${ticking(synced, messages, messages.syncStopped(timeSince(synced, messages)))}</span>`
          : nothing;
      }
      const at = entity.state === 'failed' ? retryAt : new Date(0).toISOString();
      return at
        ? html`<span>${ticking(at, messages, messages.syncRetrying(timeUntil(at, messages)))}</span>`
        : nothing;
    }
    case 'syncing':
      if (entity.state === 'running') {
        return html`<span>${synced ? messages.statusSyncing : messages.syncBuilding}</span>`;
      }
      return html`<span>${messages.syncWaiting}</span>`;
    case 'limited':
      return html`<span>${messages.syncWaiting}</span>`;
    case 'stopped':
      return synced ? nothing : html`<span>${messages.notSynced}</span>`;
    case 'current':
      return nothing;
  }
}

/** Returns the name of an entity for users. Older services send no title. */
export function titleOf(entity: string, { title }: EntitySync): string {
  const words = entity.replaceAll('_', ' ');
  return title ?? words.slice(0, 1).toUpperCase() + words.slice(1);
}
