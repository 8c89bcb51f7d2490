import type { SyncState } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { readProgress, type Progress } from '../repositories/sync-state.ts';

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
 * Derives a connector's sync state from its entities: `none` without searchable entities; `building` before
 * the first page; `preview` while some records are searchable; `ready` after every entity completed a sync
 * run.
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

function toEntitySync(progress: Progress): EntitySync {
  return {
    state: stateOf(progress),
    records: progress.records,
    last_synced_at: progress.lastSyncedAt?.toISOString() ?? null,
    last_error: progress.lastError,
  };
}

/** Between its turns a walk runs on; one that may not go on yet, for a vendor's limit, waits. */
function stateOf({ isLeased, isWalking, isDue, lastError, lastSyncedAt }: Progress): EntitySync['state'] {
  if (lastError !== null && !isLeased) return 'failed';
  if (isLeased || (isWalking && isDue)) return 'running';
  return isWalking || isDue || lastSyncedAt === null ? 'waiting' : 'done';
}
