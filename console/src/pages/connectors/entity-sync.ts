import type { AdminConnectorDetail } from '@connector-auth/api/admin';
import { entityState } from '@connector-auth/api/connection-state';
import type { TemplateResult } from 'lit';
import { badge, type Tone } from '../../components/cell.ts';
import { table } from '../../components/table.ts';
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
  return table({
    caption: 'Sync of each entity',
    items: Object.entries(entities).map(([name, entity]) => ({ id: name, ...entity })),
    columns: [
      { label: 'Entity', cell: ({ id }) => wordsOfEntity(id) },
      {
        label: 'State',
        cell: entity => badge(...badges[entityState(entity) === 'failing' ? 'failed' : entity.state]),
      },
      { label: 'Records', isNumber: true, cell: ({ records }) => records.toLocaleString('en') },
      { label: 'Last synced', cell: ({ last_synced_at }) => timeAgo(last_synced_at) },
      { label: 'Next sync', cell: ({ state, next_sync_at }) => nextSync(state, next_sync_at) },
    ],
  });
}

function nextSync(state: EntitySync['state'], nextSyncAt: string | null): unknown {
  if (state === 'running') return 'In progress';
  if (nextSyncAt !== null && Date.parse(nextSyncAt) <= Date.now()) return 'Due now';
  return timeAgo(nextSyncAt, 'Not planned');
}
