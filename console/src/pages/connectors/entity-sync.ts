import type { AdminConnectorDetail } from '@connector-auth/api/admin';
import { entityState } from '@connector-auth/api/connection-state';
import { html, type TemplateResult } from 'lit';
import { badge, type Tone } from '../../components/badge.ts';
import { timeAgo } from '../../components/time.ts';

type Entities = AdminConnectorDetail['entities'];
type EntitySync = Entities[string];

const badges: Readonly<Record<EntitySync['state'], readonly [label: string, tone: Tone]>> = {
  waiting: ['Waiting', 'neutral'],
  running: ['Syncing', 'info'],
  done: ['Up to date', 'good'],
  failed: ['Failing', 'bad'],
};

export interface SyncError {
  readonly message: string;
  readonly entities: readonly string[];
  /** The most failed attempts in a row of any of the entities. */
  readonly failures: number;
}

/** Returns every error once, with all entities that report it. */
export function syncErrors(entities: Entities): readonly SyncError[] {
  const errors = new Map<string, SyncError>();
  for (const [name, { last_error, failures }] of Object.entries(entities)) {
    if (last_error === null) continue;
    const others = errors.get(last_error);
    errors.set(last_error, {
      message: last_error,
      entities: [...(others?.entities ?? []), wordsOfEntity(name)],
      failures: Math.max(failures, others?.failures ?? 0),
    });
  }
  return [...errors.values()];
}

/** Returns an entity's name as words, such as “ad groups”. */
export function wordsOfEntity(entity: string): string {
  return entity.replaceAll('_', ' ');
}

/** Renders the sync of each entity. */
export function entitySyncTable(entities: Entities): TemplateResult {
  return html`<table>
    <caption class="visually-hidden">
      Sync of each entity
    </caption>
    <thead>
      <tr>
        <th scope="col">Entity</th>
        <th scope="col">State</th>
        <th scope="col" class="number">Records</th>
        <th scope="col">Last synced</th>
        <th scope="col">Next sync</th>
      </tr>
    </thead>
    <tbody>
      ${Object.entries(entities).map(([name, entity]) => {
        const { state, records, last_synced_at, next_sync_at } = entity;
        return html`<tr>
          <th scope="row">${wordsOfEntity(name)}</th>
          <td data-label="State">
            ${badge(...badges[entityState(entity) === 'failing' ? 'failed' : state])}
          </td>
          <td data-label="Records" class="number">${records.toLocaleString('en')}</td>
          <td data-label="Last synced">${timeAgo(last_synced_at)}</td>
          <td data-label="Next sync">${nextSync(state, next_sync_at)}</td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}

function nextSync(state: EntitySync['state'], nextSyncAt: string | null): unknown {
  if (state === 'running') return 'In progress';
  if (nextSyncAt !== null && Date.parse(nextSyncAt) <= Date.now()) return 'Due now';
  return timeAgo(nextSyncAt, 'Not planned');
}
