import type { SyncState } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { readProgress, type EntityState, type Progress } from '../repositories/sync-state.ts';

type EntitySync = SyncState['entities'][string];

export async function readSyncStates(
  db: Kysely<Tables>,
  organizationId: string,
  connectorIds: readonly string[],
): Promise<ReadonlyMap<string, SyncState>> {
  const rows = await readProgress(db, organizationId, connectorIds);
  return new Map(
    connectorIds.map(id => {
      const own = rows.filter(({ connectorId }) => connectorId === id);
      return [id, syncStateOf(own)];
    }),
  );
}

/**
 * Derives a connector's sync state from its entities. Returns `none` if the kind has no searchable entities,
 * `building` before the first page is stored, `preview` while only some records are searchable, and `ready`
 * after every entity has completed a sync run.
 */
export function syncStateOf(entities: readonly Progress[]): SyncState {
  return {
    status: statusOf(entities),
    entities: Object.fromEntries(entities.map(progress => [progress.entity, toEntitySync(progress)])),
  };
}

function statusOf(entities: readonly Progress[]): SyncState['status'] {
  if (entities.length === 0) return 'none';
  if (entities.every(({ lastSyncedAt }) => lastSyncedAt !== null)) return 'ready';
  const hasRecords = entities.some(({ lastSyncedAt, records }) => lastSyncedAt !== null || records > 0);
  return hasRecords ? 'preview' : 'building';
}

export function toEntitySync({ state, records, lastSyncedAt }: Progress): EntitySync {
  return {
    state: wireState(state, lastSyncedAt !== null),
    records,
    last_synced_at: lastSyncedAt?.toISOString() ?? null,
    last_error: 'lastError' in state ? state.lastError : null,
  };
}

/** Converts an entity state to its public name. Time slices are internal and not shown to users. */
function wireState(state: EntityState, isSynced: boolean): EntitySync['state'] {
  switch (state.name) {
    case 'running':
    case 'paused':
      return 'running';
    case 'limited':
      return 'waiting';
    case 'failed':
      return 'failed';
    case 'idle':
      return state.isDue || !isSynced ? 'waiting' : 'done';
  }
}
