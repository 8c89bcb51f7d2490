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
  const isStopped = name === 'expired' || name === 'paused' || name === 'unavailable';
  const names = {
    source: sourceOf(catalog, connector)?.name ?? connector.name,
    integrator: catalog.integrator,
  };
  const entities = Object.entries(connector.sync.entities);
  if (!entities.length) return nothing;
  return html`<section class="block">
    <h3 part="heading">${messages.dataHeading}</h3>
    <ul class="lines" part="sync">
      ${entities.map(entry => renderRow(entry))}
    </ul>
  </section>`;

  function renderRow(entry: EntityEntry): TemplateResult {
    const [, entity] = entry;
    const state = isStopped ? 'stopped' : entityState(entity);
    const { last_error_code: code, last_synced_at: synced } = entity;
    const when = synced && (state === 'current' || state === 'stopped') ? timeSince(synced, messages) : '';
    return entityRow(entry, messages, {
      state,
      tone,
      // The strip shows the time and an error that all types of data share.
      detail: synced && when && when !== shownSync && ticking(synced, messages, messages.synced(when)),
      error: state === 'failing' && !errorCode ? syncErrorWords(code, names, messages) : null,
    });
  }
}

export type EntityEntry = readonly [name: string, entity: EntitySync];

type RowState = keyof typeof tones | 'failing';

/** Renders a type of data: its name and records, what happens to it next, and why it cannot be synced. */
export function entityRow(
  [name, entity]: EntityEntry,
  messages: Messages,
  {
    state,
    tone,
    detail,
    error,
  }: {
    readonly state: RowState;
    /** The colour of the connection, which is that of what fails. */
    readonly tone: string;
    /** What else is known of it. */
    readonly detail: unknown;
    readonly error: string | null | undefined;
  },
): TemplateResult {
  const { records, last_synced_at: synced } = entity;
  return line(markOf(state, entity), state === 'failing' ? tone : tones[state], [
    titleOf(name, entity),
    records || synced ? messages.records(records) : '',
    [nextOf(state, entity, messages), detail].map(note => (note ? html`<span>${note}</span>` : nothing)),
    error,
  ]);
}

/** Renders a line of the list of types of data. */
export function line(
  icon: TemplateResult,
  tone: string,
  [title, value, note, error]: readonly [
    title: string,
    value: string,
    note?: unknown,
    error?: string | null | undefined,
  ],
): TemplateResult {
  return html`<li class="line ${tone}" part="sync-entity">
    ${icon}
    <div class="line-text">
      <span class="line-title" dir="auto">${title}</span>
      ${value ? html`<span class="line-value">${value}</span>` : nothing}
      <span class="line-note">${note}</span>
      ${error ? html`<span class="line-error" part="sync-error" dir="auto">${error}</span>` : nothing}
    </div>
  </li>`;
}

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
          ? ticking(synced, messages, messages.syncStopped(timeSince(synced, messages)))
          : messages.syncFailed;
      }
      const at = entity.state === 'failed' ? retryAt : new Date(0).toISOString();
      return at ? ticking(at, messages, messages.syncRetrying(timeUntil(at, messages))) : messages.willRetry;
    }
    case 'syncing':
      if (entity.state !== 'running') return messages.syncWaiting;
      return synced ? messages.statusSyncing : messages.syncBuilding;
    case 'limited':
      return retryAt && Date.parse(retryAt) > Date.now()
        ? ticking(retryAt, messages, messages.syncRetrying(timeUntil(retryAt, messages)))
        : messages.syncWaiting;
    case 'stopped':
      return synced ? null : messages.notSynced;
    case 'current':
      return null;
  }
}

/** Returns the name of an entity for users. Older services send no title. */
function titleOf(entity: string, { title }: EntitySync): string {
  const words = entity.replaceAll('_', ' ');
  return title ?? words.slice(0, 1).toUpperCase() + words.slice(1);
}
